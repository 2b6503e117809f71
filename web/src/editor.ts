// The editor of a scene's text, with the program's messages.

import type { SceneMessage } from "./protocol";

/** Offset of a line and column, from 1, in a text. Columns count characters, as people do. */
export function offsetOf(text: string, [line, column]: readonly [number, number]): number {
    const lines = text.split("\n");
    const before = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
    const characters = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("");
    return Math.min(before + characters.length, text.length);
}

/** Shows messages; a click on one puts the cursor where it says. */
export function showMessages(list: HTMLElement, editor: HTMLTextAreaElement, messages: readonly SceneMessage[]): void {
    const items = messages.map(({ is_error, place, message, hint }) => {
        const item = document.createElement("li");
        item.className = is_error ? "error" : "warning";
        const where = place === null ? "" : `${place[0]}:${place[1]}: `;
        const text = document.createElement(place === null ? "span" : "button");
        text.textContent = `${is_error ? "error" : "warning"}: ${where}${message}`;
        item.append(text);
        if (place !== null) {
            (text as HTMLButtonElement).type = "button";
            text.addEventListener("click", () => {
                const offset = offsetOf(editor.value, place);
                editor.focus();
                editor.setSelectionRange(offset, offset);
            });
        }
        if (hint !== null) {
            const line = document.createElement("p");
            line.textContent = `hint: ${hint}`;
            item.append(line);
        }
        return item;
    });
    list.replaceChildren(...items);
}
