// From places on the body to the targets of the engine: strikes, hands, bows, water.

import type { SceneDescription, Target } from "./protocol";

/** Indices of the targets that set a place: one coordinate along strings and bars, two on plates; none where it is fixed. */
export type PlaceTargets = readonly number[];

export interface Gestures {
    strike?: { value: number; place: PlaceTargets };
    press?: { pressure: number; place: PlaceTargets };
    bow?: { force: number; velocity: number; place: PlaceTargets; largestForce: number };
    /** A level that is dragged: that of water. */
    water?: { level: number };
}

/** What a pointer does. */
export type Mode = keyof Gestures;

export const MODES: readonly { mode: Mode; label: string; key: string }[] = [
    { mode: "strike", label: "Strike", key: "1" },
    { mode: "press", label: "Press", key: "2" },
    { mode: "bow", label: "Bow", key: "3" },
    { mode: "water", label: "Water", key: "4" },
];

/** Velocity of a bow that crosses the body in one second [m/s]. */
export const BOW_SPEED = 0.3;
/** Share of the largest bow force that full pressure gives. */
const FORCE_SHARE = 0.3;
/** Time in which a hand without a pressure of its own presses fully [ms]. */
const DWELL = 500;

/** The gestures that a scene answers to. */
export function findGestures(description: SceneDescription): Gestures {
    const { targets, shown } = description;
    const index = (name: string) => targets.findIndex((target) => target.name === name);
    const place = (base: string): PlaceTargets => {
        const along = index(`${base}.position`);
        return along >= 0 ? [along] : [index(`${base}.x`), index(`${base}.y`)].filter((found) => found >= 0);
    };
    const first = (accepts: (target: Target) => boolean, own: string) => {
        const found = index(own);
        return found >= 0 ? found : targets.findIndex(accepts);
    };
    const base = (target: number) => (targets[target] as Target).name.replace(/\.[^.]*$/, "");
    const gestures: Gestures = {};
    const strike = first((target) => target.kind === "strike", `${shown?.id}.strike`);
    if (strike >= 0) gestures.strike = { value: strike, place: place((targets[strike] as Target).name) };
    const pressure = first((target) => target.name.endsWith(".pressure"), `${shown?.id}.hand.pressure`);
    if (pressure >= 0) gestures.press = { pressure, place: place(base(pressure)) };
    const isBow = (target: Target) => target.name.endsWith(".force") && index(target.name.replace(/force$/, "velocity")) >= 0;
    const force = targets.findIndex(isBow);
    if (force >= 0) {
        const largestForce = FORCE_SHARE * (targets[force] as Target).range[1];
        gestures.bow = { force, velocity: index(`${base(force)}.velocity`), place: place(base(force)), largestForce };
    }
    const level = targets.findIndex((target) => target.name.endsWith(".level"));
    if (level >= 0) gestures.water = { level };
    return gestures;
}

/** A pointer on the body: place from 0 to 1, pressure from 0 to 1 where the device has one. */
export interface Touch {
    x: number;
    y: number;
    pressure: number | undefined;
    /** Milliseconds. */
    time: number;
}

/** The pressure of an event; undefined where the device has none: then browsers report 0.5, or 0. */
export function pressureOf(event: Pick<PointerEvent, "pressure" | "pointerType">): number | undefined {
    const isMeasured = event.pointerType !== "mouse" && event.pressure !== 0 && event.pressure !== 0.5;
    return isMeasured ? event.pressure : undefined;
}

type Set = (target: number, value: number) => void;

/** A gesture from when a pointer goes down until it goes up. */
export class ActiveGesture {
    private last: Touch;
    private readonly began: number;

    constructor(
        private readonly gestures: Gestures,
        readonly mode: Mode,
        private readonly set: Set,
        private readonly strength: number,
        touch: Touch,
    ) {
        this.last = touch;
        this.began = touch.time;
        this.moveTo(touch);
        // After the place.
        if (mode === "strike" && gestures.strike !== undefined) set(gestures.strike.value, touch.pressure ?? strength);
    }

    move(touch: Touch): void {
        this.moveTo(touch);
        const { bow } = this.gestures;
        if (this.mode === "bow" && bow !== undefined) {
            const seconds = Math.max(touch.time - this.last.time, 1) / 1000;
            // Along a string the bow goes up and down, on a plate anywhere; its sign is that of the larger part.
            const [dx, dy] = [touch.x - this.last.x, touch.y - this.last.y];
            const speed = (Math.hypot(dx, dy) / seconds) * Math.sign(Math.abs(dx) > Math.abs(dy) ? dx : dy);
            this.set(bow.velocity, BOW_SPEED * Math.max(-4, Math.min(4, speed)));
        }
        this.last = touch;
    }

    /** What changes while a pointer rests: hands press more, a bow stops. */
    hold(time: number): void {
        const dwell = Math.min((time - this.began) / DWELL, 1);
        const pressure = this.last.pressure ?? dwell;
        const { press, bow } = this.gestures;
        if (this.mode === "press" && press !== undefined) this.set(press.pressure, pressure);
        if (this.mode === "bow" && bow !== undefined) {
            this.set(bow.force, bow.largestForce * (this.last.pressure ?? dwell * this.strength));
            if (time - this.last.time > 100) this.set(bow.velocity, 0);
        }
    }

    end(): void {
        const { press, bow } = this.gestures;
        if (this.mode === "press" && press !== undefined) this.set(press.pressure, 0);
        if (this.mode === "bow" && bow !== undefined) this.set(bow.force, 0);
    }

    private moveTo(touch: Touch): void {
        const { strike, press, bow, water } = this.gestures;
        const place = { strike: strike?.place, press: press?.place, bow: bow?.place, water: undefined }[this.mode];
        const at = [touch.x, touch.y];
        place?.forEach((target, axis) => this.set(target, at[axis] as number));
        if (this.mode === "water" && water !== undefined) this.set(water.level, touch.y);
    }
}
