// The suites of other directories that also run with Windows' Node, and their tests that can't.

/** They start only the command, and see it as a user does. */
export const sharedSuites = [
  "tests/baseline/baseline-file.test.ts",
  "tests/diff/*.test.ts",
  "tests/edits/env-write.test.ts",
  "tests/export/targets.test.ts",
  "tests/faults/case-folding.test.ts",
  "tests/generate/generate.test.ts",
  "tests/inbox/receive.test.ts",
  "tests/mock/mock.test.ts",
  "tests/record/{faults,forged}.test.ts",
  "tests/replay/replay.test.ts",
  "tests/run/{blocks,bodies,loops,failures,results}.test.ts",
]

const reasons = {
  links: "Wine creates no symbolic links for Windows programs",
  modes: "Windows has no file modes",
  signals: "Windows has no signals: output.check.ts presses Ctrl-C in a console",
  renames: "Wine ignores a rename that changes only the case",
  speed: "Wine is too slow for a limit of seconds",
} as const

/** By the end of the full name. */
const elsewhere: Readonly<Record<string, keyof typeof reasons>> = {
  "may be a link within the project, but not one that leads out or a directory": "links",
  "renames an environment to another case, with its secrets and those that extend it": "renames",
  "stays fast with 10,000 entries": "speed",
  "leaves a record of the runs that ended if it is killed": "modes",
  "never leaves a learned secret if it is killed in late": "signals",
  "never leaves a learned secret if it is killed in late-slow": "signals",
  "leaves a whole record after Ctrl-C": "signals",
  "has the URL with the base path first, then one line per request, and ends with 0 on both signals":
    "signals",
}

/** Returns why a test of another system can't run in Wine. */
export function whyNotInWine(name: string): string | undefined {
  const reason = Object.entries(elsewhere).find(([ending]) => name.endsWith(ending))?.[1]
  return reason && reasons[reason]
}
