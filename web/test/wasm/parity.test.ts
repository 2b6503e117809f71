// The samples of the module against those of the native engine: COMPARED_SECONDS of every preset, 2 unless set. What is said here was measured
// over 10.
//
// NATIVE_SAMPLES names a program that writes a preset's samples: the example `samples` of percuss-scene.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PercussModule } from "../../src/percuss-module";
import type { Preset } from "../../src/protocol";

const root = new URL("../../../", import.meta.url).pathname;
const native = process.env["NATIVE_SAMPLES"] ?? join(root, "target/debug/examples/samples");
const file = join(root, "web/wasm/percuss.wasm");
const SECONDS = Number(process.env["COMPARED_SECONDS"] ?? 2);
/** Largest deviation, over the largest sample. */
const TOLERANCE = 1e-9;
/**
 * Scenes in which collisions make errors of rounding grow, each with the time for which it agrees to the tolerance [s], a little less
 * than what was measured. WebAssembly rounds a·b + c twice and has other sines and powers.
 */
const SENSITIVE: Record<string, number> = {
    "tromba-marina": 1.4,
    "hard-plucked-string": 1.5,
    "clamped-circle": 0.001,
    sitar: 0.02,
    piano: 0.002,
    "hammer-string": 0.001,
    "string-mass-barrier": 0.019,
    "string-string": 0.022,
    "prepared-string": 0.17,
    fretboard: 0.028,
    "vibraphone-bar": 0.009,
    kalimba: 0.06,
    "bounce-on-bar": 0.33,
    "wind-chimes": 2.2,
    "marble-run": 0.045,
    "snare-drum": 0.004,
    tom: 1.2,
    "frame-drum": 0.4,
    coins: 0,
    "bottle-rattle": 0.056,
    roll: 0.056,
    "rolling-balls": 0.018,
    "prepared-plate": 0.001,
    "mass-barrier": 0.4,
    bounce: 0.6,
};
/** Deviation that a change of the sample rate in its last digit makes at least within 10 s, in those scenes. */
const SENSITIVITY = 1e-10;

const module = new WebAssembly.Module(readFileSync(file));
const encoder = new TextEncoder();
const presets = JSON.parse(new TextDecoder().decode(new PercussModule(module, 48_000, 2).presets())) as Preset[];
const folder = mkdtempSync(join(tmpdir(), "percuss-parity-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The scene's own sample rate, as the module understands it: samples of one second. */
function rateOf({ text }: Preset): number {
    const named = /^sample_rate\s*=\s*([\d_.e+]+)/m.exec(text)?.[1];
    return named === undefined ? 44_100 : Number(named.replaceAll("_", ""));
}

/** Samples, and the seconds that they took. */
function inWasm({ name, text }: Preset): { samples: Float64Array; seconds: number } {
    const engine = new PercussModule(module, 48_000, 2);
    const scene = { name: encoder.encode(name), text: encoder.encode(text) };
    const compiling = process.cpuUsage().user;
    engine.samples(scene, 0);
    const start = process.cpuUsage().user;
    const { ok, answer } = engine.samples(scene, SECONDS);
    expect(ok).toBe(true);
    const microseconds = process.cpuUsage().user - start - (start - compiling);
    return { samples: new Float64Array(answer.buffer), seconds: microseconds / 1e6 };
}

/** The preset at the next sample rate that there is as a number. */
function atNextRate(preset: Preset): Preset {
    const rate = rateOf(preset);
    const next = `sample_rate = ${rate + 2 ** (Math.floor(Math.log2(rate)) - 52)}`;
    const named = /^sample_rate\s*=\s*[\d_.e+]+/m;
    const text = named.test(preset.text) ? preset.text.replace(named, next) : preset.text.replace("[scene]", `[scene]\n${next}`);
    return { ...preset, text };
}

function inNative({ name }: Preset, frames: number): Float64Array {
    const path = join(folder, name);
    execFileSync(native, [name, String(frames), path], { stdio: "ignore" });
    return new Float64Array(readFileSync(path).buffer.slice(0));
}

/** Largest deviation over the largest sample, and the first index at which it exceeds the tolerance. */
function compare(a: Float64Array, b: Float64Array): { worst: number; first: number } {
    const peak = b.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    let [worst, first] = [0, a.length];
    a.forEach((value, index) => {
        const deviation = Math.abs(value - (b[index] as number)) / peak;
        if (deviation > TOLERANCE && index < first) first = index;
        worst = Math.max(worst, deviation);
    });
    return { worst, first };
}

describe.skipIf(!existsSync(native))("samples", () => {
    test.each(presets)("$name", (preset) => {
        const rate = rateOf(preset);
        const { samples, seconds } = inWasm(preset);
        const reference = inNative(preset, SECONDS * rate);
        expect(samples.length).toBe(reference.length);
        expect(samples.every(Number.isFinite)).toBe(true);
        const { worst, first } = compare(samples, reference);
        const agreement = (SECONDS * first) / samples.length;
        const times = `${((100 * seconds) / SECONDS).toFixed(1)} % of real time`;
        console.log(`${preset.name}: ${times}, off by ${worst.toExponential(1)}, agrees for ${agreement.toFixed(3)} s`);
        expect(agreement).toBeGreaterThanOrEqual(Math.min(SENSITIVE[preset.name] ?? SECONDS, SECONDS));
        if (SENSITIVE[preset.name] !== undefined && SECONDS >= 10) {
            const changed = compare(inWasm(atNextRate(preset)).samples, samples).worst;
            console.log(`${preset.name}: the last digit of the sample rate changes it by ${changed.toExponential(1)}`);
            expect(changed).toBeGreaterThan(SENSITIVITY);
        }
    });
});
