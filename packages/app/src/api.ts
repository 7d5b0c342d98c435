// What the page and the server say to each other: the shape of each call and of each event. No node:*; it loads in a browser.

import type { Level, Problem } from "@callsheet/format"

/**
 * What the page asks of the server, by name: `POST /api/<name>` with the input as JSON. Calls speak in names of the format
 * (an API, an environment, a workflow); none takes a path of a file.
 */
export interface Calls {
  /** All that the project holds, as it is now. Documents are not looked into: it answers at once, however large they are. */
  "project.read": Call<NoInput, ProjectView>
  /** What `callsheet validate` says. In a large project it answers some seconds after `project.read`, so ask for both at once. */
  "problems.read": Call<NoInput, ProblemsView>
  /** The operations of an API's document. */
  "operations.list": Call<{ readonly api: string }, OperationsView>
}

export type CallName = keyof Calls
export type Input<N extends CallName> = Calls[N]["input"]
export type Output<N extends CallName> = Calls[N]["output"]

interface Call<I, O> {
  readonly input: I
  readonly output: O
}

type NoInput = Readonly<Record<string, never>>

/** What a field of an input is. Names are held against what the format allows before anything is done with them. */
export type InputKind = "api" | "environment" | "workflow" | "text"

type InputKinds<I> = I extends NoInput ? NoInput : { readonly [F in keyof I]: InputKind }

/** The fields of each input, all of which must be there, and no others. */
export const inputKinds: { readonly [N in CallName]: InputKinds<Input<N>> } = {
  "project.read": {},
  "problems.read": {},
  "operations.list": { api: "api" },
}

/** How a call that fails is answered, with a status of 400 and above. */
export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

/** What the server tells of its own accord: `POST /events`, a line of JSON each. */
export type AppEvent =
  /** Files of the project are other than they were; `project.read` says how. */
  { readonly type: "project.changed"; readonly revision: number }

export interface ProjectView {
  /** Rises with each change of a file. */
  readonly revision: number
  /** Of its folder. */
  readonly name: string
  readonly apis: readonly ApiView[]
  readonly workflows: readonly WorkflowView[]
}

export interface ProblemsView {
  /** Of the project that was checked: that of `project.read`, or a later one. */
  readonly revision: number
  /** Errors and warnings, by file and by place in the file. */
  readonly problems: readonly Problem[]
}

export interface ApiView {
  readonly name: string
  readonly document?: DocumentView
  readonly environments: readonly EnvironmentView[]
  readonly requests: readonly SavedRequestView[]
}

export interface DocumentView {
  /** From the root of the project. What is in it, `operations.list` says. */
  readonly file: string
}

export interface EnvironmentView {
  readonly name: string
  readonly level: Level
  readonly extends?: string
}

export interface SavedRequestView {
  readonly resource: string
  readonly name: string
  readonly description?: string
  /** The operation, or the method and the path; absent where the file cannot be read. */
  readonly target?: string
}

export interface WorkflowView {
  readonly name: string
  readonly description?: string
  /** APIs that it touches. */
  readonly apis: readonly string[]
  /** All of them, nested ones included; absent where the file cannot be read. */
  readonly blocks?: number
}

export interface OperationsView {
  /** `3.1`; absent where the document cannot be read. */
  readonly version?: string
  readonly title?: string
  readonly operations: readonly OperationView[]
  readonly problems: readonly Problem[]
}

export interface OperationView {
  /** Its operationId, or `METHOD /path`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly resources: readonly string[]
  readonly summary?: string
  readonly deprecated?: boolean
}
