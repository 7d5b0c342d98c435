// Compares the attempts of a repeated run, to show their first difference.

import {
  isEqual,
  type EventOf,
  type Exchange,
  type ExchangeDifference,
  type Listener,
  type ResponseView,
} from "@callsheet/format"

interface Entered {
  readonly path: string
  exchange?: Exchange
}

/** The exchanges of one attempt, each under the path of its block: `poll › [2] › get`. */
type Attempt = ReadonlyMap<string, Exchange>

export interface AttemptRecorder {
  /** Receives the masked events of the attempt. */
  readonly hear: Listener
  readonly exchanges: () => Attempt
}

/** Creates a recorder of the exchanges of one run. */
export function createAttemptRecorder(): AttemptRecorder {
  const blocks = new Map<number, Entered>()
  const hear: Listener = (event) => {
    if (event.type === "block.started") blocks.set(event.block, { path: pathOf(event, blocks) })
    else if (event.type === "request.sent" || event.type === "response.received") {
      const block = blocks.get(event.block)
      if (block === undefined) return
      if (event.type === "request.sent") block.exchange = { block: block.path, request: event.request }
      else if (block.exchange !== undefined) block.exchange = { ...block.exchange, response: event.response }
    }
  }
  return {
    hear,
    exchanges: () =>
      new Map([...blocks.values()].flatMap(({ path, exchange }) => (exchange ? [[path, exchange]] : []))),
  }
}

function pathOf(
  { id, parent, iteration }: EventOf<"block.started">,
  blocks: ReadonlyMap<number, Entered>,
): string {
  const around = parent === undefined ? undefined : blocks.get(parent)?.path
  return [around, iteration === undefined ? undefined : `[${iteration}]`, id]
    .filter((part) => part !== undefined)
    .join(" › ")
}

/** Returns the first exchange whose status differs. If all statuses are equal, returns the first whose body differs. */
export function differenceOf(first: Attempt, second: Attempt): ExchangeDifference | undefined {
  const find = (differs: (a: ResponseView | undefined, b: ResponseView | undefined) => boolean) => {
    for (const [block, exchange] of first) {
      const other = second.get(block)
      if (other !== undefined && differs(exchange.response, other.response))
        return { block, first: exchange, second: other }
    }
    return undefined
  }
  return find((a, b) => a?.status !== b?.status) ?? find((a, b) => !isEqual(a?.body ?? null, b?.body ?? null))
}
