// Separate from the other tests: on a busy machine a key takes many times as long.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/app-page/large/*.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    fileParallelism: false,
    testTimeout: 300_000,
  },
})
