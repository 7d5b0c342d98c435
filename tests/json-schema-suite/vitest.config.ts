// Separate from the other tests, because this installs its own packages and takes a minute of CPU time.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/json-schema-suite/json-schema-suite.check.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
