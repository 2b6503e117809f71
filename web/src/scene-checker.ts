// Asks the worker that checks scenes.

import type { FromChecker, ImpactRun, Preset, SceneDescription, ToChecker } from "./protocol";

/** Longest time that a scene may take to be read and tried [ms]. */
const TIME_LIMIT = 30_000;

/** A description and the share of real time that the scene took on trial. */
export interface CheckedScene {
    description: SceneDescription;
    cost: number;
}

type Question = Exclude<ToChecker, { kind: "start" }>;
/** A question before it has its number. */
type Unnumbered = Question extends infer Q ? (Q extends { id: number } ? Omit<Q, "id"> : never) : never;

export class SceneChecker {
    private worker: Worker;
    private nextId = 1;
    private readonly waiting = new Map<number, (answer: FromChecker) => void>();

    constructor(private readonly module: WebAssembly.Module) {
        this.worker = this.start();
    }

    async presets(): Promise<Preset[]> {
        return JSON.parse((await this.ask({ kind: "presets" })).json) as Preset[];
    }

    async describe(name: string, text: string, rate: number, maxRate: number): Promise<CheckedScene> {
        const { ok, json, cost } = await this.ask({ kind: "describe", name, text, rate, maxRate });
        if (ok) return { description: JSON.parse(json) as SceneDescription, cost };
        const { message } = JSON.parse(json) as { message: string };
        return { description: refused(`${name}: ${message}`), cost: 0 };
    }

    async impact(parameters: [number, number, number, number, number, number]): Promise<ImpactRun[] | string> {
        const { ok, json } = await this.ask({ kind: "impact", parameters });
        return ok ? (JSON.parse(json) as ImpactRun[]) : (JSON.parse(json) as { message: string }).message;
    }

    private start(): Worker {
        const worker = new Worker(new URL("./scene-worker.ts", import.meta.url), { type: "module" });
        worker.onmessage = (event: MessageEvent<FromChecker>) => {
            this.waiting.get(event.data.id)?.(event.data);
            this.waiting.delete(event.data.id);
        };
        worker.postMessage({ kind: "start", module: this.module } satisfies ToChecker);
        return worker;
    }

    private ask(question: Unnumbered): Promise<FromChecker> {
        const id = this.nextId++;
        return new Promise((resolve) => {
            const timer = setTimeout(() => this.giveUp(), TIME_LIMIT);
            this.waiting.set(id, (answer) => {
                clearTimeout(timer);
                resolve(answer);
            });
            this.worker.postMessage({ ...question, id } as Question);
        });
    }

    /** A scene that takes too long: ends the worker, with all it was asked, and starts another. */
    private giveUp(): void {
        this.worker.terminate();
        this.worker = this.start();
        const message = `this scene is too heavy for a page: reading and trying it takes more than ${TIME_LIMIT / 1000} s`;
        for (const [id, resolve] of this.waiting) resolve({ id, ok: false, json: JSON.stringify({ message }), cost: 0 });
        this.waiting.clear();
    }
}

/** The description of a scene that cannot be checked. */
function refused(message: string): SceneDescription {
    const messages = [{ is_error: true, place: null, message, hint: null, text: `error: ${message}` }];
    return { title: "", is_playable: false, messages, gain: 1, voices: 0, nodes: 0, targets: [], shown: null };
}
