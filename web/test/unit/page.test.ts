// Parts of the page that need no browser.

import { describe, expect, test } from "vitest";
import { firstQuality, LoadWatch, QUALITIES } from "../../src/adaptation";
import { withPrefix } from "../../src/displays";
import { offsetOf } from "../../src/editor";
import { ActiveGesture, findGestures, pressureOf } from "../../src/gestures";
import { countElements } from "../../src/gallery";
import { keyName } from "../../src/keyboard";
import type { SceneDescription, Target } from "../../src/protocol";
import { fromFragment, LinkError, toFragment } from "../../src/share";
import { withoutTilt } from "../../src/surface";
import { wavFile } from "../../src/wav";

describe("links", () => {
    test("restore name and text, also with other alphabets", async () => {
        for (const text of ["", "[scene]\nname = \"µ\"\n", "ß漢字🎵\n".repeat(5000)]) {
            const fragment = await toFragment({ name: "Gong 漢", text });
            expect(fragment).toMatch(/^#v1=[\w-]*\.[\w-]+$/);
            expect(await fromFragment(fragment)).toEqual({ name: "Gong 漢", text });
        }
        expect(await fromFragment("")).toBeUndefined();
        expect(await fromFragment("#")).toBeUndefined();
    });

    test("that cannot be read say why", async () => {
        const good = await toFragment({ name: "a", text: "[scene]\n".repeat(100) });
        for (const [fragment, reason] of [
            ["#v2=" + good.slice(4), /version "v2"/],
            ["#" + "a".repeat(10_000_000), /at most 300000/],
            [good.slice(0, -6), /damaged/],
            ["#v1=%%%.???", /damaged/],
            ["#v1=YQ", /damaged/],
            [await toFragment({ name: "bomb", text: "a".repeat(5_000_000) }), /more than 1048576 bytes/],
        ] as const) {
            const error = await fromFragment(fragment).catch((reason: unknown) => reason);
            expect(error).toBeInstanceOf(LinkError);
            expect((error as Error).message).toMatch(reason);
        }
    });
});

describe("adaptation", () => {
    test("starts worse for dearer scenes, and each step leaves out more", () => {
        expect([0.01, 0.5, 1.5, 9].map(firstQuality)).toEqual([...new Set([0.01, 0.5, 1.5, 9].map(firstQuality))].sort());
        for (let i = 1; i < QUALITIES.length; i++) {
            const [better, worse] = [QUALITIES[i - 1], QUALITIES[i]];
            for (const key of ["hasLedger", "rateFactor", "oversamples", "hasDisplays"] as const) {
                expect(Number(worse?.[key])).toBeLessThanOrEqual(Number(better?.[key]));
            }
            expect(worse?.notice).not.toBe("");
        }
    });

    test("ignores one slow moment and answers to several", () => {
        const watch = new LoadWatch();
        expect([2, 0.1, 2, 2, 0.5].some((load) => watch.exceeds(load))).toBe(false);
        expect([1, 1, 1].map((load) => watch.exceeds(load))).toEqual([false, false, true]);
    });
});

function target(name: string, kind: Target["kind"] = "parameter"): Target {
    return { name, unit: "", range: [0, 10], initial: 0, kind };
}

const scene: SceneDescription = {
    title: "",
    is_playable: true,
    messages: [],
    gain: 1,
    voices: 1,
    nodes: 1,
    targets: [
        target("damper.pressure"),
        target("gong.strike", "strike"),
        target("gong.strike.x"),
        target("gong.strike.y"),
        target("gong.hand.x"),
        target("gong.hand.y"),
        target("gong.hand.pressure"),
        target("bow.force"),
        target("bow.velocity"),
        target("bow.position"),
        target("drive.1.force"),
    ],
    shown: { id: "gong", is_plate: true, is_round: true, aspect: 1, intervals: [30, 30] },
};

describe("gestures", () => {
    const gestures = findGestures(scene);

    test("find the targets of the element that is drawn", () => {
        expect(gestures).toEqual({
            strike: { value: 1, place: [2, 3], hardest: 10 },
            press: { pressure: 6, place: [4, 5] },
            bow: { force: 7, velocity: 8, place: [9], largestForce: 7.5 },
        });
        expect(findGestures({ ...scene, targets: [], shown: null })).toEqual({});
    });

    test("strike once at their place, after it is set", () => {
        const sent: [number, number][] = [];
        const gesture = new ActiveGesture(gestures, "strike", (...each) => sent.push(each), 0.5, touch(0.2, 0.7, 0));
        expect(sent).toEqual([[2, 0.2], [3, 0.7], [1, 5]]);
        gesture.move(touch(0.3, 0.7, 10));
        gesture.end();
        expect(sent.filter(([index]) => index === 1)).toHaveLength(1);
    });

    test("press with the pointer's pressure, else the longer the more, and let go", () => {
        for (const [pressure, expected] of [[0.3, 0.3], [undefined, 1]] as const) {
            const last = new Map<number, number>();
            const gesture = new ActiveGesture(gestures, "press", (...[t, v]) => last.set(t, v), 0.5, { ...touch(0.5, 0.5, 0), pressure });
            gesture.hold(2000);
            expect(last.get(6)).toBe(expected);
            gesture.end();
            expect(last.get(6)).toBe(0);
        }
    });

    test("bow as fast as the pointer, and stop with it", () => {
        const last = new Map<number, number>();
        const gesture = new ActiveGesture(gestures, "bow", (...[t, v]) => last.set(t, v), 0.5, touch(0.1, 0.5, 0));
        gesture.move(touch(0.15, 0.5, 50));
        gesture.move(touch(0.2, 0.5, 100));
        expect(last.get(8)).toBeCloseTo(0.6, 10);
        gesture.hold(600);
        expect([last.get(8), last.get(7)]).toEqual([0, 7.5 * 0.5]);
        gesture.end();
        expect(last.get(7)).toBe(0);
    });

    test("know which devices measure pressure", () => {
        expect(pressureOf({ pressure: 0.5, pointerType: "mouse" })).toBeUndefined();
        expect(pressureOf({ pressure: 0.5, pointerType: "touch" })).toBeUndefined();
        expect(pressureOf({ pressure: 0.31, pointerType: "pen" })).toBe(0.31);
    });
});

function touch(x: number, y: number, time: number) {
    return { x, y, pressure: undefined, time };
}

test("places in a text are lines and columns of characters", () => {
    const text = "a\nµb🎵c\nd";
    expect([[1, 1], [2, 3], [2, 4], [3, 1], [99, 99]].map((place) => text[offsetOf(text, place as [number, number])])).toEqual([
        "a", text[4], "c", "d", undefined,
    ]);
});

test("values get the prefix of their size", () => {
    expect([2.566e-9, 0.5, 1234, 0, NaN].map((value) => withPrefix(value, "J"))).toEqual(["2.57 nJ", "500 mJ", "1.23 kJ", "0 J", "–"]);
});

test("pictures count elements", () => {
    const counts = countElements('[[string]]\nid="a"\n[[string]]\n[[mass]]\n[[pickup]]\n# [[bar]]\n');
    expect([...counts].filter(([, count]) => count > 0)).toEqual([["string", 2], ["mass", 1]]);
});

test("keys have their names", () => {
    expect([60, 69, 61].map(keyName)).toEqual(["C4", "A4", "C♯4"]);
});

test("sound files have the sizes of their samples", async () => {
    const file = wavFile(new Uint8Array(16), 48_000, 2);
    const view = new DataView(await file.arrayBuffer());
    expect([file.size, view.getUint32(4, true), view.getUint32(40, true), view.getUint32(24, true)]).toEqual([60, 52, 16, 48_000]);
});

test("a plate is drawn without tilt if it is free, as it is if it is held", () => {
    const [columns, rows] = [64, 24];
    // On a grid coarser than the view, several rows and columns show the same node.
    const node = (index: number, count: number, intervals: number) => Math.round((index / (count - 1)) * intervals) / intervals;
    const planeOn = ([nx, ny]: [number, number]) =>
        Float32Array.from({ length: columns * rows }, (_, i) => {
            return 3 + 20 * node(i % columns, columns, nx) - 7 * node(Math.floor(i / columns), rows, ny);
        });
    for (const is_round of [false, true]) {
        for (const intervals of [[19, 17], [40, 30], [200, 100]] as [number, number][]) {
            const flat = withoutTilt(planeOn(intervals), { is_round, intervals });
            expect(Math.max(...flat.map(Math.abs)), `${intervals} ${is_round}`).toBeLessThan(1e-4);
        }
    }
    const plane = planeOn([63, 23]);
    const held = plane.map((value, i) => {
        const [column, row] = [i % columns, Math.floor(i / columns)];
        return column * (columns - 1 - column) * row * (rows - 1 - row) === 0 ? 0 : value;
    });
    expect(withoutTilt(held, { is_round: false, intervals: [63, 23] })).toEqual(held);
});
