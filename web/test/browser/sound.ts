// Sound files and what is measured of them.

/** A sound file of 32-bit floats: one channel, and the rate [Hz]. */
export interface SoundFile {
    rate: number;
    channels: Float32Array[];
}

/** Reads a WAV file of 32-bit floats. */
export function readWav(bytes: Buffer): SoundFile {
    let [channels, rate] = [0, 0];
    for (let at = 12; at + 8 <= bytes.length; ) {
        const [tag, size] = [bytes.toString("latin1", at, at + 4), bytes.readUInt32LE(at + 4)];
        const start = at + 8;
        if (tag === "fmt ") [channels, rate] = [bytes.readUInt16LE(start + 2), bytes.readUInt32LE(start + 4)];
        if (tag === "data") {
            const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + size));
            const pick = (channel: number) => all.filter((_, index) => index % channels === channel);
            return { rate, channels: Array.from({ length: channels }, (_, channel) => pick(channel)) };
        }
        at = start + size + (size % 2);
    }
    throw new Error("no samples in the file");
}

/** Root mean square of a part of a sound, from and to in seconds; negative times count from the end. */
export function rms({ rate, channels }: SoundFile, from: number, to: number): number {
    const samples = channels[0] as Float32Array;
    const index = (time: number) => (time < 0 ? samples.length : 0) + Math.round(time * rate);
    const part = samples.subarray(index(from), index(to) || samples.length);
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
}

/** Magnitude of a sound at a frequency [Hz]: a pointer that turns with it, renewed before its errors of rounding grow. */
function magnitude(windowed: Float64Array, rate: number, frequency: number): number {
    let [re, im] = [0, 0];
    const angle = (2 * Math.PI * frequency) / rate;
    const [stepRe, stepIm] = [Math.cos(angle), Math.sin(angle)];
    let [c, s] = [1, 0];
    for (let i = 0; i < windowed.length; i++) {
        if (i % 256 === 0) [c, s] = [Math.cos(angle * i), Math.sin(angle * i)];
        re += (windowed[i] as number) * c;
        im += (windowed[i] as number) * s;
        const turned = c * stepRe - s * stepIm;
        s = c * stepIm + s * stepRe;
        c = turned;
    }
    return (2 * Math.hypot(re, im)) / windowed.length;
}

/** The peak of the spectrum within a range of frequencies [Hz]. */
export function peakNear(
    samples: Float32Array,
    rate: number,
    [low, high]: readonly [number, number],
): { frequency: number; level: number } {
    const n = samples.length;
    const windowed = Float64Array.from(samples, (sample, i) => sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (n - 1))));
    const at = (frequency: number) => magnitude(windowed, rate, frequency);
    // A Hann window's main lobe is four such steps wide.
    const step = rate / n;
    let [best, most] = [low, 0];
    for (let frequency = low; frequency <= high; frequency += step) {
        const found = at(frequency);
        if (found > most) [best, most] = [frequency, found];
    }
    // Golden section to a hundredth of a cent.
    let [a, b] = [best - step, best + step];
    while (b / a - 1 > 5e-6) {
        const [c, d] = [b - 0.618 * (b - a), a + 0.618 * (b - a)];
        if (at(c) > at(d)) b = d;
        else a = c;
    }
    const frequency = 0.5 * (a + b);
    return { frequency, level: 20 * Math.log10(at(frequency)) };
}
