// Reads the requested workflows, and the parts of the project that they need.

import type { SessionOptions } from "@callsheet/engine"
import { CallsheetError, soundSettings } from "@callsheet/format"
import { findHelpers } from "@callsheet/language"
import {
  listWorkflows,
  openProject,
  readProject,
  readSettings,
  resolveWorkflowArgument,
} from "@callsheet/project"
import type { NamedEntry, SelectEntries } from "./last-session.ts"
import { messages } from "../messages.ts"

export interface WorkflowSelection {
  readonly root: string
  readonly cwd: string
  readonly wanted: readonly string[] | "all"
  /** Workflows to leave out, unless they are named. */
  readonly helpers?: ReadonlySet<string>
  /** Selects the workflows whose names contain this text, in any case. */
  readonly grep?: string | undefined
  /** Selects only what failed in the last session, or what changed files affect. */
  readonly select?: SelectEntries | undefined
  /** True if `select` is that of `--last-failed`. */
  readonly lastFailed?: boolean
  /** Other APIs that options name. They are read to check these options. */
  readonly named: readonly string[]
}

interface RunSelection extends WorkflowSelection {
  readonly suite?: string | undefined
  readonly data?: SessionOptions["data"]
}

export type ReadSession = Awaited<ReturnType<typeof readRun>>

/** Reads the files of a run. `schedule` is set for a suite. */
export async function readRun({ suite, data, ...selection }: RunSelection) {
  const read =
    suite === undefined
      ? { ...readWorkflows({ ...selection, helpers: readHelpers(selection) }), schedule: undefined }
      : (await import("./read-suite.ts")).readSuite(suite, selection)
  const { length } = read.workflows
  const isFine = length === 1 || (length === 0 && selection.select !== undefined)
  if (data !== undefined && !isFine) throw new CallsheetError(messages.usage.dataWorkflows(length))
  return read
}

/** Returns the helpers of `callsheet.json`. What failed in the last session runs again, even a helper. */
function readHelpers({ root, wanted, lastFailed }: WorkflowSelection): ReadonlySet<string> {
  if (wanted !== "all" || lastFailed === true) return new Set()
  const project = openProject(root)
  const settingsFile = readSettings(project)
  const sound = settingsFile && soundSettings(settingsFile)
  return findHelpers(sound?.settings ?? {}, [...listWorkflows(project).keys()])
}

export function readWorkflows({
  root,
  cwd,
  wanted,
  named,
  helpers = new Set(),
  ...selection
}: WorkflowSelection) {
  const isNarrow = selection.grep !== undefined || selection.select !== undefined || helpers.size > 0
  if (wanted === "all" && !isNarrow) {
    const project = readProject(root, { workflows: "all", apis: "touched", named })
    const workflows = [...project.workflows.keys()]
    if (workflows.length > 0) return { project, workflows }
    const { problems } = project
    throw new CallsheetError(problems[0] ?? messages["workflow-unknown"].none(), { problems })
  }
  const known = isNarrow ? [...listWorkflows(openProject(root)).keys()].map(asEntry) : []
  const entries =
    wanted === "all"
      ? known.filter(({ workflow }) => !helpers.has(workflow))
      : wanted.map((argument) => asEntry(resolveWorkflowArgument({ root, cwd, argument })))
  if (entries.length === 0 && helpers.size > 0)
    throw new CallsheetError(messages["workflow-unknown"].onlyHelpers())
  const workflows = [...new Set(narrow(entries, { ...selection, known }).map(({ workflow }) => workflow))]
  return { project: readProject(root, { workflows, apis: "touched", named }), workflows }
}

const asEntry = (workflow: string): NamedEntry => ({ name: workflow, workflow })

interface Narrowing<T> extends Pick<WorkflowSelection, "grep" | "select"> {
  /** Everything that could be selected. */
  readonly known: readonly T[]
  readonly suite?: string
}

/** Returns the entries that `--grep` and `--last-failed` select. Throws if there are none. */
export function narrow<T extends NamedEntry>(
  entries: readonly T[],
  { grep, select, known, suite }: Narrowing<T>,
): readonly T[] {
  const text = grep?.toLowerCase() ?? ""
  const found = entries.filter(({ name }) => name.toLowerCase().includes(text))
  if (grep !== undefined && found.length === 0)
    throw new CallsheetError(messages["workflow-unknown"].noMatch(grep))
  return select?.(found, known, suite) ?? found
}
