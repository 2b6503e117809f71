// The audio worklet: runs the engine, one buffer at a time.

import { PercussModule } from "./percuss-module";
import type { FromWorklet, ToWorklet } from "./protocol";

// The scope of worklets, as far as it is used here. The types of TypeScript are those of windows.
declare const sampleRate: number;
declare class AudioWorkletProcessor {
    readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

/** Time over which the load is measured [ms]. */
const LOAD_WINDOW = 500;

/** Milliseconds. Worklets have `performance` only in some browsers; a coarse clock is right on average, too. */
const now = typeof performance === "undefined" ? () => Date.now() : () => performance.now();

class PercussProcessor extends AudioWorkletProcessor {
    private readonly engine: PercussModule;
    private isBroken = false;
    private load = 0;
    /** Time spent and time played since the load was measured [ms]. */
    private spent = 0;
    private played = 0;

    constructor(options: { processorOptions: { module: WebAssembly.Module } }) {
        super();
        this.engine = new PercussModule(options.processorOptions.module, sampleRate, 2);
        this.port.onmessage = (event: MessageEvent<ToWorklet>) => this.guard(() => this.receive(event.data));
    }

    process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
        const [left, right] = outputs[0] ?? [];
        if (left !== undefined && right !== undefined) this.guard(() => this.render(left, right));
        return true;
    }

    private render(left: Float32Array, right: Float32Array): void {
        const start = now();
        const samples = this.engine.process(left.length);
        for (let frame = 0; 2 * frame < samples.length; frame++) {
            left[frame] = samples[2 * frame] as number;
            right[frame] = samples[2 * frame + 1] as number;
        }
        this.spent += now() - start;
        this.played += (1000 * left.length) / sampleRate;
        if (this.played >= LOAD_WINDOW) {
            this.load = this.spent / this.played;
            this.spent = this.played = 0;
        }
    }

    /** A trap of the module must not end the audio thread: there is silence until the page makes another node. */
    private guard(action: () => void): void {
        if (this.isBroken) return;
        try {
            action();
        } catch (error) {
            this.isBroken = true;
            this.send({ kind: "broken", reason: String(error) });
        }
    }

    private receive(message: ToWorklet): void {
        switch (message.kind) {
            case "load": {
                const { ok, answer } = this.engine.load(message, message.maxRate, message.gain, message.hasLedger);
                // Compiling is no part of the load of playing.
                this.spent = this.played = 0;
                return this.answer(message.id, ok, answer);
            }
            case "controls":
                for (let i = 0; i + 1 < message.pairs.length; i += 2) {
                    this.engine.set(message.pairs[i] as number, message.pairs[i + 1] as number);
                }
                return;
            case "midi":
                this.engine.midi(message.message);
                return;
            case "poll": {
                const viewLength = this.engine.poll(message.buffer);
                const status: FromWorklet = { kind: "status", buffer: message.buffer, viewLength, load: this.load };
                return this.port.postMessage(status, [message.buffer]);
            }
            case "session":
                return this.answer(message.id, true, this.engine.session());
            case "recording":
                return this.answer(message.id, true, this.engine.recording());
            case "break":
                throw new Error("stopped for a test");
        }
    }

    private answer(id: number, ok: boolean, bytes: Uint8Array<ArrayBuffer>): void {
        this.port.postMessage({ kind: "answer", id, ok, bytes } satisfies FromWorklet, [bytes.buffer]);
    }

    private send(message: FromWorklet): void {
        this.port.postMessage(message);
    }
}

registerProcessor("percuss", PercussProcessor);
