// What the page and the server say to each other: the shape of each call and of each event. No node:*; it loads in a browser.

import type { JsonValue, Level, Problem, Report, RunEvent, RunStatus, ScalarType } from "@callsheet/format"

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
  /** What a workflow needs to run. */
  "runs.prepare": Call<{ readonly workflow: string }, RunForm>
  /** Starts a run, or asks first. The run goes on whether or not a page looks at it. */
  "runs.start": Call<RunOrder, RunStarted>
  /** Ends a run as Ctrl-C does; its report is kept. Of a run that is over it changes nothing. */
  "runs.stop": Call<{ readonly run: string }, { readonly run: string }>
  /** A run that goes on, or a kept one. */
  "runs.read": Call<{ readonly run: string }, RunView>
  /** Kept runs of a workflow, latest first. */
  "runs.list": Call<{ readonly workflow: string }, { readonly runs: readonly RunSummary[] }>
  /** The last kept run of each workflow, and the runs that go on. */
  "runs.latest": Call<NoInput, LatestRuns>
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
export type InputKind =
  | "api"
  | "environment"
  | "workflow"
  | "run"
  | "text"
  /** A text, or nothing. */
  | "text?"
  /** An object of names of environments, by names of APIs. */
  | "bindings"
  /** An object of texts, numbers and booleans, by names of inputs. */
  | "values"

type InputKinds<I> = I extends NoInput ? NoInput : { readonly [F in keyof I]-?: InputKind }

/** The fields of each input, all of which must be there unless their kind says otherwise, and no others. */
export const inputKinds: { readonly [N in CallName]: InputKinds<Input<N>> } = {
  "project.read": {},
  "problems.read": {},
  "operations.list": { api: "api" },
  "runs.prepare": { workflow: "workflow" },
  "runs.start": { workflow: "workflow", environments: "bindings", inputs: "values", confirmation: "text?" },
  "runs.stop": { run: "run" },
  "runs.read": { run: "run" },
  "runs.list": { workflow: "workflow" },
  "runs.latest": {},
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
  | { readonly type: "project.changed"; readonly revision: number }
  /** What a run has done, in order, for `createReportFold`. */
  | RunEventsTold
  /** A run has started, or is over: then `runs.read` has its whole report. */
  | {
      readonly type: "run.changed"
      readonly run: string
      readonly workflow: string
      readonly isDone: boolean
    }

export interface RunEventsTold {
  readonly type: "run.events"
  readonly run: string
  /** The number of the first of them in the run, from 0: another one than the page waits for shows that it has missed some. */
  readonly from: number
  readonly events: readonly RunEvent[]
}

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

/** What has to be chosen before a workflow can run. */
export interface RunForm {
  readonly workflow: string
  /** APIs that it touches, in the order in which it names them. */
  readonly apis: readonly RunFormApi[]
  readonly inputs: readonly RunFormInput[]
}

export interface RunFormApi {
  readonly api: string
  readonly environments: readonly EnvironmentView[]
  /** That of the workflow's last run, where it is still there, else the only one. */
  readonly chosen?: string
}

export interface RunFormInput {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly default?: JsonValue
  readonly description?: string
}

export interface RunOrder {
  readonly workflow: string
  /** By API. */
  readonly environments: Readonly<Record<string, string>>
  /** By name. A text is read as the type that the workflow declares; an input that is not given has its default. */
  readonly inputs: Readonly<Record<string, string | number | boolean>>
  /** What the server answered before, once the person has said yes to it. */
  readonly confirmation?: string
}

/** A run, or a question: then nothing was sent, and the same order with the `confirmation` starts the run. */
export type RunStarted = { readonly run: string } | { readonly ask: ProductionQuestion }

export interface ProductionQuestion {
  /** Works once, for a minute, for this very order, while no file changes. */
  readonly confirmation: string
  readonly production: readonly ProductionView[]
}

/** What the run sends at least to one environment of level production. */
export interface ProductionView {
  readonly api: string
  readonly environment: string
  /** Requests where nothing fails; redirects, other branches and longer loops come on top. */
  readonly atLeast: number
  /** Reading ones first, the unknown one last. */
  readonly methods: readonly ProductionMethod[]
}

export interface ProductionMethod {
  /** Absent: known only at run time. */
  readonly method?: string
  /** 0 where the run may send none. */
  readonly atLeast: number
}

export interface RunView {
  readonly run: string
  readonly workflow: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly isDone: boolean
  /** How many events the report is made of: those of `run.events` from this number on are not in it. */
  readonly events: number
  /** What `callsheet run --reporter json` writes; of a run that goes on, as far as it has come. */
  readonly report: Report
}

/** A run that is over. */
export interface RunSummary {
  readonly run: string
  readonly workflow: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly status: RunStatus
  readonly durationMs: number
  /** The environment's name by API. */
  readonly environments: Readonly<Record<string, string>>
}

export interface LatestRuns {
  readonly runs: readonly RunSummary[]
  readonly going: readonly { readonly run: string; readonly workflow: string; readonly startedAt: string }[]
}
