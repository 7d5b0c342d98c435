// Calls that tell what a project holds.

import { shapes, type Level, type Problem } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { api } from "./names.ts"

const { object } = shapes

export const projectCalls = {
  /** All that the project holds, as it is now. Documents are not looked into: it answers at once, however large they are. */
  "project.read": call(object({}), answer<ProjectView>()),
  /** What `callsheet validate` says. In a large project it answers some seconds after `project.read`, so ask for both at once. */
  "problems.read": call(object({}), answer<ProblemsView>()),
  "operations.list": call(object({ api }), answer<OperationsView>()),
}

export interface ProjectView {
  readonly revision: number
  readonly name: string
  readonly apis: readonly ApiView[]
  readonly workflows: readonly WorkflowView[]
}

export interface ProblemsView {
  /** Of the project that was checked: that of `project.read`, or a later one. */
  readonly revision: number
  readonly problems: readonly Problem[]
}

export interface ApiView {
  readonly name: string
  readonly document?: DocumentView | undefined
  readonly environments: readonly EnvironmentView[]
  readonly requests: readonly SavedRequestView[]
}

interface DocumentView {
  /** From the root of the project. What is in it, `operations.list` says. */
  readonly file: string
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
  /** The operation, or the method and the path; absent where the file cannot be read. */
  readonly target?: string | undefined
}

export interface WorkflowView {
  readonly name: string
  readonly apis: readonly string[]
  /** All of them, nested ones included; absent where the file cannot be read. */
  readonly blocks?: number | undefined
}

export interface OperationsView {
  /** `3.1`; absent where the document cannot be read. */
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly operations: readonly OperationView[]
  readonly problems: readonly Problem[]
}

export interface OperationView {
  /** Its operationId, or `METHOD /path`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly resources: readonly string[]
  readonly summary?: string | undefined
  readonly deprecated?: boolean | undefined
}
