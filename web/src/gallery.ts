// The presets, each with a picture of what is in it.

import type { Preset } from "./protocol";

const SVG = "http://www.w3.org/2000/svg";
/** Tables of elements, in the order in which they are drawn. */
const KINDS = ["plate", "membrane", "barrier", "string", "bar", "modal", "mass", "mallet"] as const;
type Kind = (typeof KINDS)[number];
/** Most elements of a kind that a picture shows. */
const MOST = 6;

/** How often each kind of element is in a scene's text. */
export function countElements(text: string): Map<Kind, number> {
    const tables = [...text.matchAll(/^\[\[(\w+)\]\]/gm)].map((found) => found[1]);
    return new Map(KINDS.map((kind) => [kind, tables.filter((table) => table === kind).length]));
}

function shape(name: string, attributes: Record<string, number>): SVGElement {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
}

/** The shape of an element: the index-th of count. */
function drawing(kind: Kind, index: number, count: number, isRound: boolean): SVGElement {
    const y = 10 + (36 * (index + 1)) / (count + 1);
    const x = 8 + (64 * (index + 1)) / (count + 1);
    switch (kind) {
        case "plate":
        case "membrane":
            return isRound
                ? shape("ellipse", { cx: 40, cy: 28, rx: 30 - 6 * index, ry: 20 - 4 * index })
                : shape("rect", { x: 12 + 4 * index, y: 10 + 4 * index, width: 56, height: 36 });
        case "barrier":
            return shape("rect", { x: 4, y: 50 - 3 * index, width: 72, height: 3 });
        case "string":
            return shape("line", { x1: 4, x2: 76, y1: y, y2: y });
        case "bar":
            return shape("rect", { x: 10, y: y - 2.5, width: 60, height: 5, rx: 1 });
        case "modal":
            return shape("ellipse", { cx: x, cy: 28, rx: 26 / count + 4, ry: 16 });
        case "mass":
        case "mallet":
            return shape("circle", { cx: x, cy: 18, r: kind === "mass" ? 4 : 5.5 });
    }
}

/** A picture of a scene: its elements. */
export function picture(text: string): SVGElement {
    const svg = shape("svg", {});
    svg.setAttribute("viewBox", "0 0 80 56");
    svg.setAttribute("aria-hidden", "true");
    const isRound = /^(outline|shape)\s*=\s*"(disc|round|circle)"|^(diameter|radius)\s*=/m.test(text);
    for (const [kind, number] of countElements(text)) {
        const count = Math.min(number, MOST);
        for (let index = 0; index < count; index++) {
            const made = drawing(kind, index, count, isRound);
            made.setAttribute("class", kind);
            svg.append(made);
        }
    }
    return svg;
}

/** Fills the gallery; `play` is called with the preset that was chosen. */
export function fillGallery(list: HTMLElement, presets: readonly Preset[], play: (preset: Preset) => void): void {
    const items = presets.map((preset) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.dataset["preset"] = preset.name;
        const name = document.createElement("strong");
        name.textContent = preset.name;
        const summary = document.createElement("span");
        summary.textContent = preset.summary;
        button.append(picture(preset.text), name, summary);
        button.addEventListener("click", () => play(preset));
        item.append(button);
        return item;
    });
    list.replaceChildren(...items);
}

/** Marks the preset that plays. */
export function markPlaying(list: HTMLElement, name: string): void {
    for (const button of list.querySelectorAll("button")) {
        if (button.dataset["preset"] === name) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
    }
}
