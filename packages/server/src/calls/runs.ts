// Calls that start, stop and list runs.

import {
  shapes,
  type BlockDifference,
  type JsonValue,
  type Report,
  type RunEvent,
  type RunSoFar,
  type ScalarType,
} from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import {
  api,
  checkApiName,
  checkInputName,
  environment,
  environmentName,
  inboxUrl,
  requestName,
  run,
  runName,
  subject,
  subjectName,
  text,
} from "./names.ts"
import type { EnvironmentView } from "./project.ts"

const { boolean, either, enumOf, map, number, object, optional, required } = shapes

const agreements = {
  confirmation: optional(text, "The `confirmation` of the question that the user confirmed."),
  trust: optional(text, "The `confirmation` of the question about scripts that the user confirmed."),
}

const runOrder = object({
  workflow: subject,
  environments: required(
    map(environmentName, checkApiName),
    "The environment by API. In a suite, used by entries without an environment of their own.",
  ),
  inputs: required(
    map(either("a string, a number, true or false", text, number(), boolean), checkInputName),
    "Inputs by name. A string is parsed as the declared type. Missing inputs have their defaults.",
  ),
  ...agreements,
  until: optional(
    text,
    "The id of the last block to run, as written in the file. Inside a loop, only the first iteration runs.",
  ),
  only: optional(
    text,
    "The id of the only block to run, with its nested blocks. It reads results of the last run with the same environments and inputs. Without such a run, the call answers `results-missing`.",
  ),
  onFailure: optional(enumOf("halt", "continue"), "Overrides the `onFailure` of the workflow."),
  validatesContracts: optional(boolean, "True to check contracts even in workflows that don't."),
  comparesSnapshots: optional(boolean, "True to compare responses with their snapshots."),
  inboxPort: optional(
    number({ integer: true, minimum: 1, maximum: 65_535 }),
    "The port of the inbox. Overrides that of `callsheet.json`.",
  ),
  inboxUrl: optional(inboxUrl, "The address of the inbox for others. Overrides that of `callsheet.json`."),
})
export type RunOrder = shapes.TypeOf<typeof runOrder>

const login = required(text, "The login, as the start was answered with it.")

const sendOrder = object({
  api,
  resource: required(requestName, "The directory of the saved request."),
  request: required(requestName, "The name of the saved request."),
  text: optional(text, "The text to send instead of the saved file, which need not exist."),
  environment,
  ...agreements,
})
export type SendOrder = shapes.TypeOf<typeof sendOrder>

const tryOrder = object({
  text: required(text, "The URL, or the curl command."),
  ...agreements,
})
export type TryOrder = shapes.TypeOf<typeof tryOrder>

export const runCalls = {
  "runs.prepare": call(object({ workflow: subject }), answer<RunForm>()),
  /** Starts a run or returns a question. The run continues even if the page is closed. */
  "runs.start": call(runOrder, answer<RunStarted>()),
  /** Waits for a login. Returns the run, or the next question. */
  "runs.login": call(object({ login }), answer<RunStarted>()),
  /** Ends a login. The run then doesn't start. */
  "runs.cancelLogin": call(object({ login }), answer<Nothing>()),
  /** Moves the finished runs of a suite to its new name. */
  "runs.rename": call(
    object({ from: required(subjectName, "The old name."), to: required(subjectName, "The new name.") }),
    answer<Nothing>(),
  ),
  /** Stops a run like Ctrl-C, and keeps its report. Does nothing if the run has finished. */
  "runs.stop": call(object({ run }), answer<{ readonly run: string }>()),
  /** Returns the environment of each API that is used until the user chooses another. */
  "runs.presets": call(object({}), answer<EnvironmentPresets>()),
  /** Returns the environments to which an API's saved requests can be sent. */
  "requests.prepare": call(object({ api }), answer<RunFormApi>()),
  /**
   * Sends a saved request or returns a question. The history doesn't include it. Only the latest one can be read again.
   */
  "requests.send": call(sendOrder, answer<RunStarted>()),
  /**
   * Sends a URL or a curl command in no environment, or returns a question. Like `requests.send`, but there is no file, and
   * nothing is written. Answers 422 if the text isn't one request.
   */
  "requests.try": call(tryOrder, answer<Tried>()),
  "runs.read": call(object({ run }), answer<RunView>()),
  /** Compares the responses of two finished runs, with the contracts of the project. */
  "runs.compare": call(
    object({
      before: required(runName, "The earlier run."),
      after: required(runName, "The later run."),
    }),
    answer<RunComparison>(),
  ),
  /** Lists the stored runs of a workflow, newest first. */
  "runs.list": call(object({ workflow: subject }), answer<{ readonly runs: readonly RunSummary[] }>()),
  /** Returns the last stored full run of each workflow, and all current runs. */
  "runs.latest": call(object({}), answer<LatestRuns>()),
}

export interface RunComparison {
  /** The blocks whose responses differ, by their key in `compareRuns`. */
  readonly blocks: readonly { readonly key: string; readonly differences: readonly BlockDifference[] }[]
}

export interface RunEventBatch {
  readonly type: "run.events"
  readonly run: string
  /** The index of the batch's first event, from 0. If it isn't the next one, the page has missed events. */
  readonly from: number
  readonly events: readonly RunEvent[]
}

export interface RunForm {
  readonly workflow: string
  readonly apis: readonly RunFormApi[]
  readonly inputs: readonly RunFormInput[]
  /** True if the project has snapshots, with which a run can compare its responses. */
  readonly hasSnapshots?: true | undefined
  /** True if the run may start the inbox. */
  readonly hasInbox?: true | undefined
}

export interface RunFormApi {
  readonly api: string
  readonly environments: readonly EnvironmentView[]
  /**
   * The environment that is used until the user chooses another: that of `callsheet.json`, otherwise the API's last one,
   * otherwise the only one. Never production.
   */
  readonly chosen?: string | undefined
}

export interface EnvironmentPresets {
  /** The environment by API, as `chosen` of `RunFormApi`. Omits APIs without one. */
  readonly environments: Readonly<Record<string, string>>
}

export interface RunFormInput {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly default?: JsonValue | undefined
  readonly description?: string | undefined
}

/** A run, or a question if nothing has been sent yet. Send the same order again with the answer. */
export type RunStarted =
  | { readonly run: string }
  | { readonly login: LoginQuestion }
  | { readonly ask: ProductionQuestion }
  | { readonly trust: TrustQuestion }

export interface Tried {
  readonly started: RunStarted
  /** What the request can't express of the text. */
  readonly losses: readonly { readonly where: string; readonly what: string; readonly reason: string }[]
}

/** The user has to log in. `runs.login` or `logins.wait` returns what happens next. */
export interface LoginQuestion {
  readonly login: string
  /** The provider's page. An http or https URL. */
  readonly url: string
}

export interface TrustQuestion {
  /** Valid once, for half an hour, as long as the scripts don't change. */
  readonly confirmation: string
  readonly scripts: readonly UnknownScript[]
}

export interface UnknownScript {
  readonly path: string
  /** False if the user approved an earlier version of the script. */
  readonly isNew: boolean
}

export interface ProductionQuestion {
  /** Valid once, for a minute, for exactly this order, as long as no file changes. */
  readonly confirmation: string
  readonly production: readonly ProductionView[]
}

export interface ProductionView {
  readonly api: string
  readonly environment: string
  /** The number of requests if nothing fails. Redirects, other branches and more iterations add to it. */
  readonly atLeast: number
  /** Counts per method: first read-only methods, then others, then requests whose method isn't known. */
  readonly methods: readonly { readonly method?: string | undefined; readonly atLeast: number }[]
}

export interface RunView {
  readonly run: string
  readonly workflow: string
  readonly startedAt: string
  /** Absent if the run covers the whole workflow. */
  readonly part?: RunPart | undefined
  readonly isDone: boolean
  /** The number of events that the report includes. Apply `run.events` from this index on. */
  readonly events: number
  /** For a current run, the state from which `createReportFold` continues the report. */
  readonly going?: readonly RunSoFar[] | undefined
  /** The JSON of `callsheet run --reporter json`. For a current run, the report so far. */
  readonly report: Report
}

const runPart = object(
  { until: optional(text, "The last block."), only: optional(text, "The one block.") },
  { rule: "exactlyOne", of: ["until", "only"] },
)
export type RunPart = shapes.TypeOf<typeof runPart>

const workflowResult = object({
  status: required(enumOf("passed", "failed", "error"), "The result."),
  unchecked: optional(number(), "The number of responses of 400 or above that nothing checked."),
  file: required(text, "The start of the SHA-256 of the workflow's file."),
  uses: optional(
    text,
    "That of the scripts and saved requests that it uses. Absent in runs of older versions.",
  ),
})
export type WorkflowResult = shapes.TypeOf<typeof workflowResult>

export const runSummary = object({
  run: required(runName, "The run."),
  workflow: required(subjectName, "The workflow's name, or `suite/` and the name of a suite."),
  startedAt: required(text, "ISO 8601."),
  status: required(enumOf("passed", "failed", "error"), "The result."),
  durationMs: required(number(), "Milliseconds."),
  environments: required(map(environmentName), "The environment's name by API."),
  isStopped: optional(boolean, "True if the user stopped the run."),
  part: optional(runPart, "The part of the workflow that ran. Absent for a whole workflow."),
  results: optional(
    map(workflowResult),
    "The result of each workflow that ran. Absent in runs of older versions.",
  ),
})
export type RunSummary = shapes.TypeOf<typeof runSummary>

export interface LatestRuns {
  readonly runs: readonly RunSummary[]
  /** The workflows of which a file has changed since their last run. Absent if there are none. */
  readonly edited?: readonly string[] | undefined
  readonly going: readonly { readonly run: string; readonly workflow: string; readonly startedAt: string }[]
}
