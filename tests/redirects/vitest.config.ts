// Separate from the other tests: the complete table is thousands of requests.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/redirects/redirects.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 600_000,
  },
})
