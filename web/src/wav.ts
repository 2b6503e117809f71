// WAV files of 32-bit floats.

/** Bytes of the header: RIFF, fmt and data. */
const HEADER = 44;
const FLOAT_FORMAT = 3;

/** A WAV file of interleaved samples, given as bytes of 32-bit floats. */
export function wavFile(samples: Uint8Array<ArrayBuffer>, rate: number, channels: number): Blob {
    const header = new DataView(new ArrayBuffer(HEADER));
    const tag = (at: number, text: string) => [...text].forEach((c, i) => header.setUint8(at + i, c.charCodeAt(0)));
    tag(0, "RIFF");
    header.setUint32(4, HEADER - 8 + samples.length, true);
    tag(8, "WAVEfmt ");
    header.setUint32(16, 16, true);
    header.setUint16(20, FLOAT_FORMAT, true);
    header.setUint16(22, channels, true);
    header.setUint32(24, rate, true);
    header.setUint32(28, rate * channels * 4, true);
    header.setUint16(32, channels * 4, true);
    header.setUint16(34, 32, true);
    tag(36, "data");
    header.setUint32(40, samples.length, true);
    return new Blob([header.buffer, samples], { type: "audio/wav" });
}
