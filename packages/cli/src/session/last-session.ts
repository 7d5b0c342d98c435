// The record of a project's last session, which `--last-failed` reads. Loaded at the end of a run.

import { realpathSync } from "node:fs"
import { PrivateFolder, shortKey, stateFolder } from "@callsheet/engine"
import { attempt, CallsheetError, shapes, toProblem, type Problem } from "@callsheet/format"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"

const { array, object, optional, required, string, version } = shapes

const entry = object({
  workflow: required(string(), "The name of the workflow."),
  entry: optional(string(), "The name of the suite's entry."),
})

const record = object({
  version: required(version, "The format of the file."),
  suite: optional(string(), "The suite, if the session ran one."),
  failed: required(
    array(() => entry),
    "What failed, in the order of the session.",
  ),
})
export type LastSession = Omit<shapes.TypeOf<typeof record>, "version">

/** An entry of a suite or, under its own name, a workflow. */
export interface NamedEntry {
  readonly name: string
  readonly workflow: string
}

/** Returns which of `entries` to run. `known` contains the other entries, too. */
export type SelectEntries = <T extends NamedEntry>(
  entries: readonly T[],
  known: readonly T[],
  suite?: string,
) => readonly T[]

/** Stores the failed entries. If the state directory can't be used, stores nothing. */
export function keepLastSession(root: string, { environment }: CommandCall, session: LastSession): void {
  attempt(() => {
    const { folder, name } = placeOf(root, environment)
    const text = `${JSON.stringify({ version: 1, ...session })}\n`
    if (folder.read(name) !== text && folder.write(name, text)) folder.keepNewest(MAX_PROJECTS)
  })
}

const MAX_PROJECTS = 1000

/** Reads the last session. Throws `usage` if none is stored, or if nothing failed in it. */
export function readLastSession(root: string, { environment }: CommandCall): LastSession {
  const session = attempt(() => {
    const { folder, name } = placeOf(root, environment)
    return folder.readJson(name, record)
  })
  if (session === undefined) throw new CallsheetError(messages.usage.noLastSession())
  if (session.failed.length === 0) throw new CallsheetError(messages.usage.nothingFailed([]))
  return session
}

const placeOf = (root: string, environment: CommandCall["environment"]) => ({
  folder: new PrivateFolder(stateFolder(environment), "sessions"),
  name: `${shortKey(realpathSync(root))}.json`,
})

/**
 * Selects the entries that failed in a session. Warns about those that no longer exist. Throws `usage` if there are none.
 */
export function createSelectFailed(session: LastSession, warn: (problem: Problem) => void): SelectEntries {
  return (entries, known, suite) => {
    const isSame = suite !== undefined && suite === session.suite
    const keyOf = ({ name, workflow }: NamedEntry): string => (isSame ? name : workflow)
    const failed = new Set(
      session.failed.map(({ workflow, entry: name = workflow }) => keyOf({ name, workflow })),
    )
    const present = new Set(known.map(keyOf))
    const gone = isSame || suite === undefined ? [...failed].filter((name) => !present.has(name)) : []
    for (const name of gone) warn(toProblem(messages["workflow-unknown"].gone(name, suite)))
    const found = entries.filter((entry) => failed.has(keyOf(entry)))
    if (found.length > 0) return found
    throw new CallsheetError(messages.usage.nothingFailed([...failed]))
  }
}
