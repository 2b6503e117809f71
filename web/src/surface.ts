// The play surface: the body as it moves, and the pointers on it.

import type { Mode, Touch } from "./gestures";
import { ActiveGesture, findGestures, MODES, pressureOf, type Gestures } from "./gestures";
import { heightMap, type Colour, type HeightMap } from "./height-map";
import { VIEW_COLUMNS, VIEW_ROWS, type SceneDescription, type Shown } from "./protocol";

/** Time in which the scale of the drawing falls to a third, so that a sound that fades stays visible [ms]. */
const SCALE_TIME = 600;
/** Passes in which a plate's tilt is found; each leaves about a hundredth of the error. */
const TILT_PASSES = 4;
/** How far the arrow keys move the place of the keyboard's strikes. */
const KEY_STEP = 0.05;

interface Parts {
    frame: HTMLElement;
    plate: HTMLCanvasElement;
    overlay: HTMLCanvasElement;
    modes: HTMLElement;
    strength: HTMLInputElement;
}

/** Colours of the theme. */
interface Theme {
    low: Colour;
    middle: Colour;
    high: Colour;
    ink: string;
    accent: string;
}

export class Surface {
    private readonly map: HeightMap;
    private gestures: Gestures = {};
    private shown: Shown | null = null;
    private mode: Mode = "strike";
    private scale = 1e-12;
    /** When it was drawn last [ms]. */
    private drawnAt = 0;
    private readonly active = new Map<number, { gesture: ActiveGesture; touch: Touch }>();
    /** Place of strikes by keys. */
    private cursor = { x: 0.3, y: 0.6 };
    private readonly heights = new Float32Array(VIEW_COLUMNS * VIEW_ROWS);

    constructor(
        private readonly parts: Parts,
        private readonly set: (target: number, value: number) => void,
        private readonly flush: () => void,
    ) {
        this.map = heightMap(parts.plate);
        const { frame } = parts;
        frame.addEventListener("pointerdown", (event) => this.down(event));
        frame.addEventListener("pointermove", (event) => this.moved(event));
        for (const kind of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
            frame.addEventListener(kind, (event) => this.up(event.pointerId));
        }
        frame.addEventListener("keydown", (event) => this.key(event));
        frame.addEventListener("keyup", (event) => this.keyUp(event));
        frame.addEventListener("blur", () => this.up(-1));
    }

    /** Shows another scene. */
    show(description: SceneDescription): void {
        const gestures = findGestures(description);
        // The same scene at another quality: what is held goes on.
        const isSame = JSON.stringify(gestures) === JSON.stringify(this.gestures);
        for (const [id, { gesture }] of [...this.active]) {
            if (isSame) gesture.sendAgain();
            else this.up(id);
        }
        this.gestures = gestures;
        this.shown = description.shown;
        this.scale = 1e-12;
        const { frame } = this.parts;
        const isPlate = this.shown?.is_plate ?? false;
        frame.classList.toggle("is-plate", isPlate);
        frame.style.setProperty("--aspect", String(isPlate ? Math.max(0.5, Math.min(2.5, this.shown?.aspect ?? 1)) : 2.2));
        const name = this.shown?.id ?? "the scene";
        frame.setAttribute("aria-label", `${name}: arrow keys move, Space strikes, presses or bows; 1 to 4 change the mode`);
        const modes = MODES.filter(({ mode }) => this.gestures[mode] !== undefined);
        if (this.gestures[this.mode] === undefined) this.mode = modes[0]?.mode ?? "strike";
        this.parts.modes.replaceChildren(...modes.map(({ mode, label, key }) => this.modeButton(mode, label, key)));
    }

    /** Draws displacements, and lets what is held go on. */
    draw(view: Float32Array, time: number): void {
        for (const { gesture } of this.active.values()) gesture.hold(time);
        const { shown } = this;
        const drawnPlate = shown?.is_plate === true && view.length === this.heights.length ? shown : undefined;
        const moving = drawnPlate === undefined ? view : withoutTilt(view, drawnPlate);
        const peak = moving.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        this.scale = Math.max(peak, this.scale * Math.exp((this.drawnAt - time) / SCALE_TIME), 1e-12);
        this.drawnAt = time;
        const theme = readTheme(this.parts.frame);
        const { plate, overlay } = this.parts;
        fit(plate);
        fit(overlay);
        const context = overlay.getContext("2d");
        if (context === null) return;
        context.clearRect(0, 0, overlay.width, overlay.height);
        if (drawnPlate !== undefined) {
            moving.forEach((value, index) => (this.heights[index] = value / this.scale));
            this.map.draw(this.heights, drawnPlate.is_round, theme);
        } else {
            this.drawLine(context, view, theme);
        }
        this.drawTouches(context, theme);
    }

    private drawLine(context: CanvasRenderingContext2D, view: Float32Array, theme: Theme): void {
        const { width, height } = context.canvas;
        context.lineWidth = height / 120;
        context.strokeStyle = theme.ink;
        context.beginPath();
        const count = Math.min(view.length, VIEW_COLUMNS);
        for (let column = 0; column < count; column++) {
            const x = (column / Math.max(count - 1, 1)) * width;
            const y = height / 2 - 0.4 * height * ((view[column] as number) / this.scale);
            if (column === 0) context.moveTo(x, y);
            else context.lineTo(x, y);
        }
        if (count === 0) {
            context.moveTo(0, height / 2);
            context.lineTo(width, height / 2);
        }
        context.stroke();
    }

    private drawTouches(context: CanvasRenderingContext2D, theme: Theme): void {
        const { width, height } = context.canvas;
        const circle = (x: number, y: number, radius: number, isFilled: boolean) => {
            context.beginPath();
            context.arc(x * width, (1 - y) * height, radius, 0, 2 * Math.PI);
            context.globalAlpha = isFilled ? 0.5 : 1;
            if (isFilled) context.fill();
            else context.stroke();
            context.globalAlpha = 1;
        };
        context.strokeStyle = context.fillStyle = theme.accent;
        context.lineWidth = height / 150;
        if (document.activeElement === this.parts.frame) circle(this.cursor.x, this.cursor.y, height / 40, false);
        for (const { touch } of this.active.values()) circle(touch.x, touch.y, height / 25, true);
    }

    private modeButton(mode: Mode, label: string, key: string): HTMLElement {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.title = `${label} (key ${key})`;
        button.dataset["mode"] = mode;
        button.setAttribute("aria-pressed", String(mode === this.mode));
        button.addEventListener("click", () => this.choose(mode));
        return button;
    }

    private choose(mode: Mode): void {
        if (this.gestures[mode] === undefined) return;
        this.mode = mode;
        for (const button of this.parts.modes.querySelectorAll("button")) {
            button.setAttribute("aria-pressed", String(button.dataset["mode"] === mode));
        }
    }

    private touchAt(event: PointerEvent): Touch {
        const box = this.parts.frame.getBoundingClientRect();
        const inside = (value: number) => Math.max(0, Math.min(1, value));
        const [x, y] = [inside((event.clientX - box.left) / box.width), inside(1 - (event.clientY - box.top) / box.height)];
        return { x, y, pressure: pressureOf(event), time: event.timeStamp };
    }

    private down(event: PointerEvent): void {
        event.preventDefault();
        this.parts.frame.focus();
        this.parts.frame.setPointerCapture(event.pointerId);
        // A second finger presses, whatever the first one does.
        const isSecond = this.active.size > 0 && this.gestures.press !== undefined;
        this.begin(event.pointerId, isSecond || event.button === 2 ? "press" : this.mode, this.touchAt(event));
    }

    private begin(id: number, mode: Mode, touch: Touch): void {
        const gesture = new ActiveGesture(this.gestures, mode, this.set, Number(this.parts.strength.value), touch);
        this.active.set(id, { gesture, touch });
        // At once: a strike must not wait for the next frame.
        this.flush();
    }

    private moved(event: PointerEvent): void {
        const active = this.active.get(event.pointerId);
        if (active === undefined) return;
        active.touch = this.touchAt(event);
        active.gesture.move(active.touch);
    }

    private up(id: number): void {
        this.active.get(id)?.gesture.end();
        if (this.active.delete(id)) this.flush();
    }

    private key(event: KeyboardEvent): void {
        const steps: Record<string, [number, number]> = {
            ArrowLeft: [-KEY_STEP, 0],
            ArrowRight: [KEY_STEP, 0],
            ArrowDown: [0, -KEY_STEP],
            ArrowUp: [0, KEY_STEP],
        };
        const step = steps[event.key];
        const chosen = MODES.find(({ key }) => key === event.key);
        if (step !== undefined) this.moveCursor(step, event.timeStamp);
        else if (chosen !== undefined) this.choose(chosen.mode);
        else if (event.key !== " ") return;
        else if (!event.repeat) this.begin(-1, this.mode, { ...this.cursor, pressure: undefined, time: event.timeStamp });
        event.preventDefault();
    }

    private keyUp(event: KeyboardEvent): void {
        if (event.key === " ") this.up(-1);
    }

    private moveCursor([dx, dy]: [number, number], time: number): void {
        const inside = (value: number) => Math.max(0, Math.min(1, value));
        this.cursor = { x: inside(this.cursor.x + dx), y: inside(this.cursor.y + dy) };
        this.active.get(-1)?.gesture.move({ ...this.cursor, pressure: undefined, time });
    }
}

/** Places from −1 to 1 of the nodes that rows or columns show. */
function nodePlaces(count: number, intervals: number): number[] {
    return Array.from({ length: count }, (_, index) => (2 * Math.round((index / (count - 1)) * intervals)) / intervals - 1);
}

/** A plate's displacements without what it does as a whole: a free plate drifts and tilts by more than it bends. */
export function withoutTilt(view: Float32Array, { is_round, intervals }: Pick<Shown, "is_round" | "intervals">): Float32Array {
    const [right, top] = [VIEW_COLUMNS - 1, VIEW_ROWS - 1];
    const at = (column: number, row: number) => view[row * VIEW_COLUMNS + column] as number;
    const isHeld = at(0, top >> 1) === 0 && at(right, top >> 1) === 0 && at(right >> 1, 0) === 0 && at(right >> 1, top) === 0;
    if (isHeld) return view;
    const [xs, ys] = [nodePlaces(VIEW_COLUMNS, intervals?.[0] ?? right), nodePlaces(VIEW_ROWS, intervals?.[1] ?? top)];
    const inside: [index: number, x: number, y: number][] = [];
    view.forEach((value, index) => {
        const [x, y] = [xs[index % VIEW_COLUMNS] as number, ys[Math.floor(index / VIEW_COLUMNS)] as number];
        if (!is_round || (x * x + y * y <= 1 && value !== 0)) inside.push([index, x, y]);
    });
    const bent = new Float32Array(view.length);
    for (const [index] of inside) bent[index] = view[index] as number;
    for (let pass = 0; pass < TILT_PASSES; pass++) removePlane(bent, inside);
    return bent;
}

/** Subtracts mean and slopes, each found as if the others were 0: nearly right, as the places are nearly symmetric about the middle. */
function removePlane(values: Float32Array, inside: readonly [index: number, x: number, y: number][]): void {
    const sums = { mean: 0, x: 0, y: 0, xx: 0, yy: 0 };
    for (const [index, x, y] of inside) {
        const value = values[index] as number;
        sums.mean += value;
        sums.x += value * x;
        sums.y += value * y;
        sums.xx += x * x;
        sums.yy += y * y;
    }
    for (const [index, x, y] of inside) {
        const plane = sums.mean / inside.length + (sums.x / sums.xx) * x + (sums.y / sums.yy) * y;
        values[index] = (values[index] as number) - plane;
    }
}

/** Gives a canvas the pixels of its place on the screen. */
export function fit(canvas: HTMLCanvasElement): void {
    const scale = Math.min(devicePixelRatio, 2);
    const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
}

function readTheme(element: HTMLElement): Theme {
    const style = getComputedStyle(element);
    const colour = (name: string): Colour => {
        const [r = 0, g = 0, b = 0] = style.getPropertyValue(name).split(" ").map((part) => Number(part) / 255);
        return [r, g, b];
    };
    const ink = style.color;
    const accent = style.getPropertyValue("--accent");
    return { low: colour("--low"), middle: colour("--middle"), high: colour("--high"), ink, accent };
}
