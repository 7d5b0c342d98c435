import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

// Tests that call the packages in their own process. Their files share the imported modules, which takes a third less CPU.
const inProcess =
  "tests/{app-environments,app-files,app-project,architecture,http,messages,schemas,scope}/**/*.test.ts"

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Three files on two cores, because a file often waits for a browser or a process.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // They run in the order of their names, and larger files first. The shortest files are at the end, where a long one
    // would leave a core idle.
    projects: [
      {
        extends: true,
        // Each file has its own process. A process that several files shared ended unexpectedly once, and the tests of its
        // next file were lost.
        test: {
          name: "system",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/app-page/**", "**/node_modules/**", inProcess],
          globalSetup: "tests/build-before-tests.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "in-process",
          include: [inProcess],
          globalSetup: "tests/build-before-tests.ts",
          isolate: false,
        },
      },
      {
        extends: true,
        // Its files share a browser. A wait for the page may take a minute on a busy machine.
        test: {
          name: "page",
          include: ["tests/app-page/*.test.ts"],
          globalSetup: "tests/build-before-tests.ts",
          isolate: false,
          // A second failure fails the run. CI lists the tests that passed only then.
          retry: 1,
          testTimeout: 120_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
      {
        extends: true,
        // Its files share imported modules, which takes a third less CPU.
        test: { name: "units", include: ["packages/*/src/**/*.test.ts"], isolate: false },
      },
    ],
  },
})
