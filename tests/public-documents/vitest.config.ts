// Separate from the other tests, because this downloads some 75 MB and takes minutes of CPU time.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/public-documents/**/*.check.ts"],
    globalSetup: ["tests/public-documents/install.ts", "tests/build-before-tests.ts"],
    testTimeout: 300_000,
  },
})
