import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 30_000,
  },
})
