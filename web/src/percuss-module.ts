// The functions of percuss.wasm (crates/percuss-wasm/src/face.rs). Texts are bytes, since audio worklets have no TextDecoder.

/** Numbers of a status, in the order of `PlayerEngine::poll`. */
export const STATUS_LENGTH = 13;

interface Exports {
    memory: WebAssembly.Memory;
    percuss_new(sampleRate: number, channels: number): number;
    percuss_input(host: number, length: number): number;
    percuss_answer(host: number): number;
    percuss_answer_length(host: number): number;
    percuss_presets(host: number): void;
    percuss_describe(host: number, nameLength: number, maxRate: number): void;
    percuss_load(host: number, nameLength: number, maxRate: number, gain: number, ledger: number): number;
    percuss_process(host: number, frames: number): number;
    percuss_set(host: number, target: number, value: number): number;
    percuss_midi(host: number, status: number, first: number, second: number, length: number): number;
    percuss_poll(host: number): number;
    percuss_view(host: number): number;
    percuss_view_length(host: number): number;
    percuss_session(host: number): void;
    percuss_recording(host: number): void;
    percuss_samples(host: number, nameLength: number, seconds: number): number;
    percuss_impact(
        host: number,
        mass: number,
        stiffness: number,
        exponent: number,
        loss: number,
        speed: number,
        rate: number,
    ): number;
}

/** A scene as bytes of UTF-8. */
export interface SceneBytes {
    name: Uint8Array;
    text: Uint8Array;
}

/** An instance of the module with one host. */
export class PercussModule {
    private readonly exports: Exports;
    private readonly host: number;
    private output = new Float32Array(0);

    constructor(
        module: WebAssembly.Module,
        sampleRate: number,
        private readonly channels: number,
    ) {
        const { exports } = new WebAssembly.Instance(module);
        this.exports = exports as unknown as Exports;
        this.host = this.exports.percuss_new(sampleRate, channels);
    }

    presets(): Uint8Array<ArrayBuffer> {
        this.exports.percuss_presets(this.host);
        return this.answer();
    }

    describe(scene: SceneBytes, maxRate: number): Uint8Array<ArrayBuffer> {
        this.exports.percuss_describe(this.host, this.write(scene), maxRate);
        return this.answer();
    }

    /** Plays a scene. A gain of 0 is found by a trial. */
    load(scene: SceneBytes, maxRate: number, gain: number, hasLedger: boolean): { ok: boolean; answer: Uint8Array<ArrayBuffer> } {
        const ok = this.exports.percuss_load(this.host, this.write(scene), maxRate, gain, hasLedger ? 1 : 0) !== 0;
        return { ok, answer: this.answer() };
    }

    /** Plays frames: interleaved samples, valid until the next call; empty before a scene is loaded. */
    process(frames: number): Float32Array {
        const place = this.exports.percuss_process(this.host, frames);
        const length = place === 0 ? 0 : frames * this.channels;
        const { buffer } = this.exports.memory;
        // Made anew only where the memory grew, so that the audio thread makes no garbage.
        if (this.output.buffer !== buffer || this.output.byteOffset !== place || this.output.length !== length) {
            this.output = new Float32Array(buffer, place, length);
        }
        return this.output;
    }

    set(target: number, value: number): boolean {
        return this.exports.percuss_set(this.host, target, value) !== 0;
    }

    midi(message: readonly number[]): boolean {
        const [status = 0, first = 0, second = 0] = message;
        return this.exports.percuss_midi(this.host, status, first, second, message.length) !== 0;
    }

    /** Writes the status, then the displacements as 32-bit floats. Returns how many displacements there are. */
    poll(into: ArrayBuffer): number {
        const place = this.exports.percuss_poll(this.host);
        if (place === 0) return 0;
        new Float64Array(into, 0, STATUS_LENGTH).set(new Float64Array(this.exports.memory.buffer, place, STATUS_LENGTH));
        const length = this.exports.percuss_view_length(this.host);
        const view = new Float32Array(this.exports.memory.buffer, this.exports.percuss_view(this.host), length);
        const room = new Float32Array(into, STATUS_LENGTH * 8);
        const fitting = Math.min(length, room.length);
        room.set(view.subarray(0, fitting));
        return fitting;
    }

    session(): Uint8Array<ArrayBuffer> {
        this.exports.percuss_session(this.host);
        return this.answer();
    }

    recording(): Uint8Array<ArrayBuffer> {
        this.exports.percuss_recording(this.host);
        return this.answer();
    }

    samples(scene: SceneBytes, seconds: number): { ok: boolean; answer: Uint8Array<ArrayBuffer> } {
        const ok = this.exports.percuss_samples(this.host, this.write(scene), seconds) !== 0;
        return { ok, answer: this.answer() };
    }

    /** Parameters: mass, stiffness, exponent, loss, speed, rate. */
    impact(parameters: readonly [number, number, number, number, number, number]): {
        ok: boolean;
        answer: Uint8Array<ArrayBuffer>;
    } {
        const ok = this.exports.percuss_impact(this.host, ...parameters) !== 0;
        return { ok, answer: this.answer() };
    }

    private write(scene: SceneBytes): number {
        const length = scene.name.length + scene.text.length;
        const place = this.exports.percuss_input(this.host, length);
        const room = new Uint8Array(this.exports.memory.buffer, place, length);
        room.set(scene.name);
        room.set(scene.text, scene.name.length);
        return scene.name.length;
    }

    private answer(): Uint8Array<ArrayBuffer> {
        const place = this.exports.percuss_answer(this.host);
        const length = this.exports.percuss_answer_length(this.host);
        return new Uint8Array(this.exports.memory.buffer, place, length).slice();
    }
}
