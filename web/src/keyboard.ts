// Notes from the computer's keys, a keyboard on the screen and Web MIDI.

/** Keys of the computer from a C on, as on a piano. */
const COMPUTER_KEYS = ["a", "w", "s", "e", "d", "f", "t", "g", "y", "h", "u", "j", "k", "o", "l", "p"];
const NAMES = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];
const KEY_COUNT = 25;
const VELOCITY = 90;
const [NOTE_ON, NOTE_OFF] = [0x90, 0x80];

type Send = (message: readonly number[]) => void;

/** Name of a key number, as in C♯4. */
export function keyName(key: number): string {
    return `${NAMES[key % 12] ?? ""}${Math.floor(key / 12) - 1}`;
}

export class Keyboard {
    private lowest = 48;
    private readonly down = new Set<number>();

    constructor(
        private readonly row: HTMLElement,
        private readonly send: Send,
    ) {
        this.fill();
        document.addEventListener("keydown", (event) => this.computerKey(event, true));
        document.addEventListener("keyup", (event) => this.computerKey(event, false));
        window.addEventListener("blur", () => this.releaseAll());
    }

    /** Moves the keys by octaves. */
    shift(octaves: number): void {
        this.releaseAll();
        this.lowest = Math.max(0, Math.min(96, this.lowest + 12 * octaves));
        this.fill();
    }

    private fill(): void {
        const keys = Array.from({ length: KEY_COUNT }, (_, index) => this.keyButton(this.lowest + index));
        this.row.replaceChildren(...keys);
    }

    private keyButton(key: number): HTMLElement {
        const button = document.createElement("button");
        button.type = "button";
        button.className = keyName(key).includes("♯") ? "black" : "white";
        button.dataset["key"] = String(key);
        button.setAttribute("aria-label", keyName(key));
        const computerKey = COMPUTER_KEYS[key - this.lowest - 0];
        button.textContent = computerKey ?? "";
        button.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            button.setPointerCapture(event.pointerId);
            this.press(key, true);
        });
        for (const kind of ["pointerup", "pointercancel"] as const) button.addEventListener(kind, () => this.press(key, false));
        button.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && !event.repeat) this.press(key, true);
        });
        button.addEventListener("keyup", (event) => {
            if (event.key === "Enter") this.press(key, false);
        });
        return button;
    }

    private computerKey(event: KeyboardEvent, isDown: boolean): void {
        const isTyping = event.target instanceof Element && event.target.closest("textarea, input, select, [contenteditable]");
        const index = COMPUTER_KEYS.indexOf(event.key.toLowerCase());
        if (isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey || index < 0) return;
        this.press(this.lowest + index, isDown);
    }

    private press(key: number, isDown: boolean): void {
        if (this.down.has(key) === isDown || key > 127) return;
        if (isDown) this.down.add(key);
        else this.down.delete(key);
        this.send([isDown ? NOTE_ON : NOTE_OFF, key, isDown ? VELOCITY : 0]);
        this.row.querySelector(`[data-key="${key}"]`)?.classList.toggle("is-down", isDown);
    }

    private releaseAll(): void {
        for (const key of [...this.down]) this.press(key, false);
    }
}

/** Listens to all MIDI inputs, also to those that come later. Returns what to say of it. */
export async function listenToMidi(send: Send): Promise<string> {
    if (navigator.requestMIDIAccess === undefined) return "This browser has no Web MIDI.";
    try {
        const access = await navigator.requestMIDIAccess();
        const listen = () => {
            for (const input of access.inputs.values()) {
                input.onmidimessage = (event) => {
                    if (event.data !== null && event.data.length <= 3) send([...event.data]);
                };
            }
        };
        listen();
        access.onstatechange = listen;
        return access.inputs.size === 0 ? "Waiting for a MIDI device." : `Listening to ${access.inputs.size} MIDI inputs.`;
    } catch {
        return "The browser did not allow MIDI.";
    }
}
