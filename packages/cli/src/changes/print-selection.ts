// `run --changed-since <ref> --list`: prints what would run, and which changes select it.

import { fileInProject } from "@callsheet/format"
import type { CommandCall } from "../args/command.ts"
import { notices } from "../messages.ts"
import type { ReadSession } from "../session/read-workflows.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"
import { tableText } from "../text/table.ts"
import type { ChangedSelection } from "./changed-since.ts"
import { mainNames } from "../session/main-names.ts"

/** What a project would run. */
interface Selection {
  /** The project's path from the working directory, if the call is about several. */
  readonly name?: string
  readonly session: Pick<ReadSession, "workflows" | "schedule"> & {
    readonly changed: ChangedSelection | undefined
  }
}

/** Prints the selected entries of a project with the changed files that they read. Returns the exit code. */
export function printSelection(
  session: Selection["session"],
  { since, commit, everything }: ChangedSelection,
  call: CommandCall,
): 0 {
  const workflows = selectedIn({ session })
  print(workflows, { since, commit, ...reasonOf(everything), workflows }, call)
  return 0
}

/** Prints those of several projects, which each entry and each file names. */
export function printSelections(selections: readonly Selection[], call: CommandCall): void {
  const workflows = selections.flatMap(selectedIn)
  const projects = selections.map(({ name, session: { changed } }) => ({
    project: name,
    commit: changed?.commit,
    ...reasonOf(changed?.everything, name),
  }))
  const since = selections[0]?.session.changed?.since
  print(workflows, { since, projects, workflows }, call)
}

interface Selected {
  readonly project: string | undefined
  readonly name: string
  readonly reasons: readonly string[]
}

function print(
  workflows: readonly Selected[],
  json: object,
  { screen: { out }, options }: CommandCall,
): void {
  const rows = workflows.map(({ project = "", name, reasons }) => [
    printable(project),
    name,
    reasons.map((file) => printable(file)).join(", "),
  ])
  if (options.has("json")) out.write(jsonDocument(json))
  else if (rows.length > 0) out.write(tableText(["PROJECT", "WORKFLOW", "CHANGED"], rows, out.style))
}

function selectedIn({ name: project, session }: Selection): Selected[] {
  const reasonsOf = (name: string): readonly string[] => session.changed?.reasons.get(name) ?? []
  return mainNames(session).map((name) => ({
    project,
    name,
    reasons: reasonsOf(name).map((file) => placeFile(file, project)),
  }))
}

const placeFile = (file: string, project: string | undefined): string =>
  project === undefined ? file : fileInProject(file, project)

function reasonOf(everything: string | undefined, project?: string) {
  if (everything === undefined) return { everything: false }
  return { everything: true, reason: notices.changedReason(placeFile(everything, project)) }
}

/** Says on standard error what a run is limited to. Doesn't if `--list --json` prints it. */
export function sayChanged(
  { since, everything, reasons, known }: ChangedSelection,
  { screen, options }: CommandCall,
  project?: string,
): void {
  if (options.has("list") && options.has("json")) return
  const text =
    everything === undefined
      ? notices.changedSince(since, reasons.size, known)
      : notices.changedEverything(since, everything)
  screen.err.write(`${printable(project === undefined ? text : `${project}: ${text}`)}\n`)
}
