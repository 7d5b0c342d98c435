import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 30_000,
    // On two cores Vitest would run one file at a time, which takes nearly twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
