// Calls that describe the contents of a project.

import { shapes, type Level, type Problem } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { api } from "./names.ts"

const { object } = shapes

export const projectCalls = {
  /** Returns the current contents of the project. Always fast, because it reads no documents. */
  "project.read": call(object({}), answer<ProjectView>()),
  /**
   * Returns the problems that `callsheet validate` reports. May take seconds longer than `project.read`, so call both
   * at once.
   */
  "problems.read": call(object({}), answer<ProblemsView>()),
  /** Returns the files that differ from the last commit. None if git or a repository is missing. */
  "project.changes": call(object({}), answer<ChangesView>()),
  "operations.list": call(object({ api }), answer<OperationsView>()),
}

export interface ProjectView {
  readonly revision: number
  readonly name: string
  /** True if the directory has no project yet. */
  readonly isNew?: boolean | undefined
  readonly apis: readonly ApiView[]
  readonly workflows: readonly WorkflowView[]
  /** The workflows that "Run all" skips. Absent if there are none. */
  readonly helpers?: readonly string[] | undefined
  /** True if the project has a `callsheet.baseline.json`. */
  readonly hasBaseline?: true | undefined
  /** The suites of `callsheet.json`, none if it has errors. Absent if the file doesn't exist. */
  readonly suites?: readonly string[] | undefined
}

export interface ProblemsView {
  /** The checked revision: that of `project.read`, or a later one. */
  readonly revision: number
  readonly problems: readonly Problem[]
}

export interface ChangesView {
  readonly files: readonly FileChange[]
}

export interface FileChange {
  /** The path from the project's root. */
  readonly file: string
  readonly change: "changed" | "new"
}

export interface ApiView {
  readonly name: string
  /** `file` is the path from the project's root. `operations.list` returns the document's contents. */
  readonly document?: { readonly file: string } | undefined
  /** The address of the document, from which it can be updated. */
  readonly source?: string | undefined
  readonly environments: readonly EnvironmentView[]
  readonly requests: readonly SavedRequestView[]
}

export interface EnvironmentView {
  readonly name: string
  readonly level: Level
  readonly extends?: string | undefined
}

export interface SavedRequestView {
  readonly resource: string
  readonly name: string
  readonly description?: string | undefined
  /** The operation, or a method and path. Absent if the file can't be read. */
  readonly target?: string | undefined
}

export interface WorkflowView {
  readonly name: string
  readonly apis: readonly string[]
  /** The number of blocks, including nested ones. Absent if the file can't be read. */
  readonly blocks?: number | undefined
}

export interface OperationsView {
  /** The OpenAPI version, such as `3.1`. Absent if the document can't be read. */
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly operations: readonly OperationView[]
  readonly problems: readonly Problem[]
}

export interface OperationView {
  /** The operationId, or `METHOD /path`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly resources: readonly string[]
  readonly summary?: string | undefined
  readonly deprecated?: boolean | undefined
}
