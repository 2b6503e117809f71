// The page: what is on it and how its parts are joined.

import wasmUrl from "../wasm/percuss.wasm.gz?url";
import { firstQuality, LoadWatch, QUALITIES, type Quality } from "./adaptation";
import { Displays } from "./displays";
import { showMessages } from "./editor";
import { fillGallery, markPlaying } from "./gallery";
import { SceneChecker } from "./scene-checker";
import { Keyboard, listenToMidi } from "./keyboard";
import { Laboratory } from "./laboratory";
import { fillPanel } from "./panel";
import type { SceneDescription } from "./protocol";
import { fromFragment, LinkError, toFragment } from "./share";
import { Sound, type Status } from "./sound";
import { Surface } from "./surface";
import { wavFile } from "./wav";

/** Time between two readings of numbers and loads [ms]. */
const READING_TIME = 500;
/** An engine that breaks again within this time is not started again [ms]. */
const BREAK_TIME = 5000;
/** Largest file that is opened [bytes]. */
const MAX_FILE = 1 << 20;

/** The element with an id, which index.html has. */
function part<T extends HTMLElement = HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

/** A scene that plays. */
interface Playing {
    name: string;
    text: string;
    description: SceneDescription;
    quality: number;
}

class Page {
    readonly sound: Sound;
    /** The status that was read last, for tests. */
    status: Status | undefined;
    private readonly checker: SceneChecker;
    private readonly surface: Surface;
    private readonly displays: Displays;
    private readonly laboratory: Laboratory;
    private readonly watch = new LoadWatch();
    private playing: Playing | undefined;
    /** Rate of the device [Hz]. */
    private deviceRate = 48_000;
    /** Counts scenes that were chosen: an answer about an earlier one is too late. */
    private choice = 0;
    private brokenAt = -Infinity;
    private isChanging = false;
    private restarts = 0;

    constructor(module: WebAssembly.Module) {
        this.sound = new Sound(module);
        this.checker = new SceneChecker(module);
        const set = (target: number, value: number) => this.sound.set(target, value);
        const surfaceParts = {
            frame: part("surface"),
            plate: part<HTMLCanvasElement>("plate"),
            overlay: part<HTMLCanvasElement>("overlay"),
            modes: part("modes"),
            strength: part<HTMLInputElement>("strength"),
        };
        this.surface = new Surface(surfaceParts, set, () => this.sound.flush());
        this.displays = new Displays({
            waveform: part<HTMLCanvasElement>("waveform"),
            spectrogram: part<HTMLCanvasElement>("spectrogram"),
            energy: part("energy"),
            level: part<HTMLMeterElement>("level"),
            load: part<HTMLMeterElement>("load"),
            levelText: part("level-text"),
            loadText: part("load-text"),
        });
        const laboratoryParts = {
            form: part("impact-form"),
            canvas: part<HTMLCanvasElement>("impact"),
            table: part("impact-table"),
            message: part("impact-message"),
        };
        this.laboratory = new Laboratory(laboratoryParts, this.checker);
    }

    async start(): Promise<void> {
        const presets = await this.checker.presets();
        fillGallery(part("gallery"), presets, ({ name, text }) => void this.play(name, text));
        this.joinButtons();
        this.joinFiles();
        this.sound.onBroken = (reason) => void this.recover(reason);
        this.sound.onState = () => this.showResume();
        const draw = (time: number) => {
            this.drawFrame(time);
            requestAnimationFrame(draw);
        };
        requestAnimationFrame(draw);
        setInterval(() => this.read(), READING_TIME);
        addEventListener("hashchange", () => void this.openLink());
        await this.openLink();
        document.documentElement.dataset["ready"] = "true";
    }

    /** Plays a scene, if it can be played; says why if not, and goes on with the one before. */
    async play(name: string, text: string): Promise<void> {
        const choice = ++this.choice;
        part<HTMLTextAreaElement>("editor").value = text;
        part("title").textContent = `${name} …`;
        // In answer to the click, before anything is waited for: browsers ask for that.
        if (this.sound.sampleRate === 0) await this.startSound(1);
        const { description, cost } = await this.checker.describe(name, text, this.deviceRate, Number.MAX_VALUE);
        if (choice !== this.choice) return;
        this.showDescription(description);
        if (!description.is_playable) {
            part("title").textContent = this.playing?.description.title ?? "Choose a scene";
            return this.say(`${name} cannot be played: ${description.messages[0]?.text ?? ""}`);
        }
        await this.load({ name, text, description, quality: firstQuality(cost) });
    }

    /** Says something above all. */
    say(text: string): void {
        part("notice").textContent = text;
    }

    private async load(playing: Playing): Promise<void> {
        this.isChanging = true;
        const quality = QUALITIES[playing.quality] as Quality;
        if (this.sound.sampleRate !== this.deviceRate * quality.rateFactor) await this.startSound(quality.rateFactor);
        const { name, text, description } = playing;
        const maxRate = quality.oversamples ? Number.MAX_VALUE : this.sound.sampleRate;
        const order = { name, text, gain: description.gain, maxRate, hasLedger: quality.hasLedger };
        const loaded = await this.sound.load(order);
        this.isChanging = false;
        this.watch.restart();
        if (!loaded.is_playable) return this.say(`${name} cannot be played: ${loaded.messages[0]?.text ?? ""}`);
        this.playing = { ...playing, description: loaded };
        this.say(quality.notice);
        this.showScene(loaded, name);
    }

    private async startSound(rateFactor: number): Promise<void> {
        await this.sound.start(rateFactor === 1 ? undefined : this.deviceRate * rateFactor);
        if (rateFactor === 1) this.deviceRate = this.sound.sampleRate;
        this.restarts = 0;
        this.showResume();
    }

    private showDescription(description: SceneDescription): void {
        showMessages(part("messages"), part<HTMLTextAreaElement>("editor"), description.messages);
    }

    private showScene(description: SceneDescription, name: string): void {
        part("title").textContent = description.title;
        markPlaying(part("gallery"), name);
        this.surface.show(description);
        fillPanel(part("panel"), description, (target, value) => this.sound.set(target, value));
        for (const id of ["restart", "save-wav", "save-session"]) part<HTMLButtonElement>(id).disabled = false;
        part<HTMLInputElement>("volume").value = "1";
    }

    private showResume(): void {
        part("resume").hidden = this.sound.isRunning || this.sound.sampleRate === 0;
    }

    private drawFrame(time: number): void {
        if (this.sound.sampleRate === 0) return;
        this.status = this.sound.poll();
        const quality = QUALITIES[this.playing?.quality ?? 0] as Quality;
        if (this.status === undefined || !quality.hasDisplays) return;
        this.surface.draw(this.status.view, time);
        if (this.sound.analyser !== undefined) this.displays.drawSound(this.sound.analyser);
    }

    /** Reads numbers and load; also while the page is hidden and no frames are drawn. */
    private read(): void {
        if (document.hidden) this.status = this.sound.poll();
        if (this.status === undefined || this.playing === undefined) return;
        this.displays.writeNumbers(this.status);
        const restarts = this.status.nanResets + this.status.cutOuts;
        if (restarts > this.restarts) this.say("The scene ran away and was restarted.");
        this.restarts = restarts;
        const isLast = this.playing.quality === QUALITIES.length - 1;
        if (!this.isChanging && !document.hidden && this.watch.exceeds(this.status.load) && !isLast) {
            void this.load({ ...this.playing, quality: this.playing.quality + 1 });
        }
    }

    /** The engine trapped: makes another and plays the scene again, unless it breaks at once. */
    private async recover(reason: string): Promise<void> {
        const now = performance.now();
        const isRepeated = now - this.brokenAt < BREAK_TIME;
        this.brokenAt = now;
        const playing = this.playing;
        if (playing === undefined || isRepeated) return this.say(`The engine stopped: ${reason}. Choose another scene.`);
        await this.startSound((QUALITIES[playing.quality] as Quality).rateFactor);
        await this.load(playing);
        this.say(`The engine stopped (${reason}) and was started again.`);
    }

    private async openLink(): Promise<void> {
        try {
            const shared = await fromFragment(location.hash);
            if (shared === undefined) return;
            part<HTMLTextAreaElement>("editor").value = shared.text;
            part("title").textContent = shared.name;
            part("resume").hidden = false;
            part("resume").dataset["name"] = shared.name;
        } catch (error) {
            if (!(error instanceof LinkError)) throw error;
            this.say(error.message);
        }
    }

    private joinButtons(): void {
        const onClick = (id: string, action: () => unknown) => part(id).addEventListener("click", () => void action());
        const editor = part<HTMLTextAreaElement>("editor");
        onClick("play-text", () => this.play(this.playing?.name ?? "scene", editor.value));
        onClick("resume", () => {
            const shared = part("resume").dataset["name"];
            delete part("resume").dataset["name"];
            return shared === undefined ? this.sound.resume() : this.play(shared, editor.value);
        });
        const target = (name: string) => this.playing?.description.targets.findIndex((each) => each.name === name) ?? -1;
        onClick("restart", () => this.sound.set(target("restart"), 1));
        part("volume").addEventListener("input", (event) => {
            this.sound.set(target("volume"), Number((event.target as HTMLInputElement).value));
        });
        const keyboard = new Keyboard(part("keyboard"), (message) => this.sound.midi(message));
        onClick("octave-down", () => keyboard.shift(-1));
        onClick("octave-up", () => keyboard.shift(1));
        onClick("midi", async () => {
            part("midi-state").textContent = await listenToMidi((message) => this.sound.midi(message));
        });
        onClick("share", () => this.share(editor.value));
        onClick("save-wav", async () => {
            this.save(wavFile(await this.sound.recording(), this.sound.sampleRate, 2), "wav");
        });
        onClick("save-session", async () => this.save(new Blob([await this.sound.session()]), "session"));
        for (const button of document.querySelectorAll<HTMLElement>("nav button")) {
            button.addEventListener("click", () => this.showView(button.dataset["view"] ?? "play"));
        }
        document.addEventListener("visibilitychange", () => {
            if (!document.hidden) void this.sound.resume();
        });
        navigator.mediaDevices?.addEventListener("devicechange", () => void this.sound.resume());
    }

    private showView(view: string): void {
        (document.querySelector("main") as HTMLElement).dataset["view"] = view;
        for (const button of document.querySelectorAll<HTMLElement>("nav button")) {
            button.setAttribute("aria-pressed", String(button.dataset["view"] === view));
        }
        if (view === "laboratory") void this.laboratory.update();
    }

    private joinFiles(): void {
        const open = async (file: File | undefined) => {
            if (file === undefined) return;
            if (file.size > MAX_FILE) return this.say(`${file.name} has ${file.size} bytes, scenes have at most ${MAX_FILE}.`);
            await this.play(file.name, await file.text());
        };
        part("file").addEventListener("change", (event) => void open((event.target as HTMLInputElement).files?.[0]));
        addEventListener("dragover", (event) => event.preventDefault());
        addEventListener("drop", (event) => {
            event.preventDefault();
            void open(event.dataTransfer?.files[0]);
        });
    }

    private async share(text: string): Promise<void> {
        history.replaceState(null, "", await toFragment({ name: this.playing?.name ?? "scene", text }));
        try {
            await navigator.clipboard.writeText(location.href);
            this.say("The link is in the clipboard and in the address.");
        } catch {
            this.say("The link is in the address.");
        }
    }

    private save(file: Blob, extension: string): void {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(file);
        link.download = `${(this.playing?.name ?? "percuss").replace(/\.toml$/, "")}.${extension}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }
}

/** The module, which is compressed; some hosts name that as its encoding, and the browser has already inflated it. */
async function compileModule(): Promise<WebAssembly.Module> {
    const response = await fetch(wasmUrl);
    if (!response.ok) throw new Error(`percuss.wasm: ${response.status} ${response.statusText}`);
    const bytes = await response.arrayBuffer();
    const isCompressed = new Uint8Array(bytes)[0] === 0x1f;
    if (!isCompressed) return WebAssembly.compile(bytes);
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(inflated).arrayBuffer());
}

try {
    const page = new Page(await compileModule());
    // For tests, and for a look from the browser's console.
    Object.assign(window, { percuss: page });
    await page.start();
} catch (error) {
    part("notice").textContent = `percuss cannot run in this browser: ${String(error)}`;
}
