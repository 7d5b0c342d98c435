// Reads the requested workflows, and the parts of the project that they need.

import type { SessionOptions } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { listWorkflows, openProject, readProject, resolveWorkflowArgument } from "@callsheet/project"
import type { Named, SelectEntries } from "./last-session.ts"
import { messages } from "./messages.ts"

export interface WorkflowSelection {
  readonly root: string
  readonly cwd: string
  readonly wanted: readonly string[] | "all"
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
      ? { ...readWorkflows(selection), schedule: undefined }
      : (await import("./read-settings.ts")).readSuite(suite, selection)
  const { length } = read.workflows
  if (data !== undefined && length !== 1) throw new CallsheetError(messages.usage.dataWorkflows(length))
  return read
}

export function readWorkflows({ root, cwd, wanted, named, ...selection }: WorkflowSelection) {
  const isNarrow = selection.grep !== undefined || selection.select !== undefined
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
      ? known
      : wanted.map((argument) => asEntry(resolveWorkflowArgument({ root, cwd, argument })))
  const workflows = [...new Set(narrow(entries, { ...selection, known }).map(({ workflow }) => workflow))]
  return { project: readProject(root, { workflows, apis: "touched", named }), workflows }
}

const asEntry = (workflow: string): Named => ({ name: workflow, workflow })

interface Narrowing<T> extends Pick<WorkflowSelection, "grep" | "select"> {
  /** Everything that could be selected. */
  readonly known: readonly T[]
  readonly suite?: string
}

/** Returns the entries that `--grep` and `--last-failed` select. Throws if there are none. */
export function narrow<T extends Named>(
  entries: readonly T[],
  { grep, select, known, suite }: Narrowing<T>,
): readonly T[] {
  const text = grep?.toLowerCase() ?? ""
  const found = entries.filter(({ name }) => name.toLowerCase().includes(text))
  if (grep !== undefined && found.length === 0)
    throw new CallsheetError(messages["workflow-unknown"].noMatch(grep))
  return select?.(found, known, suite) ?? found
}
