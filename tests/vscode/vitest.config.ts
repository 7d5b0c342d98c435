// Separate from the other tests: a VS Code that runs in a browser takes minutes to install.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/vscode/*.check.ts"],
    globalSetup: ["tests/build-before-tests.ts", "tests/vscode/pack-extension.ts"],
    // One server at a time. Each takes a gigabyte.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 900_000,
  },
})
