// A worker that reads scenes and says what is wrong with them, so that neither page nor sound wait.

import { PercussModule } from "./percuss-module";
import type { FromJudge, ToJudge } from "./protocol";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let module: WebAssembly.Module | undefined;
let instance: { engine: PercussModule; rate: number } | undefined;

function engineAt(rate: number): PercussModule {
    if (module === undefined) throw new Error("the worker was not started");
    if (instance?.rate !== rate) instance = { engine: new PercussModule(module, rate, 2), rate };
    return instance.engine;
}

function answer(message: Exclude<ToJudge, { kind: "start" }>): { ok: boolean; answer: Uint8Array } {
    switch (message.kind) {
        case "presets":
            return { ok: true, answer: engineAt(48_000).presets() };
        case "describe": {
            const scene = { name: encoder.encode(message.name), text: encoder.encode(message.text) };
            return { ok: true, answer: engineAt(message.rate).describe(scene, message.maxRate) };
        }
        case "impact":
            return engineAt(48_000).impact(message.parameters);
    }
}

self.onmessage = (event: MessageEvent<ToJudge>) => {
    const message = event.data;
    if (message.kind === "start") {
        module = message.module;
        return;
    }
    const start = performance.now();
    let reply: FromJudge;
    try {
        const { ok, answer: bytes } = answer(message);
        reply = { id: message.id, ok, json: decoder.decode(bytes), seconds: (performance.now() - start) / 1000 };
    } catch (error) {
        // The instance may be in any state.
        instance = undefined;
        reply = { id: message.id, ok: false, json: JSON.stringify({ message: String(error) }), seconds: 0 };
    }
    self.postMessage(reply);
};
