// Scenes in the fragment of the page's address: #v1=NAME.TEXT, the text deflated, both in base64url. Nothing is sent to a server.

/** Largest fragment that is read. */
const MAX_FRAGMENT = 300_000;
/** Largest text [bytes], as in the engine. */
const MAX_TEXT = 1 << 20;
const VERSION = "v1";

export interface SharedScene {
    name: string;
    text: string;
}

/** Why a link cannot be read, for people. */
export class LinkError extends Error {}

function toBase64(bytes: Uint8Array): string {
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

/** All bytes of a stream, of which there may be at most so many. */
async function readAll(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = [];
    let length = 0;
    const reader = stream.getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > most) {
            await reader.cancel();
            throw new LinkError(`the scene in this link has more than ${most} bytes`);
        }
        parts.push(value);
    }
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> {
    return new Blob([bytes]).stream().pipeThrough(transform as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** The fragment for a scene, with its #. */
export async function toFragment(scene: SharedScene): Promise<string> {
    const encoder = new TextEncoder();
    const deflated = await readAll(through(encoder.encode(scene.text), new CompressionStream("deflate-raw")), Infinity);
    return `#${VERSION}=${toBase64(encoder.encode(scene.name))}.${toBase64(deflated)}`;
}

/** The scene in a fragment; undefined where there is none. Throws a LinkError for one that cannot be read. */
export async function fromFragment(fragment: string): Promise<SharedScene | undefined> {
    if (fragment.length <= 1) return undefined;
    if (fragment.length > MAX_FRAGMENT) {
        throw new LinkError(`the link has ${fragment.length} characters, at most ${MAX_FRAGMENT} are read`);
    }
    const [version, content] = fragment.slice(1).split("=", 2);
    if (version !== VERSION || content === undefined) {
        throw new LinkError(`the link is of version "${(version ?? "").slice(0, 20)}", this page reads ${VERSION}`);
    }
    const [name, text] = content.split(".", 2);
    try {
        const decoder = new TextDecoder("utf-8", { fatal: true });
        const inflated = await readAll(through(fromBase64(text ?? ""), new DecompressionStream("deflate-raw")), MAX_TEXT);
        return { name: decoder.decode(fromBase64(name ?? "")), text: decoder.decode(inflated) };
    } catch (error) {
        if (error instanceof LinkError) throw error;
        throw new LinkError("the link is damaged: was it cut off?");
    }
}
