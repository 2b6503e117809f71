// The laboratory: one impact of a mass and a wall, by every scheme beside the closed form.

import type { SceneChecker } from "./scene-checker";
import type { ImpactRun } from "./protocol";
import { fit } from "./surface";
import { withPrefix } from "./displays";

/** Parameters with their ranges; those with `log` move by equal factors. The start is a softer case 2 of the impact study. */
const PARAMETERS = [
    { id: "mass", label: "mass m", unit: "kg", min: 1e-3, max: 1, value: 0.01, log: true },
    { id: "stiffness", label: "stiffness K", unit: "N/m^α", min: 1e3, max: 1e10, value: 1e7, log: true },
    { id: "exponent", label: "exponent α", unit: "", min: 1, max: 4, value: 1.5, log: false },
    { id: "loss", label: "loss µ", unit: "s/m", min: 0, max: 2, value: 0.5, log: false },
    { id: "speed", label: "speed v", unit: "m/s", min: 0.05, max: 10, value: 1, log: true },
    { id: "rate", label: "sample rate", unit: "Hz", min: 8e3, max: 384e3, value: 44_100, log: true },
] as const;
const COLOURS: Record<string, string> = { plain: "--plain", tracked: "--tracked", newton: "--newton", exact: "--ink" };

type Values = [number, number, number, number, number, number];

export class Laboratory {
    private readonly sliders: HTMLInputElement[];
    private isBusy = false;
    private isStale = false;
    private runs: ImpactRun[] = [];

    constructor(
        private readonly parts: { form: HTMLElement; canvas: HTMLCanvasElement; table: HTMLElement; message: HTMLElement },
        private readonly checker: SceneChecker,
    ) {
        this.sliders = PARAMETERS.map((parameter) => {
            const { label, slider, output } = labelled(parameter.label);
            slider.id = `impact-${parameter.id}`;
            const { min, max, value, log } = parameter;
            slider.value = String(log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min));
            const write = () => (output.textContent = `${shortNumber(valueOf(slider, parameter))} ${parameter.unit}`);
            slider.addEventListener("input", () => {
                write();
                void this.update();
            });
            write();
            parts.form.append(label);
            return slider;
        });
        new ResizeObserver(() => this.draw()).observe(parts.canvas);
    }

    /** Computes anew; while that runs, only the last of further requests counts. */
    async update(): Promise<void> {
        this.isStale = true;
        if (this.isBusy) return;
        this.isBusy = true;
        while (this.isStale) {
            this.isStale = false;
            const values = this.sliders.map((slider, index) => valueOf(slider, PARAMETERS[index] as (typeof PARAMETERS)[0]));
            const answer = await this.checker.impact(values as Values);
            this.parts.message.textContent = typeof answer === "string" ? answer : "";
            this.runs = typeof answer === "string" ? [] : answer;
            this.write();
            this.draw();
        }
        this.isBusy = false;
    }

    private write(): void {
        const exact = this.runs.find((run) => run.name === "exact");
        const rows = this.runs.map((run) => {
            const velocity = run.exit_velocity;
            const error = exact?.exit_velocity ? ((velocity ?? NaN) / exact.exit_velocity - 1) * 100 : NaN;
            const cells = [
                run.name,
                withPrefix(Math.max(...run.compression), "m"),
                withPrefix(Math.max(...run.force), "N"),
                velocity === null ? "still in contact" : `${velocity.toFixed(4)} m/s`,
                run.name === "exact" ? "" : Number.isFinite(error) ? `${error.toFixed(3).replace(/^-(0\.0*)$/, "$1")} %` : "–",
            ];
            const row = document.createElement("tr");
            row.append(...cells.map((text, index) => cell(index === 0 ? "th" : "td", text)));
            (row.firstElementChild as HTMLElement).style.color = `var(${COLOURS[run.name] ?? "--ink"})`;
            return row;
        });
        this.parts.table.replaceChildren(...rows);
    }

    /** Force against compression: the area within a curve is the energy lost. */
    private draw(): void {
        const { canvas } = this.parts;
        fit(canvas);
        const context = canvas.getContext("2d");
        if (context === null) return;
        const style = getComputedStyle(canvas);
        const { width, height } = canvas;
        const most = (pick: (run: ImpactRun) => number[]) => 1.05 * this.runs.reduce((m, run) => Math.max(m, ...pick(run)), 1e-300);
        const [longest, hardest] = [most((run) => run.compression), most((run) => run.force)];
        context.clearRect(0, 0, width, height);
        for (const run of this.runs) {
            context.strokeStyle = context.fillStyle = style.getPropertyValue(COLOURS[run.name] ?? "--ink");
            context.lineWidth = (run.name === "exact" ? 3 : 1.5) * (height / 400);
            context.beginPath();
            run.compression.forEach((x, index) => {
                const at = [(x / longest) * width, height - ((run.force[index] as number) / hardest) * height] as const;
                if (index === 0) context.moveTo(...at);
                else context.lineTo(...at);
                if (run.name !== "exact" && run.compression.length < 100) {
                    context.fillRect(at[0] - height / 150, at[1] - height / 150, height / 75, height / 75);
                }
            });
            context.stroke();
        }
    }
}

/** Three digits, and powers of ten where they would be long. */
function shortNumber(value: number): string {
    return value >= 1e6 ? value.toExponential(2).replace("e+", "e") : String(Number(value.toPrecision(value >= 1e3 ? 6 : 3)));
}

function valueOf(slider: HTMLInputElement, { min, max, log }: { min: number; max: number; log: boolean }): number {
    const share = Number(slider.value);
    return log ? min * (max / min) ** share : min + share * (max - min);
}

function labelled(text: string): { label: HTMLElement; slider: HTMLInputElement; output: HTMLElement } {
    const [label, caption, slider, output] = [
        document.createElement("label"),
        document.createElement("span"),
        document.createElement("input"),
        document.createElement("output"),
    ];
    caption.textContent = text;
    Object.assign(slider, { type: "range", min: "0", max: "1", step: "any" });
    label.append(caption, slider, output);
    return { label, slider, output };
}

function cell(name: string, text: string): HTMLElement {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
}
