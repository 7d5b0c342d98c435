// Separate from the other tests, because it takes minutes, and gigabytes of memory for the scripts that exhaust it.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/script-faults/script-faults.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 900_000,
  },
})
