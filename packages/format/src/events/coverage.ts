// Computes contract coverage from events: the documented operations, statuses and media types that runs have exercised.

import { matchMediaType, statusKeys } from "../text/response-type.ts"
import { trackBlocks } from "./open-blocks.ts"
import type { AnsweredOperation, DocumentedOperation, RunEvent } from "./types.ts"

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
  readonly mediaTypes: readonly { readonly mediaType: string; readonly blocks: readonly string[] }[]
}

type Blocks = Set<string>

interface Counted {
  readonly documented: DocumentedOperation
  readonly blocks: Blocks
  readonly answers: ReadonlyMap<
    string,
    { readonly blocks: Blocks; readonly mediaTypes: ReadonlyMap<string, Blocks> }
  >
  readonly undocumented: Set<string>
}

/** Creates a coverage fold. Requires `api.documented` events, and `answers` in `response.received` events. */
export function createCoverageFold() {
  const apis = new Map<string, Map<string, Counted>>()
  const { apply } = trackBlocks(({ workflow }) => ({
    maxLogs: 0,
    own: () => undefined,
    onArrived: ({ report: { id } }, event) => {
      if (event.type !== "response.received" || event.answers === undefined) return
      count(apis, event.answers, { status: event.response.status, block: `${workflow}: ${id}` })
    },
  }))
  return {
    apply: (event: RunEvent): void => {
      if (event.type === "api.documented") addApi(apis, event)
      apply(event)
    },
    coverage: (): Coverage => report(apis),
  }
}

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
          { blocks: new Set(), mediaTypes: new Map(mediaTypes.map((name) => [name, new Set<string>()])) },
        ]),
      ),
      undocumented: new Set(),
    },
  ])
  apis.set(api, new Map(counted))
}

function count(
  apis: Map<string, Map<string, Counted>>,
  { api, method, path, contentType }: AnsweredOperation,
  { status, block }: { readonly status: number; readonly block: string },
): void {
  const operation = apis.get(api)?.get(keyOf({ method, path }))
  if (operation === undefined) return
  operation.blocks.add(block)
  const answer = statusKeys(status)
    .map((key) => operation.answers.get(key))
    .find((found) => found !== undefined)
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
