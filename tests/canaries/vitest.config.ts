// Separate from the other tests, because it takes minutes of CPU time.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/canaries/*.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 600_000,
  },
})
