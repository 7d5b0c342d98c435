// The suites of other directories that also run with Windows' Node.

/** They start only the command, and see it as a user does. */
export const sharedSuites = ["tests/baseline/**/*.test.ts", "tests/edits/env-write.test.ts"]
