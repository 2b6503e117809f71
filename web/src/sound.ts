// The sound: an audio context with the engine in a worklet, made anew where that breaks or another sample rate is needed.

import type { FromWorklet, SceneDescription, ToWorklet } from "./protocol";
import { STATUS_BYTES } from "./protocol";
import { STATUS_LENGTH } from "./percuss-module";
import workletUrl from "./worklet?worker&url";

/** Time in which the sound fades out before a scene is compiled and in after it [s]. */
const FADE = 0.015;

/** What the engine says of itself. */
export interface Status {
    samples: number;
    peaks: [number, number];
    limiterGain: number;
    hasLedger: boolean;
    initial: number;
    stored: number;
    dissipated: number;
    supplied: number;
    touchWork: number;
    residual: number;
    nanResets: number;
    cutOuts: number;
    /** Share of real time that the engine takes. */
    load: number;
    /** Displacements, row by row [m]. */
    view: Float32Array;
}

/** A scene and how it is played. */
export interface Order {
    name: string;
    text: string;
    gain: number;
    maxRate: number;
    hasLedger: boolean;
}

interface Node {
    context: AudioContext;
    worklet: AudioWorkletNode;
    fade: GainNode;
    analyser: AnalyserNode;
}

type Answer = Extract<FromWorklet, { kind: "answer" }>;

export class Sound {
    /** Called when the engine trapped; the page loads the scene again. */
    onBroken: (reason: string) => void = () => undefined;
    /** Called when the browser suspends or resumes the sound. */
    onState: (state: string) => void = () => undefined;

    private node: Node | undefined;
    private nextId = 1;
    private readonly waiting = new Map<number, (answer: Answer) => void>();
    /** Controls that were set since they were last sent. */
    private readonly pending = new Map<number, number>();
    private statusBuffer: ArrayBuffer | undefined = new ArrayBuffer(STATUS_BYTES);
    private status: Status | undefined;

    constructor(private readonly module: WebAssembly.Module) {}

    /** Sample rate of the engine [Hz]; 0 before it started. */
    get sampleRate(): number {
        return this.node?.context.sampleRate ?? 0;
    }

    get analyser(): AnalyserNode | undefined {
        return this.node?.analyser;
    }

    get isRunning(): boolean {
        return this.node?.context.state === "running";
    }

    /** Starts the sound at a rate, by default that of the device. Browsers allow that in answer to a gesture only. */
    async start(rate?: number): Promise<void> {
        await this.stop();
        const context = new AudioContext(rate === undefined ? {} : { sampleRate: rate });
        context.onstatechange = () => this.onState(context.state);
        await context.audioWorklet.addModule(workletUrl);
        const worklet = new AudioWorkletNode(context, "percuss", {
            numberOfInputs: 0,
            outputChannelCount: [2],
            processorOptions: { module: this.module },
        });
        worklet.port.onmessage = (event: MessageEvent<FromWorklet>) => this.receive(event.data);
        worklet.onprocessorerror = () => this.onBroken("the audio thread stopped");
        const fade = new GainNode(context, { gain: 0 });
        const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
        worklet.connect(fade).connect(analyser).connect(context.destination);
        this.node = { context, worklet, fade, analyser };
        this.statusBuffer = new ArrayBuffer(STATUS_BYTES);
        this.status = undefined;
        await this.resume();
    }

    async stop(): Promise<void> {
        const node = this.node;
        this.node = undefined;
        this.waiting.clear();
        if (node !== undefined) {
            node.worklet.port.onmessage = null;
            node.worklet.disconnect();
            await node.context.close();
        }
    }

    /** Goes on after a pause: the browser's, or that of a device that slept. */
    async resume(): Promise<void> {
        // A context that the browser does not let start yet keeps the promise open: the state tells.
        void this.node?.context.resume();
    }

    /** Plays a scene. The sound is faded out while it is compiled, which happens on the audio thread. */
    async load(order: Order): Promise<SceneDescription> {
        const encoder = new TextEncoder();
        this.fadeTo(0);
        if (this.isRunning) await new Promise((resolve) => setTimeout(resolve, 1000 * FADE));
        this.pending.clear();
        const { maxRate, gain, hasLedger } = order;
        const [name, text] = [encoder.encode(order.name), encoder.encode(order.text)];
        const { bytes } = await this.ask({ kind: "load", id: this.nextId++, name, text, maxRate, gain, hasLedger });
        this.fadeTo(1);
        return JSON.parse(new TextDecoder().decode(bytes)) as SceneDescription;
    }

    /** Sets a target; sent with the next poll, so that a fast pointer does not flood the engine. */
    set(target: number, value: number): void {
        if (Number.isFinite(value)) this.pending.set(target, value);
    }

    /** Sends what was set, at once. */
    flush(): void {
        if (this.pending.size === 0) return;
        const pairs = Float64Array.from([...this.pending].flat());
        this.pending.clear();
        this.send({ kind: "controls", pairs });
    }

    midi(message: readonly number[]): void {
        this.send({ kind: "midi", message });
    }

    /** Sends what was set, asks for the next status and returns the last. */
    poll(): Status | undefined {
        this.flush();
        const buffer = this.statusBuffer;
        if (buffer !== undefined && this.node !== undefined) {
            this.statusBuffer = undefined;
            this.node.worklet.port.postMessage({ kind: "poll", buffer } satisfies ToWorklet, [buffer]);
        }
        return this.status;
    }

    async session(): Promise<Uint8Array<ArrayBuffer>> {
        return (await this.ask({ kind: "session", id: this.nextId++ })).bytes;
    }

    /** The last minute: 32-bit floats of two channels. */
    async recording(): Promise<Uint8Array<ArrayBuffer>> {
        return (await this.ask({ kind: "recording", id: this.nextId++ })).bytes;
    }

    /** Makes the engine trap, for tests. */
    break(): void {
        this.send({ kind: "break" });
    }

    private fadeTo(gain: number): void {
        if (this.node !== undefined) {
            const { context, fade } = this.node;
            fade.gain.setTargetAtTime(gain, context.currentTime, FADE / 4);
        }
    }

    private send(message: ToWorklet): void {
        this.node?.worklet.port.postMessage(message);
    }

    private ask(message: Extract<ToWorklet, { id: number }>): Promise<Answer> {
        if (this.node === undefined) return Promise.reject(new Error("the sound has not started"));
        return new Promise((resolve) => {
            this.waiting.set(message.id, resolve);
            this.send(message);
        });
    }

    private receive(message: FromWorklet): void {
        switch (message.kind) {
            case "answer":
                this.waiting.get(message.id)?.(message);
                this.waiting.delete(message.id);
                return;
            case "status":
                this.status = readStatus(message.buffer, message.viewLength, message.load);
                this.statusBuffer = message.buffer;
                return;
            case "broken":
                this.onBroken(message.reason);
        }
    }
}

function readStatus(buffer: ArrayBuffer, viewLength: number, load: number): Status {
    const numbers = new Float64Array(buffer, 0, STATUS_LENGTH);
    const at = (index: number) => numbers[index] as number;
    return {
        samples: at(0),
        peaks: [at(1), at(2)],
        limiterGain: at(3),
        hasLedger: at(4) !== 0,
        initial: at(5),
        stored: at(6),
        dissipated: at(7),
        supplied: at(8),
        touchWork: at(9),
        residual: at(10),
        nanResets: at(11),
        cutOuts: at(12),
        load,
        view: new Float32Array(buffer, STATUS_LENGTH * 8, viewLength).slice(),
    };
}
