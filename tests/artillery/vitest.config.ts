// Separate from the other tests: Artillery takes 460 MB and a Node of its own.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/artillery/artillery.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
