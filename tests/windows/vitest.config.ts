// Runs the built command with Windows' own Node, in Wine. Separate from the other tests, because it installs both.

import { defineConfig } from "vitest/config"
import { sharedSuites } from "./shared-suites.ts"

export default defineConfig({
  test: {
    include: ["tests/windows/*.check.ts", ...sharedSuites],
    globalSetup: ["tests/build-before-tests.ts", "tests/windows/install-windows.ts"],
    setupFiles: ["tests/windows/leave-out.ts"],
    maxWorkers: 3,
    // Wine takes from a third of a second to several seconds to start a process.
    testTimeout: 120_000,
    // One of 1,500 programs ended with 1 and without a word. A second failure fails the run.
    retry: 1,
    hookTimeout: 120_000,
  },
})
