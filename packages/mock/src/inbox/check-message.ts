// Checks a received message against the webhooks and callbacks that the documents of its senders describe.

import { attempt, getOrCreate, memo, type ContractView } from "@callsheet/format"
import type { MessageSender, ReadRequest } from "@callsheet/engine"
import {
  callbackUrls,
  createContractChecker,
  listCallbacks,
  listOperations,
  listWebhooks,
  type KnownExchange,
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
  readonly is: "webhook" | "callback"
  readonly document: OpenApiDocument
  readonly operation: Operation
}

interface MessageChecks {
  readonly senders: readonly MessageSender[]
  /** The part of the run's URLs that is in no other. */
  readonly secret: string
  readonly isSecret: (text: string) => boolean
}

/** The callbacks whose URL is known, by path below the base URL. */
type KnownPaths = Map<string, Set<Operation>>

/** Creates the check of a run, which resolves to undefined if no document describes such a message. */
export function createMessageCheck({ senders, secret, isSecret }: MessageChecks) {
  const described = senders.flatMap(describedBy)
  const known: KnownPaths = new Map()
  const check: CheckMessage = async (message) => {
    let closest: ContractView | undefined
    for (const one of candidates(described, known, message)) {
      const verdict = await judge(one, message, isSecret)
      if (verdict.status !== "failed") return verdict
      if (closest === undefined || verdict.problems.length < closest.problems.length) closest = verdict
    }
    return closest
  }
  const onExchange = (exchange: KnownExchange): void => {
    for (const { url, operation } of callbackUrls(exchange)) {
      const path = pathBelow(url, secret)
      if (path !== undefined) getOrCreate(known, path, () => new Set()).add(operation)
    }
  }
  return { check, onExchange }
}

function describedBy({ document, operations }: MessageSender): readonly Described[] {
  const called = operations.flatMap(listCallbacks)
  const callbacks = called.length > 0 ? called : listOperations(document).flatMap(listCallbacks)
  return [
    ...listWebhooks(document).map((operation): Described => ({ is: "webhook", document, operation })),
    ...callbacks.map(({ operation }): Described => ({ is: "callback", document, operation })),
  ]
}

/** Returns the path of a URL below the run's base URL, as a client would send it. Undefined for any other URL. */
function pathBelow(url: string, secret: string): string | undefined {
  const path = attempt(() => new URL(url).pathname) ?? ""
  const at = path.indexOf(`/${secret}`)
  if (at === -1) return undefined
  return path.slice(at + secret.length + 1) || "/"
}

/**
 * Returns what a message may be: a callback that was registered for its path, what is named like the last segment of
 * the path, or else anything of its method.
 */
function candidates(
  described: readonly Described[],
  known: KnownPaths,
  { method, path }: ReceivedMessage,
): readonly Described[] {
  const ofMethod = described.filter(({ operation }) => operation.method === method)
  const last = path.slice(path.lastIndexOf("/") + 1)
  const named = ofMethod.filter(
    ({ operation }) => encodeURIComponent(operation.path) === last || operation.path === last,
  )
  const registered = [...(known.get(path) ?? [])]
    .filter((operation) => operation.method === method)
    .map((operation): Described => ({ is: "callback", document: operation.document, operation }))
  if (registered.length > 0) return [...registered, ...named.filter(({ is }) => is === "webhook")]
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
