// Every message of the `editor` package, by code, and the sentences that an editor shows after a run.

import { defineMessages, formatDuration, quote } from "@callsheet/format"

export const messages = defineMessages(() => ({
  usage: {
    unknownCommand: (command: string) => `the server has no command ${quote(command)}`,
    argument: (command: string, expected: string) =>
      `the argument of ${command} is wrong: expected ${expected}`,
    untrusted: () => ({
      message: "this workspace is not trusted, so callsheet runs and writes nothing in it",
      hint: "trust it in the editor first",
    }),
    noRuns: () => "this server can't run workflows",
  },
  "project-missing": {
    none: (uri: string) => `no project is at ${quote(uri)}`,
  },
  "workflow-unknown": {
    unknown: (name: string, hint: string | undefined) => ({
      message: `the project has no workflow ${quote(name)}`,
      hint,
    }),
  },
}))

/** What an editor shows after a run. */
export const outcomes = {
  passed: (workflow: string, durationMs: number) => `${workflow} passed in ${formatDuration(durationMs)}`,
  failed: (workflow: string, block: string, reason: string) =>
    `${workflow} failed at ${quote(block)}: ${reason}`,
  failedSomewhere: (workflow: string) => `${workflow} failed`,
  refused: (workflow: string, reason: string) => `${workflow} did not run: ${reason}`,
  silent: (workflow: string, command: string) =>
    `${workflow} did not run; to see why, run this in a terminal: ${command}`,
  cancelled: (workflow: string) => `${workflow} was cancelled`,
  at: (place: string, reason: string) => `${reason} (${place})`,
  sent: (name: string, status: number, durationMs: number) =>
    `${name} received status ${status} in ${formatDuration(durationMs)}`,
} as const
