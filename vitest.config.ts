import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    testTimeout: 30_000,
    // Three files on two cores, because a file often waits for a browser or a process.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // The files of a worker share imported modules, which takes a third less CPU, and in `page` a browser.
    isolate: false,
    // They run in the order of their names, and larger files first. The shortest files are at the end, where a long one
    // would leave a core idle.
    projects: [
      {
        extends: true,
        test: {
          name: "page",
          include: ["tests/app-page/*.test.ts"],
          globalSetup: "tests/build-before-tests.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/app-page/**", "**/node_modules/**"],
          globalSetup: "tests/build-before-tests.ts",
        },
      },
      { extends: true, test: { name: "units", include: ["packages/*/src/**/*.test.ts"] } },
    ],
  },
})
