// Computes contract coverage from events: the documented operations, statuses and media types that runs have exercised.

import { matchMediaType, statusKeys } from "../text/response-type.ts"
import { trackBlocks } from "./open-blocks.ts"
import type { AnsweredOperation, DocumentedOperation, RunEvent } from "./types.ts"
import { uncheckedBodies } from "./unchecked.ts"

export interface Share {
  readonly exercised: number
  readonly documented: number
  /** The percentage with one decimal, or 100 if nothing is documented. */
  readonly percent: number
}

interface Shares {
  readonly operations: Share
  readonly statuses: Share
  readonly mediaTypes: Share
}

export interface Coverage extends Shares {
  readonly version: 1
  readonly apis: readonly ApiCoverage[]
}

export interface ApiCoverage extends Shares {
  readonly api: string
  readonly details: readonly OperationCoverage[]
}

export interface OperationCoverage {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** The blocks that sent a request to the operation, each as `workflow: block`. */
  readonly blocks: readonly string[]
  readonly answers: readonly AnswerCoverage[]
  readonly undocumented: readonly string[]
}

interface AnswerCoverage {
  readonly status: string
  readonly blocks: readonly string[]
  /** The blocks with a body that wasn't checked against its schema. Absent if there are none. */
  readonly unchecked?: readonly string[] | undefined
  readonly mediaTypes: readonly { readonly mediaType: string; readonly blocks: readonly string[] }[]
}

type Blocks = Set<string>

interface Counted {
  readonly documented: DocumentedOperation
  readonly blocks: Blocks
  readonly answers: ReadonlyMap<
    string,
    { readonly blocks: Blocks; readonly unchecked: Blocks; readonly mediaTypes: ReadonlyMap<string, Blocks> }
  >
  readonly undocumented: Set<string>
}

/** Creates a coverage fold. Requires `api.documented` events, and `answers` in `response.received` events. */
export function createCoverageFold() {
  const apis = new Map<string, Map<string, Counted>>()
  const projects = new Map<number, string>()
  const { apply } = trackBlocks<{ answers?: AnsweredOperation | undefined }>(({ workflow, project }) => ({
    maxLogs: 0,
    own: () => ({}),
    onArrived: ({ own, report }, event) => {
      if (event.type === "response.received") own.answers = event.answers
      if (own.answers === undefined || report.response === undefined) return
      const answers = { ...own.answers, api: apiIn(project, own.answers.api) }
      const answered = { status: report.response.status, block: `${workflow}: ${report.id}` }
      if (event.type === "response.received") count(apis, answers, answered)
      // The contract is checked after the response arrived.
      else if (event.type === "contract.checked" && uncheckedBodies(report).length > 0)
        answerOf(operationOf(apis, answers), answered)?.unchecked.add(answered.block)
    },
  }))
  return {
    apply: (event: RunEvent): void => {
      if (event.type === "run.started" && event.project !== undefined) projects.set(event.run, event.project)
      if (event.type === "api.documented")
        addApi(apis, { ...event, api: apiIn(projects.get(event.run), event.api) })
      apply(event)
    },
    coverage: (): Coverage => report(apis),
  }
}

/** Two projects may have APIs of the same name. */
const apiIn = (project: string | undefined, api: string): string =>
  project === undefined ? api : `${project} › ${api}`

const keyOf = ({ method, path }: Pick<DocumentedOperation, "method" | "path">): string => `${method} ${path}`

function addApi(
  apis: Map<string, Map<string, Counted>>,
  { api, operations }: Extract<RunEvent, { type: "api.documented" }>,
): void {
  if (apis.has(api)) return
  const counted = operations.map((documented): [string, Counted] => [
    keyOf(documented),
    {
      documented,
      blocks: new Set(),
      answers: new Map(
        documented.answers.map(({ status, mediaTypes }) => [
          status,
          {
            blocks: new Set(),
            unchecked: new Set(),
            mediaTypes: new Map(mediaTypes.map((name) => [name, new Set<string>()])),
          },
        ]),
      ),
      undocumented: new Set(),
    },
  ])
  apis.set(api, new Map(counted))
}

interface Answered {
  readonly status: number
  readonly block: string
}

const operationOf = (
  apis: ReadonlyMap<string, ReadonlyMap<string, Counted>>,
  { api, method, path }: AnsweredOperation,
): Counted | undefined => apis.get(api)?.get(keyOf({ method, path }))

const answerOf = (operation: Counted | undefined, { status }: Answered) =>
  statusKeys(status)
    .map((key) => operation?.answers.get(key))
    .find((found) => found !== undefined)

function count(
  apis: Map<string, Map<string, Counted>>,
  answered: AnsweredOperation,
  { status, block }: Answered,
): void {
  const { contentType } = answered
  const operation = operationOf(apis, answered)
  if (operation === undefined) return
  operation.blocks.add(block)
  const answer = answerOf(operation, { status, block })
  if (answer === undefined) {
    operation.undocumented.add(String(status))
    return
  }
  answer.blocks.add(block)
  const documented = [...answer.mediaTypes].map(([name, blocks]) => ({ name, blocks }))
  if (contentType !== undefined) matchMediaType(documented, contentType)?.blocks.add(block)
}

function report(apis: ReadonlyMap<string, ReadonlyMap<string, Counted>>): Coverage {
  const list = [...apis].map(([api, operations]): ApiCoverage => {
    const all = [...operations.values()]
    return { api, ...sharesOf(all), details: all.map(detailOf) }
  })
  const all = [...apis.values()].flatMap((operations) => [...operations.values()])
  return { version: 1, ...sharesOf(all), apis: list }
}

const detailOf = ({ documented, blocks, answers, undocumented }: Counted): OperationCoverage => ({
  operation: documented.name,
  method: documented.method,
  path: documented.path,
  blocks: [...blocks],
  answers: [...answers].map(([status, answer]) => ({
    status,
    blocks: [...answer.blocks],
    unchecked: answer.unchecked.size === 0 ? undefined : [...answer.unchecked],
    mediaTypes: [...answer.mediaTypes].map(([mediaType, by]) => ({ mediaType, blocks: [...by] })),
  })),
  undocumented: [...undocumented].sort(),
})

function sharesOf(operations: readonly Counted[]): Shares {
  const answers = operations.flatMap((operation) => [...operation.answers.values()])
  const mediaTypes = answers.flatMap((answer) => [...answer.mediaTypes.values()])
  return {
    operations: shareOf(operations.map(({ blocks }) => blocks)),
    statuses: shareOf(answers.map(({ blocks }) => blocks)),
    mediaTypes: shareOf(mediaTypes),
  }
}

function shareOf(parts: readonly Blocks[]): Share {
  const exercised = parts.filter(({ size }) => size > 0).length
  const percent = parts.length === 0 ? 100 : Math.floor((exercised / parts.length) * 1000) / 10
  return { exercised, documented: parts.length, percent }
}
