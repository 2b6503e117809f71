// Messages between the page, the audio worklet and the worker that checks scenes.

import { STATUS_LENGTH } from "./percuss-module";

/** Columns of displacements. */
export const VIEW_COLUMNS = 64;
/** Most rows of displacements. */
export const VIEW_ROWS = 24;
/** Size of a buffer with a status and displacements [bytes]. */
export const STATUS_BYTES = STATUS_LENGTH * 8 + VIEW_COLUMNS * VIEW_ROWS * 4;

/** A message about a scene. */
export interface SceneMessage {
    is_error: boolean;
    place: [number, number] | null;
    message: string;
    hint: string | null;
    text: string;
}

export interface Target {
    name: string;
    unit: string;
    range: [number, number];
    initial: number;
    kind: "parameter" | "strike" | "image" | "gain" | "restart";
}

/** The element that is drawn. */
export interface Shown {
    id: string;
    is_plate: boolean;
    is_round: boolean;
    aspect: number;
    /** Intervals of a plate's grid: rows and columns of the view are the nearest nodes. */
    intervals: [number, number] | null;
}

export interface SceneDescription {
    title: string;
    is_playable: boolean;
    messages: SceneMessage[];
    gain: number;
    voices: number;
    nodes: number;
    targets: Target[];
    shown: Shown | null;
}

export interface Preset {
    name: string;
    summary: string;
    text: string;
}

export interface ImpactRun {
    name: string;
    compression: number[];
    force: number[];
    exit_velocity: number | null;
}

/** Page to worklet. Questions with an id are answered. */
export type ToWorklet =
    | { kind: "load"; id: number; name: Uint8Array; text: Uint8Array; maxRate: number; gain: number; hasLedger: boolean }
    | { kind: "controls"; pairs: Float64Array }
    | { kind: "midi"; message: readonly number[] }
    | { kind: "poll"; buffer: ArrayBuffer }
    | { kind: "session"; id: number }
    | { kind: "recording"; id: number }
    | { kind: "break" };

/** Worklet to page. */
export type FromWorklet =
    | { kind: "answer"; id: number; ok: boolean; bytes: Uint8Array<ArrayBuffer> }
    | { kind: "status"; buffer: ArrayBuffer; viewLength: number; load: number }
    | { kind: "broken"; reason: string };

/** Page to the worker that checks scenes. */
export type ToChecker =
    | { kind: "start"; module: WebAssembly.Module }
    | { kind: "presets"; id: number }
    | { kind: "describe"; id: number; name: string; text: string; rate: number; maxRate: number }
    | { kind: "impact"; id: number; parameters: [number, number, number, number, number, number] };

/** Answer of that worker; `cost` is the share of real time that a scene took on trial. */
export interface FromChecker {
    id: number;
    ok: boolean;
    json: string;
    cost: number;
}
