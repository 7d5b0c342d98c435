import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/app-page/screenshots/*.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 300_000,
  },
})
