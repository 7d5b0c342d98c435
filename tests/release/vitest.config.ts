// Separate from the other tests: the registry and the package managers take 430 MB.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/release/*.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 900_000,
    hookTimeout: 900_000,
    fileParallelism: false,
  },
})
