import { defineConfig } from "vitest/config";

export default defineConfig({
    // Relative addresses, so that the page works in any folder of any host.
    base: "./",
    build: { target: "es2022", reportCompressedSize: false },
    test: { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
});
