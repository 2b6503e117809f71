// Share of real time that every preset takes in Chromium: prints the table of docs/web.md.
//
// Other programs may share the processor: the time of the processor is measured, as Linux counts it.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { PercussModule } from "../../src/percuss-module";
import type { Preset } from "../../src/protocol";
import { Site } from "../browser/site";

const SECONDS = Number(process.env["MEASURED_SECONDS"] ?? 3);
const web = new URL("../../", import.meta.url).pathname;
const module = new WebAssembly.Module(readFileSync(join(web, "wasm/percuss.wasm")));
const presets = JSON.parse(new TextDecoder().decode(new PercussModule(module, 48_000, 2).presets())) as Preset[];
const asset = readdirSync(join(web, "dist/assets")).find((name) => name.endsWith(".gz"));

let site: Site;
beforeAll(async () => {
    site = await Site.open();
});
afterAll(() => site.close());

/** Processor time of all processes that a process started, directly or not [s]. */
function descendantsTime(ancestor: number): number {
    const parents = new Map<number, number>();
    const times = new Map<number, number>();
    for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            // After the name, which is in brackets: state, parent, …, user and system time in hundredths of a second.
            const fields = readFileSync(`/proc/${entry}/stat`, "latin1").replace(/^.*\) /s, "").split(" ").map(Number);
            parents.set(Number(entry), fields[1] as number);
            times.set(Number(entry), ((fields[11] as number) + (fields[12] as number)) / 100);
        } catch {
            // It ended meanwhile.
        }
    }
    const descends = (process: number): boolean => {
        const parent = parents.get(process);
        return parent !== undefined && (parent === ancestor || descends(parent));
    };
    return [...times].reduce((sum, [process, time]) => sum + (descends(process) ? time : 0), 0);
}

interface Loaded {
    play?: (seconds: number) => void;
}

/** Runs in the page: compiles a scene and leaves a function that plays it. */
async function load({ url, name, text, ledger }: { url: string; name: string; text: string; ledger: number }): Promise<void> {
    const [rate, frames] = [48_000, 128];
    const inflated = (await fetch(url)).body?.pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(inflated).arrayBuffer());
    const encoder = new TextEncoder();
    const [nameBytes, textBytes] = [encoder.encode(name), encoder.encode(text)];
    type Functions = Record<string, (...numbers: number[]) => number> & { memory: WebAssembly.Memory };
    const engine = new WebAssembly.Instance(module).exports as unknown as Functions;
    const call = (named: string, ...numbers: number[]) => engine[named]?.(...numbers) as number;
    const host = call("percuss_new", rate, 2);
    const place = call("percuss_input", host, nameBytes.length + textBytes.length);
    const room = new Uint8Array((engine.memory as WebAssembly.Memory).buffer, place);
    room.set(nameBytes);
    room.set(textBytes, nameBytes.length);
    call("percuss_load", host, nameBytes.length, Number.MAX_VALUE, 1, ledger);
    (window as Loaded).play = (seconds) => {
        for (let played = 0; played < seconds * rate; played += frames) call("percuss_process", host, frames);
    };
}

/** Share of real time of a preset, in processor time. The first half second, in which the browser optimises, does not count. */
async function share(page: Page, { name, text }: Preset, ledger: number): Promise<{ share: number; compiling: number }> {
    const url = `${site.address}assets/${asset}`;
    const start = descendantsTime(process.pid);
    await page.evaluate(load, { url, name, text, ledger });
    const compiled = descendantsTime(process.pid);
    await page.evaluate(() => (window as Loaded).play?.(0.5));
    const warm = descendantsTime(process.pid);
    await page.evaluate((seconds) => (window as Loaded).play?.(seconds), SECONDS);
    return { share: (descendantsTime(process.pid) - warm) / SECONDS, compiling: compiled - start };
}

test("shares of real time", async () => {
    // Without the page itself, whose displays take time.
    const page = await site.blank();
    const rows: string[] = [];
    const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
    for (const preset of presets) {
        const [without, with_] = [await share(page, preset, 0), await share(page, preset, 1)];
        const row = `| ${preset.name} | ${percent(without.share)} | ${percent(with_.share)} | ${without.compiling.toFixed(1)} s |`;
        console.log(row);
        rows.push(row);
    }
    const head = "| preset | share of real time | with the energy account | compiled in |\n|---|---|---|---|\n";
    mkdirSync(join(web, "test-output"), { recursive: true });
    writeFileSync(join(web, "test-output/presets.md"), `${head}${rows.join("\n")}\n`);
}, 1_800_000);
