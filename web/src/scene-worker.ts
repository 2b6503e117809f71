// A worker that reads scenes and says what is wrong with them, so that neither page nor sound wait.

import { PercussModule } from "./percuss-module";
import type { FromChecker, ToChecker } from "./protocol";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let module: WebAssembly.Module | undefined;
let instance: { engine: PercussModule; rate: number } | undefined;

function engineAt(rate: number): PercussModule {
    if (module === undefined) throw new Error("the worker was not started");
    if (instance?.rate !== rate) instance = { engine: new PercussModule(module, rate, 2), rate };
    return instance.engine;
}

/** Gain for a scene that is not heard: any but 0, with which it would be tried. */
const SOME_GAIN = 1;

/** Describes a scene. Its trial plays one second: that took as long as describing it, less the time to compile it. */
function describe({ name, text, rate, maxRate }: Extract<ToChecker, { kind: "describe" }>): CheckerAnswer {
    const scene = { name: encoder.encode(name), text: encoder.encode(text) };
    const engine = engineAt(rate);
    const start = performance.now();
    const answer = engine.describe(scene, maxRate);
    const tried = performance.now();
    const { ok } = engine.load(scene, maxRate, SOME_GAIN, false);
    const compiling = performance.now() - tried;
    return { ok: true, answer, cost: ok ? Math.max(tried - start - compiling, 0) / 1000 : 0 };
}

interface CheckerAnswer {
    ok: boolean;
    answer: Uint8Array;
    /** Share of real time that a scene takes. */
    cost?: number;
}

function answer(message: Exclude<ToChecker, { kind: "start" }>): CheckerAnswer {
    switch (message.kind) {
        case "presets":
            return { ok: true, answer: engineAt(48_000).presets() };
        case "describe":
            return describe(message);
        case "impact":
            return engineAt(48_000).impact(message.parameters);
    }
}

self.onmessage = (event: MessageEvent<ToChecker>) => {
    const message = event.data;
    if (message.kind === "start") {
        module = message.module;
        return;
    }
    let reply: FromChecker;
    try {
        const { ok, answer: bytes, cost = 0 } = answer(message);
        reply = { id: message.id, ok, json: decoder.decode(bytes), cost };
    } catch (error) {
        // The instance may be in any state.
        instance = undefined;
        reply = { id: message.id, ok: false, json: JSON.stringify({ message: String(error) }), cost: 0 };
    }
    self.postMessage(reply);
};
