// A request that a mock has answered, for its log and its record. Every text is masked.

import { createMasker, type Masker } from "@callsheet/engine"
import {
  isJsonArray,
  maskEvent,
  once,
  ownOf,
  setOwn,
  streamFormatOf,
  type AnsweredOperation,
  type ContractProblem,
  type ContractView,
  type Mask,
  type RequestView,
  type ResponseView,
} from "@callsheet/format"
import type { Answer, RefusalCode } from "./answer.ts"
import { type BodyContent, type Incoming } from "./incoming.ts"

export interface MockCall {
  readonly api: string
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly status: number
  /** When the request arrived, in milliseconds since 1970. */
  readonly startMs: number
  readonly durationMs: number
  readonly operation: AnsweredOperation | undefined
  /** Set if the mock refused the request. */
  readonly refusal:
    | {
        readonly code: RefusalCode
        readonly message: string
        readonly problems: readonly ContractProblem[]
      }
    | undefined
  /** The problems of a request that was answered all the same. */
  readonly tolerated: readonly ContractProblem[]
  /** The document's verdict on the answer. */
  readonly contract: ContractView | undefined
  /** Returns the request and the response in full. */
  readonly exchange: () => { readonly request: RequestView; readonly response: ResponseView }
}

export interface CallFacts {
  readonly api: string
  readonly origin: string
  readonly incoming: Incoming
  readonly content: () => BodyContent
  readonly answer: Answer
  /** Masks the secrets of the request and of the answer. */
  readonly masker: Masker
  readonly startMs: number
  readonly durationMs: number
}

/** A masker for the calls without secrets, which most are. */
export const noSecrets = createMasker([])

export function createCall({
  api,
  origin,
  incoming,
  content,
  answer,
  masker,
  ...times
}: CallFacts): MockCall {
  const { operation, refusal, contract, status } = answer
  const mask: Mask = { ...masker, excerpt: masker.value, detail: masker.value }
  const problemsOf = (problems: readonly ContractProblem[]) =>
    problems.length === 0
      ? problems
      : maskEvent({ type: "request.checked", run: 0, block: 0, problems }, mask).problems
  return {
    api,
    method: incoming.method,
    target: masker.url(incoming.target),
    status,
    ...times,
    operation: operation && {
      api,
      name: operation.name,
      method: operation.method,
      path: operation.path,
      ...contentTypeOf(answer),
    },
    refusal: refusal && {
      code: refusal.code,
      message: masker.text(refusal.message),
      problems: problemsOf(refusal.problems),
    },
    tolerated: problemsOf(answer.tolerated ?? []),
    contract: contract && maskEvent({ type: "contract.checked", run: 0, block: 0, contract }, mask).contract,
    exchange: once(() => ({
      request: maskEvent(
        { type: "request.sent", run: 0, block: 0, request: requestView(incoming, origin, content()) },
        mask,
      ).request,
      response: maskEvent(
        { type: "response.received", run: 0, block: 0, response: responseView(answer, times.durationMs) },
        mask,
      ).response,
    })),
  }
}

function contentTypeOf({ headers }: Answer): { readonly contentType?: string } {
  const type = headers["content-type"]
  return typeof type === "string" ? { contentType: type } : {}
}

function requestView(incoming: Incoming, origin: string, content: BodyContent): RequestView {
  const headers: Record<string, string> = {}
  for (const [name, value] of incoming.headers) {
    const own = name.toLowerCase()
    const before = ownOf(headers, own)
    setOwn(headers, own, before === undefined ? value : `${before}, ${value}`)
  }
  const body = content.is === "none" ? {} : { body: content.value }
  return { method: incoming.method, url: origin + incoming.target, headers, ...body }
}

const responseView = ({ status, headers, body, bytes }: Answer, durationMs: number): ResponseView => ({
  status,
  headers,
  ...(body === undefined ? {} : { body }),
  durationMs,
  sizeBytes: bytes.length,
  ...(isStream(headers) && isJsonArray(body) ? { endedBy: "server", items: body.length } : {}),
})

const isStream = ({ "content-type": type }: Answer["headers"]): boolean =>
  typeof type === "string" && streamFormatOf(type) !== undefined
