// Calls that run workflows, and tell of runs.

import {
  shapes,
  type JsonValue,
  type Report,
  type RunEvent,
  type RunSoFar,
  type RunStatus,
  type ScalarType,
} from "@callsheet/format"
import { answer, call } from "./call.ts"
import {
  api,
  checkApiName,
  checkInputName,
  environment,
  environmentName,
  requestName,
  run,
  text,
  workflow,
} from "./names.ts"
import type { EnvironmentView } from "./project.ts"

const { boolean, either, map, number, object, optional, required } = shapes

const agreements = {
  confirmation: optional(text, "What the server answered before, once the person has said yes to it."),
  trust: optional(
    text,
    "The `confirmation` of a question about scripts, once the person has said yes to it.",
  ),
}

const runOrder = object({
  workflow,
  environments: required(map(environmentName, checkApiName), "The environment's name by API."),
  inputs: required(
    map(either("a text, a number, true or false", text, number(), boolean), checkInputName),
    "By name. A text is read as the type that the workflow declares; an input that is not given has its default.",
  ),
  ...agreements,
  until: optional(
    text,
    "The id of a block, as the file has it, after which the run ends; for a loop around it, after the first iteration.",
  ),
  only: optional(
    text,
    "The id of the one block to run, with what it holds, on the results of the last run of the workflow with the same environments and inputs: `results-missing` where there are none.",
  ),
})
export type RunOrder = shapes.TypeOf<typeof runOrder>

const sendOrder = object({
  api,
  resource: required(requestName, "The folder of the saved request."),
  request: required(requestName, "The name of the saved request."),
  text: optional(text, "Sent in the place of what is saved; then the file need not be there."),
  environment,
  ...agreements,
})
export type SendOrder = shapes.TypeOf<typeof sendOrder>

export const runCalls = {
  "runs.prepare": call(object({ workflow }), answer<RunForm>()),
  /** Starts a run, or asks first. The run goes on whether or not a page looks at it. */
  "runs.start": call(runOrder, answer<RunStarted>()),
  /** Ends a run as Ctrl-C does; its report is kept. For a run that is over it changes nothing. */
  "runs.stop": call(object({ run }), answer<{ readonly run: string }>()),
  /** What a saved request of an API needs to be sent: an environment. */
  "requests.prepare": call(object({ api }), answer<RunFormApi>()),
  /** Sends one saved request, or asks first. It is not in the history; only the last ones can be read again. */
  "requests.send": call(sendOrder, answer<RunStarted>()),
  /** A run that goes on, or a kept one. */
  "runs.read": call(object({ run }), answer<RunView>()),
  /** Kept runs of a workflow, latest first. */
  "runs.list": call(object({ workflow }), answer<{ readonly runs: readonly RunSummary[] }>()),
  /** The last kept run of each workflow as a whole, and the runs that go on. */
  "runs.latest": call(object({}), answer<LatestRuns>()),
}

export interface RunEventsTold {
  readonly type: "run.events"
  readonly run: string
  /** The number of the first of them in the run, from 0: another one than the page waits for shows that it has missed some. */
  readonly from: number
  readonly events: readonly RunEvent[]
}

export interface RunForm {
  readonly workflow: string
  readonly apis: readonly RunFormApi[]
  readonly inputs: readonly RunFormInput[]
}

export interface RunFormApi {
  readonly api: string
  readonly environments: readonly EnvironmentView[]
  /** That of the workflow's last run, else what the API was last sent to, but for production, else the only one. */
  readonly chosen?: string | undefined
}

export interface RunFormInput {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly default?: JsonValue | undefined
  readonly description?: string | undefined
}

/** After a question nothing was sent or loaded; the same order with the answer starts the run, or is asked the other question. */
export type RunStarted =
  | { readonly run: string }
  | { readonly ask: ProductionQuestion }
  | { readonly trust: TrustQuestion }

export interface TrustQuestion {
  /** Works once, for half an hour, for the scripts as they are. */
  readonly confirmation: string
  readonly scripts: readonly UnknownScript[]
}

export interface UnknownScript {
  readonly path: string
  /** False where an earlier text of it was said yes to. */
  readonly isNew: boolean
}

export interface ProductionQuestion {
  /** Works once, for a minute, for this very order, while no file changes. */
  readonly confirmation: string
  readonly production: readonly ProductionView[]
}

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
  readonly method?: string | undefined
  readonly atLeast: number
}

export interface RunView {
  readonly run: string
  readonly workflow: string
  readonly startedAt: string
  /** Absent: the run is of the whole workflow. */
  readonly part?: RunPart | undefined
  readonly isDone: boolean
  /** How many events the report is made of: those of `run.events` from this number on are not in it. */
  readonly events: number
  /** Of a run that goes on: what `createReportFold` needs to go on with the report. */
  readonly going?: readonly RunSoFar[] | undefined
  /** What `callsheet run --reporter json` writes; of a run that goes on, as far as it has come. */
  readonly report: Report
}

export interface RunSummary {
  readonly run: string
  readonly workflow: string
  readonly startedAt: string
  readonly status: RunStatus
  readonly durationMs: number
  readonly environments: Readonly<Record<string, string>>
  readonly isStopped?: boolean | undefined
  /** Absent: the run was of the whole workflow. */
  readonly part?: RunPart | undefined
}

export type RunPart = { readonly until: string } | { readonly only: string }

export interface LatestRuns {
  readonly runs: readonly RunSummary[]
  readonly going: readonly { readonly run: string; readonly workflow: string; readonly startedAt: string }[]
}
