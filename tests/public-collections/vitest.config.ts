// Separate from the other tests, because this fetches repositories of others.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/public-collections/**/*.check.ts"],
    globalSetup: ["tests/public-collections/fetch-repositories.ts", "tests/build-before-tests.ts"],
    testTimeout: 120_000,
  },
})
