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
  "file-changed": {
    unsaved: (uri: string) => ({
      message: `${uri} has unsaved changes, and callsheet would write it`,
      hint: "save it, then try again",
    }),
  },
  "secret-unquotable": {
    extracted: (name: string) => `the value of ${quote(name)} can't be quoted in a secrets file`,
  },
}))

/** The most files that a message names. */
const MAX_FILES = 5

/** What an editor shows about files: after a command that wrote some, and before a run that reads them. */
export const notes = {
  declared: (name: string, api: string) => `${name} is a secret variable of ${api} now`,
  notReplaced: (name: string, api: string) =>
    `${name} is a secret variable of ${api} now, but the file has changed: replace the value yourself`,
  moved: (name: string, file: string) =>
    `${name} is in ${file} now. If it was committed, replace it: the history of git still contains it.`,
  unsaved: (files: readonly string[]) => {
    const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ""
    return `Unsaved changes in ${files.slice(0, MAX_FILES).join(", ")}${more} are not part of this run`
  },
  extracted: (name: string) => `Read ${name} from the environment`,
} as const

/** What an editor shows after a run. */
export const outcomes = {
  passed: (workflow: string, durationMs: number) => `${workflow} passed in ${formatDuration(durationMs)}`,
  failed: (workflow: string, block: string, reason: string) =>
    `${workflow} failed at ${quote(block)}: ${reason}`,
  failedSomewhere: (workflow: string) => `${workflow} failed`,
  refused: (workflow: string, reason: string, others = 0) =>
    [`${workflow} did not run: ${reason}`, ...(others === 0 ? [] : [`${others} more in the log`])].join("\n"),
  silent: (workflow: string, command: string) =>
    `${workflow} did not run; to see why, run this in a terminal: ${command}`,
  cancelled: (workflow: string) => `${workflow} was cancelled`,
  at: (place: string, reason: string) => `${reason} (${place})`,
  sent: (name: string, status: number, durationMs: number) =>
    `${name} received status ${status} in ${formatDuration(durationMs)}`,
} as const
