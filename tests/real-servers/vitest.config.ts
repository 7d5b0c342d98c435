// Adds the app to the tests of the servers, which takes a browser and most of the time.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/real-servers/*.{test,check}.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 120_000,
  },
})
