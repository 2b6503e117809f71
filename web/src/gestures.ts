// From places on the body to the targets of the engine: strikes, hands, bows, water.

import type { SceneDescription, Target } from "./protocol";

/** Indices of the targets that set a place: one coordinate along strings and bars, two on plates; none where it is fixed. */
export type PlaceTargets = readonly number[];

export interface Gestures {
    strike?: { value: number; place: PlaceTargets; hardest: number };
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
export const BOW_SPEED = 0.6;
/** Time over which the speed of a bow is taken [ms]: screens and hands jerk. */
const BOW_WINDOW = 150;
/** Share of the largest bow force that full pressure gives. */
const FORCE_SHARE = 0.75;
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
    if (strike >= 0) {
        const { name, range } = targets[strike] as Target;
        // Mallets strike at a speed, others with a fraction.
        gestures.strike = { value: strike, place: place(name), hardest: range[1] };
    }
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
    /** Touches of the last moments, the newest last. */
    private trail: Touch[];
    private readonly began: number;
    /** Values that were set last: what stays is not sent again. */
    private readonly sent = new Map<number, number>();

    constructor(
        private readonly gestures: Gestures,
        readonly mode: Mode,
        private readonly set: Set,
        private readonly strength: number,
        touch: Touch,
    ) {
        this.trail = [touch];
        this.began = touch.time;
        this.moveTo(touch);
        // After the place.
        const { strike } = gestures;
        if (mode === "strike" && strike !== undefined) set(strike.value, strike.hardest * (touch.pressure ?? strength));
    }

    move(touch: Touch): void {
        this.moveTo(touch);
        this.trail.push(touch);
        this.hold(touch.time);
    }

    /** What changes also while a pointer rests: hands press more, a bow stops. */
    hold(time: number): void {
        const dwell = Math.min((time - this.began) / DWELL, 1);
        const measured = this.trail.at(-1)?.pressure;
        const pressure = measured ?? dwell;
        const { press, bow } = this.gestures;
        if (this.mode === "press" && press !== undefined) this.change(press.pressure, pressure);
        if (this.mode === "bow" && bow !== undefined) {
            this.change(bow.force, bow.largestForce * (measured ?? dwell * this.strength));
            this.setBowVelocity(time);
        }
    }

    /** The engine has forgotten what was set. */
    sendAgain(): void {
        this.sent.clear();
        this.moveTo(this.trail.at(-1) as Touch);
    }

    end(): void {
        const { press, bow } = this.gestures;
        if (this.mode === "press" && press !== undefined) this.change(press.pressure, 0);
        if (this.mode === "bow" && bow !== undefined) this.change(bow.force, 0);
    }

    /** The speed of the last moments; 0 for a pointer that rests. */
    private setBowVelocity(time: number): void {
        const { bow } = this.gestures;
        if (this.mode !== "bow" || bow === undefined) return;
        const newest = this.trail.at(-1) as Touch;
        this.trail = this.trail.filter((touch) => touch === newest || time - touch.time <= BOW_WINDOW);
        const oldest = this.trail[0] as Touch;
        const seconds = Math.max(time - oldest.time, 1) / 1000;
        // Along a string the bow goes up and down, on a plate anywhere; its sign is that of the larger part.
        const [dx, dy] = [newest.x - oldest.x, newest.y - oldest.y];
        const speed = (Math.hypot(dx, dy) / seconds) * Math.sign(Math.abs(dx) > Math.abs(dy) ? dx : dy);
        this.change(bow.velocity, BOW_SPEED * Math.max(-4, Math.min(4, speed)));
    }

    private change(target: number, value: number): void {
        if (this.sent.get(target) !== value) this.set(target, value);
        this.sent.set(target, value);
    }

    private moveTo(touch: Touch): void {
        const { strike, press, bow, water } = this.gestures;
        const place = { strike: strike?.place, press: press?.place, bow: bow?.place, water: undefined }[this.mode];
        const at = [touch.x, touch.y];
        place?.forEach((target, axis) => this.change(target, at[axis] as number));
        if (this.mode === "water" && water !== undefined) this.change(water.level, touch.y);
    }
}
