// Share of real time that every preset takes in Chromium: prints the table of docs/web.md.
//
// Other programs may share the processor, so that single times are too long: of every half second the median counts.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { PercussModule } from "../../src/percuss-module";
import type { Preset } from "../../src/protocol";
import { Site } from "../browser/site";

const SECONDS = Number(process.env["SECONDS"] ?? 3);
const web = new URL("../../", import.meta.url).pathname;
const module = new WebAssembly.Module(readFileSync(join(web, "wasm/percuss.wasm")));
const presets = JSON.parse(new TextDecoder().decode(new PercussModule(module, 48_000, 2).presets())) as Preset[];
const asset = readdirSync(join(web, "dist/assets")).find((name) => name.endsWith(".gz"));

let site: Site;
beforeAll(async () => {
    site = await Site.open();
});
afterAll(() => site.close());

/** Runs in the page: shares of real time without and with the energy account, and the time to compile [s]. */
async function measure({ url, name, text, seconds }: { url: string; name: string; text: string; seconds: number }) {
    // Short pieces, most of which no other program interrupts.
    const [rate, frames, window] = [48_000, 256, 95];
    const inflated = (await fetch(url)).body?.pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(inflated).arrayBuffer());
    const encoder = new TextEncoder();
    const [nameBytes, textBytes] = [encoder.encode(name), encoder.encode(text)];
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number;
    const run = (ledger: number) => {
        const engine = new WebAssembly.Instance(module).exports as any;
        const host = engine.percuss_new(rate, 2);
        const place = engine.percuss_input(host, nameBytes.length + textBytes.length);
        const room = new Uint8Array(engine.memory.buffer, place);
        room.set(nameBytes);
        room.set(textBytes, nameBytes.length);
        const start = performance.now();
        engine.percuss_load(host, nameBytes.length, Number.MAX_VALUE, 1, ledger);
        const compiling = performance.now() - start;
        const medians: number[] = [];
        for (let times: number[] = [], played = 0; played < seconds * rate; played += frames) {
            const before = performance.now();
            engine.percuss_process(host, frames);
            times.push(performance.now() - before);
            if (times.length === window) {
                engine.percuss_poll(host);
                medians.push(median(times));
                times = [];
            }
        }
        const mean = medians.reduce((sum, value) => sum + value, 0) / medians.length;
        return { share: (mean * rate) / (1000 * frames), compiling: compiling / 1000 };
    };
    return { without: run(0), with: run(1) };
}

test("shares of real time", async () => {
    const page = await site.page();
    const rows: string[] = [];
    const percent = (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
    for (const { name, text } of presets) {
        const found = await page.evaluate(measure, { url: `${site.address}assets/${asset}`, name, text, seconds: SECONDS });
        const row = `| ${name} | ${percent(found.without.share)} | ${percent(found.with.share)} | ${found.without.compiling.toFixed(2)} s |`;
        console.log(row);
        rows.push(row);
    }
    const head = "| preset | share of real time | with the energy account | compiled in |\n|---|---|---|---|\n";
    mkdirSync(join(web, "test-output"), { recursive: true });
    writeFileSync(join(web, "test-output/presets.md"), `${head}${rows.join("\n")}\n`);
}, 1_800_000);
