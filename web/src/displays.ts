// What is seen of the sound: waveform, spectrogram, energy account, levels, load.

import { fit } from "./surface";
import type { Status } from "./sound";

/** Lowest and highest frequency of the spectrogram [Hz]. */
const FREQUENCIES = [40, 16_000] as const;
/** Levels that are black and white in the spectrogram [dB]. */
const LEVELS = [-100, -20] as const;

interface Parts {
    waveform: HTMLCanvasElement;
    spectrogram: HTMLCanvasElement;
    energy: HTMLElement;
    level: HTMLMeterElement;
    load: HTMLMeterElement;
    loadText: HTMLElement;
    levelText: HTMLElement;
}

/** A number with a unit of the decimal system, as in 2.57 nJ. */
export function withPrefix(value: number, unit: string): string {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return `0 ${unit}`;
    const prefixes = ["f", "p", "n", "µ", "m", "", "k", "M"];
    const power = Math.max(-5, Math.min(2, Math.floor(Math.log10(Math.abs(value)) / 3)));
    return `${(value / 1000 ** power).toPrecision(3)} ${prefixes[power + 5] ?? ""}${unit}`;
}

/** A level in dB of a factor. */
export function decibels(factor: number): string {
    return factor > 1e-6 ? `${(20 * Math.log10(factor)).toFixed(1)} dB` : "silent";
}

export class Displays {
    private samples = new Float32Array(4096);
    private spectrum = new Float32Array(2048);

    constructor(private readonly parts: Parts) {}

    /** Draws waveform and spectrogram. */
    drawSound(analyser: AnalyserNode): void {
        if (this.samples.length !== analyser.fftSize) {
            this.samples = new Float32Array(analyser.fftSize);
            this.spectrum = new Float32Array(analyser.frequencyBinCount);
        }
        analyser.getFloatTimeDomainData(this.samples as Float32Array<ArrayBuffer>);
        analyser.getFloatFrequencyData(this.spectrum as Float32Array<ArrayBuffer>);
        this.drawWaveform();
        this.drawSpectrum(analyser.context.sampleRate);
    }

    /** Writes the numbers. Called a few times a second: screen readers and people read no faster. */
    writeNumbers(status: Status): void {
        const { energy, level, levelText, load, loadText } = this.parts;
        const peak = Math.max(...status.peaks);
        level.value = peak;
        levelText.textContent = decibels(peak) + (status.limiterGain < 0.99 ? `, limited by ${decibels(status.limiterGain)}` : "");
        load.value = status.load;
        loadText.textContent = `${(100 * status.load).toFixed(0)} % of real time`;
        const rows: [string, string][] = status.hasLedger
            ? [
                  ["at the start", withPrefix(status.initial, "J")],
                  ["supplied", withPrefix(status.supplied, "J")],
                  ["by touches", withPrefix(status.touchWork, "J")],
                  ["stored", withPrefix(status.stored, "J")],
                  ["lost", withPrefix(status.dissipated, "J")],
                  ["residual", status.residual.toExponential(1)],
              ]
            : [["energy account", "closed"]];
        const cells = rows.flatMap(([name, value]) => [element("dt", name), element("dd", value)]);
        energy.replaceChildren(...cells);
    }

    private drawWaveform(): void {
        const canvas = this.parts.waveform;
        fit(canvas);
        const context = canvas.getContext("2d");
        if (context === null) return;
        const { width, height } = canvas;
        context.clearRect(0, 0, width, height);
        context.strokeStyle = getComputedStyle(canvas).color;
        context.lineWidth = Math.max(1, height / 80);
        context.beginPath();
        // From a rising zero on, so that a steady tone stands still.
        const start = Math.max(0, this.samples.findIndex((s, i) => i > 0 && s >= 0 && (this.samples[i - 1] as number) < 0));
        const shown = Math.min(2048, this.samples.length - start);
        const peak = this.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0.02);
        for (let i = 0; i < shown; i++) {
            const y = height / 2 - (0.48 * height * (this.samples[start + i] as number)) / peak;
            if (i === 0) context.moveTo(0, y);
            else context.lineTo((i / shown) * width, y);
        }
        context.stroke();
    }

    /** Moves the picture by a column and draws the newest at the right, low frequencies below. */
    private drawSpectrum(rate: number): void {
        const canvas = this.parts.spectrogram;
        fit(canvas);
        const context = canvas.getContext("2d");
        if (context === null || canvas.width === 0) return;
        const { width, height } = canvas;
        const step = Math.max(1, Math.round(devicePixelRatio));
        context.drawImage(canvas, -step, 0);
        const column = context.createImageData(step, height);
        const [lowest, highest] = FREQUENCIES;
        const binWidth = rate / (2 * this.spectrum.length);
        for (let y = 0; y < height; y++) {
            const frequency = lowest * (highest / lowest) ** (1 - y / height);
            const level = this.spectrum[Math.round(frequency / binWidth)] ?? LEVELS[0];
            const share = Math.max(0, Math.min(1, (level - LEVELS[0]) / (LEVELS[1] - LEVELS[0])));
            const colour = [255 * Math.min(1, 1.6 * share), 255 * share ** 1.5, 255 * (0.15 + 0.5 * share * (1 - share)), 255];
            for (let x = 0; x < step; x++) column.data.set(colour, 4 * (y * step + x));
        }
        context.putImageData(column, width - step, 0);
    }
}

function element(name: string, text: string): HTMLElement {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
}
