// A server for the built page, and Chromium.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";

const DIST = new URL("../../dist/", import.meta.url).pathname;
const TYPES: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".wasm": "application/wasm",
};
/** Without sound device, graphics card and calls home. */
const FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
];

export const chromiumPath = process.env["CHROMIUM"] || "/usr/bin/chromium";

function serve(): Promise<Server> {
    const server = createServer((request, response) => {
        const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
        const file = join(DIST, path === "/" ? "index.html" : path);
        if (!file.startsWith(DIST) || !existsSync(file)) {
            response.writeHead(404, { "Content-Type": "text/plain" }).end("there is no such file");
            return;
        }
        response.writeHead(200, {
            "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
            // Isolated pages have fine clocks, which measurements need.
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Embedder-Policy": "require-corp",
        });
        response.end(readFileSync(file));
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** A browser with the page's address, and everything that its console reported as an error. */
export class Site {
    readonly errors: string[] = [];
    /** Requests to other hosts, of which there must be none. */
    readonly outside: string[] = [];

    private constructor(
        private readonly server: Server,
        private readonly folder: string,
        private readonly browser: BrowserContext,
        readonly address: string,
    ) {}

    static async open(): Promise<Site> {
        if (!existsSync(join(DIST, "index.html"))) throw new Error("web/dist is missing: run npm run build");
        const server = await serve();
        const folder = mkdtempSync(join(tmpdir(), "percuss-chromium-"));
        const options = { executablePath: chromiumPath, args: FLAGS, headless: true, acceptDownloads: true };
        const browser = await chromium.launchPersistentContext(folder, options);
        const port = (server.address() as { port: number }).port;
        return new Site(server, folder, browser, `http://127.0.0.1:${port}/`);
    }

    /** The page, ready to play. */
    async page(fragment = "", size = { width: 1440, height: 900 }): Promise<Page> {
        const page = await this.browser.newPage();
        await page.setViewportSize(size);
        page.on("console", (message) => {
            if (message.type() === "error") this.errors.push(message.text());
        });
        page.on("pageerror", (error) => this.errors.push(String(error)));
        page.on("request", (request) => {
            const isOwn = request.url().startsWith(this.address) || /^(data|blob):/.test(request.url());
            if (!isOwn) this.outside.push(request.url());
        });
        await page.goto(this.address + fragment);
        await page.waitForSelector("html[data-ready]");
        return page;
    }

    /** A document of the same host without the page. */
    async blank(): Promise<Page> {
        const page = await this.browser.newPage();
        await page.goto(`${this.address}none`);
        return page;
    }

    async close(): Promise<void> {
        await this.browser.close();
        await new Promise((resolve) => this.server.close(resolve));
        rmSync(this.folder, { recursive: true, force: true });
    }
}

/** Plays a preset by a click on it and waits until it sounds. */
export async function playPreset(page: Page, name: string): Promise<void> {
    await page.click(`[data-preset="${name}"]`);
    await page.waitForFunction(
        (wanted) => document.querySelector(`[data-preset="${wanted}"]`)?.hasAttribute("aria-current"),
        name,
        { timeout: 60_000 },
    );
}
