// A control for every target of a scene.

import type { SceneDescription, Target } from "./protocol";

type Set = (target: number, value: number) => void;

/** Fills a panel with the controls of a scene, grouped by the part before the first dot. */
export function fillPanel(panel: HTMLElement, description: SceneDescription, set: Set): void {
    const groups = new Map<string, HTMLElement>();
    description.targets.forEach((target, index) => {
        if (target.kind === "image") return;
        const part = target.name.includes(".") ? target.name.slice(0, target.name.indexOf(".")) : "scene";
        let group = groups.get(part);
        if (group === undefined) {
            group = document.createElement("fieldset");
            const legend = document.createElement("legend");
            legend.textContent = part;
            group.append(legend);
            groups.set(part, group);
        }
        group.append(control(target, index, set));
    });
    panel.replaceChildren(...groups.values());
}

function control(target: Target, index: number, set: Set): HTMLElement {
    const name = target.name.includes(".") ? target.name.slice(target.name.indexOf(".") + 1) : target.name;
    if (target.kind === "restart") {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "Restart the scene";
        button.addEventListener("click", () => set(index, 1));
        return button;
    }
    const label = document.createElement("label");
    const caption = document.createElement("span");
    const slider = document.createElement("input");
    const output = document.createElement("output");
    caption.textContent = name;
    slider.type = "range";
    slider.step = "any";
    [slider.min, slider.max] = [String(target.range[0]), String(target.range[1])];
    slider.value = String(target.initial);
    slider.dataset["target"] = target.name;
    const write = () => (output.textContent = `${Number(Number(slider.value).toPrecision(3))} ${target.unit}`.trim());
    // A strike acts when the slider is let go, everything else while it moves.
    slider.addEventListener(target.kind === "strike" ? "change" : "input", () => set(index, Number(slider.value)));
    slider.addEventListener("input", write);
    write();
    label.append(caption, slider, output);
    return label;
}
