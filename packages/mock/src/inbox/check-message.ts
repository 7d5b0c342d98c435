// Checks a received message against the webhooks and callbacks that the documents of its senders describe.

import { memo, type ContractView } from "@callsheet/format"
import type { MessageSender, ReadRequest } from "@callsheet/engine"
import {
  createContractChecker,
  listCallbacks,
  listOperations,
  listWebhooks,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"

interface ReceivedMessage extends Pick<ReadRequest, "headers" | "bytes" | "body"> {
  readonly method: string
  readonly path: string
  /** The query with its `?`, or "". */
  readonly search: string
  readonly lines: readonly string[]
}

export type CheckMessage = (message: ReceivedMessage) => Promise<ContractView | undefined>

interface Described {
  readonly document: OpenApiDocument
  readonly operation: Operation
}

/** Creates a check, which resolves to undefined if no document describes such a message. */
export function createMessageCheck(
  senders: readonly MessageSender[],
  isSecret: (text: string) => boolean,
): CheckMessage {
  const described = senders.flatMap(({ document, operations }) => {
    const called = operations.flatMap(listCallbacks)
    const callbacks = called.length > 0 ? called : listOperations(document).flatMap(listCallbacks)
    return [...listWebhooks(document), ...callbacks].map((operation): Described => ({ document, operation }))
  })
  return async (message) => {
    let closest: ContractView | undefined
    for (const one of candidates(described, message)) {
      const verdict = await judge(one, message, isSecret)
      if (verdict.status !== "failed") return verdict
      if (closest === undefined || verdict.problems.length < closest.problems.length) closest = verdict
    }
    return closest
  }
}

/** Returns what a message may be: what is named like the last segment of its path, or else anything of its method. */
function candidates(
  described: readonly Described[],
  { method, path }: ReceivedMessage,
): readonly Described[] {
  const ofMethod = described.filter(({ operation }) => operation.method === method)
  const last = path.slice(path.lastIndexOf("/") + 1)
  const named = ofMethod.filter(
    ({ operation }) => encodeURIComponent(operation.path) === last || operation.path === last,
  )
  return named.length > 0 ? named : ofMethod
}

const checkerOf = memo(createContractChecker)

async function judge(
  { document, operation }: Described,
  { path, search, lines, headers, bytes, body }: ReceivedMessage,
  isSecret: (text: string) => boolean,
): Promise<ContractView> {
  const verdict = await checkerOf(document).checkRequest({
    operation,
    url: `http://inbox.invalid${path}${search}`,
    headers: pairsOf(lines),
    cookies: {},
    // The address that the sender was given may contain any query.
    queryNames: [],
    body: bytes.length === 0 ? undefined : { bytes, value: body.value ?? null, bodyType: "text" },
    isSecret,
  })
  const problems = verdict?.problems(headers) ?? []
  const reason = verdict?.unchecked === undefined ? {} : { unchecked: verdict.unchecked }
  if (problems.length > 0) return { status: "failed", problems, ...reason }
  return { status: verdict?.unchecked === undefined ? "passed" : "unchecked", problems, ...reason }
}

const pairsOf = (lines: readonly string[]): readonly (readonly [string, string])[] =>
  lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? ""] as const] : []))
