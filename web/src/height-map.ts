// Draws a plate's displacements: WebGL2, and a canvas where there is none.

import { VIEW_COLUMNS, VIEW_ROWS } from "./protocol";

const VERTEX = `#version 300 es
in vec2 corner;
out vec2 place;
void main() {
    place = 0.5 + 0.5 * corner;
    gl_Position = vec4(corner, 0.0, 1.0);
}`;

// Light from the upper left on the slope; colours from low over middle to high.
const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D heights;
uniform vec3 low, middle, high;
uniform bool isRound;
in vec2 place;
out vec4 colour;
float at(ivec2 cell) {
    return texelFetch(heights, clamp(cell, ivec2(0), textureSize(heights, 0) - 1), 0).r;
}
float height(vec2 p) {
    vec2 cell = p * vec2(textureSize(heights, 0) - 1);
    ivec2 corner = ivec2(floor(cell));
    vec2 share = cell - vec2(corner);
    float below = mix(at(corner), at(corner + ivec2(1, 0)), share.x);
    float above = mix(at(corner + ivec2(0, 1)), at(corner + ivec2(1, 1)), share.x);
    return mix(below, above, share.y);
}
void main() {
    if (isRound && length(place - 0.5) > 0.5) discard;
    float h = clamp(height(place), -1.0, 1.0);
    // Over two cells, so that no cell's edge shows.
    vec2 across = 1.0 / vec2(textureSize(heights, 0) - 1);
    vec2 right = vec2(across.x, 0.0), up = vec2(0.0, across.y);
    vec2 slope = vec2(height(place + right) - height(place - right), height(place + up) - height(place - up));
    float light = 1.0 + clamp(0.6 * (slope.y - slope.x), -0.35, 0.35);
    vec3 tint = h < 0.0 ? mix(middle, low, -h) : mix(middle, high, h);
    colour = vec4(tint * light, 1.0);
}`;

/** Red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number];

export interface HeightMap {
    /** Draws heights from −1 to 1, row by row from below. */
    draw(heights: Float32Array, isRound: boolean, colours: { low: Colour; middle: Colour; high: Colour }): void;
}

export function heightMap(canvas: HTMLCanvasElement): HeightMap {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true });
    return (gl && webGlMap(gl)) ?? canvasMap(canvas);
}

function compile(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader | null {
    const shader = gl.createShader(kind);
    if (shader === null) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
}

function linked(gl: WebGL2RenderingContext): WebGLProgram | undefined {
    const [vertex, fragment] = [compile(gl, gl.VERTEX_SHADER, VERTEX), compile(gl, gl.FRAGMENT_SHADER, FRAGMENT)];
    const program = gl.createProgram();
    if (vertex === null || fragment === null || program === null) return undefined;
    gl.attachShader(program, vertex);
    gl.attachShader(program, fragment);
    gl.bindAttribLocation(program, 0, "corner");
    gl.linkProgram(program);
    return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : undefined;
}

function webGlMap(gl: WebGL2RenderingContext): HeightMap | undefined {
    const program = linked(gl);
    if (program === undefined) return undefined;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const parameter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, parameter, gl.NEAREST);
    const uniform = (name: string) => gl.getUniformLocation(program, name);
    return {
        draw(heights, isRound, colours) {
            gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
            gl.clearColor(0, 0, 0, 0);
            gl.clear(gl.COLOR_BUFFER_BIT);
            gl.useProgram(program);
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, VIEW_COLUMNS, VIEW_ROWS, 0, gl.RED, gl.FLOAT, heights);
            gl.uniform1i(uniform("isRound"), isRound ? 1 : 0);
            for (const name of ["low", "middle", "high"] as const) gl.uniform3fv(uniform(name), [...colours[name]]);
            gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        },
    };
}

function canvasMap(canvas: HTMLCanvasElement): HeightMap {
    const context = canvas.getContext("2d");
    const small = new OffscreenCanvas(VIEW_COLUMNS, VIEW_ROWS);
    const smallContext = small.getContext("2d");
    const image = new ImageData(VIEW_COLUMNS, VIEW_ROWS);
    return {
        draw(heights, isRound, colours) {
            if (context === null || smallContext === null) return;
            heights.forEach((height, index) => {
                const row = VIEW_ROWS - 1 - Math.floor(index / VIEW_COLUMNS);
                const at = 4 * (row * VIEW_COLUMNS + (index % VIEW_COLUMNS));
                const end = height < 0 ? colours.low : colours.high;
                const share = Math.min(Math.abs(height), 1);
                const mixed = colours.middle.map((from, i) => 255 * (from + share * ((end[i] as number) - from)));
                image.data.set([...mixed, 255], at);
            });
            smallContext.putImageData(image, 0, 0);
            context.clearRect(0, 0, canvas.width, canvas.height);
            context.save();
            if (isRound) {
                const [rx, ry] = [canvas.width / 2, canvas.height / 2];
                context.beginPath();
                context.ellipse(rx, ry, rx, ry, 0, 0, 2 * Math.PI);
                context.clip();
            }
            context.drawImage(small, 0, 0, canvas.width, canvas.height);
            context.restore();
        },
    };
}
