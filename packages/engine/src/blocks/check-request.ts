// Checks a request against its operation before it is sent. Problems are only warnings.

import type { ContractProblem, RequestBlock } from "@callsheet/format"
import type { Withheld } from "@callsheet/language"
import type { ContractChecker } from "@callsheet/openapi"
import type { Running } from "../run/context.ts"
import type { SentRequest, Verdicts } from "../ports.ts"
import type { PlannedApi } from "../plan/plan.ts"
import type { BuiltRequest, RequestTemplate } from "../request/request-template.ts"
import { isUnknownAt } from "../run/undecided.ts"

export interface Sending {
  readonly api: PlannedApi
  readonly template: RequestTemplate
  readonly built: BuiltRequest
}

/** The problems of a request. Undefined if it has none, or if contracts aren't checked. */
export type RequestVerdict = Awaited<ReturnType<ContractChecker["checkRequest"]>>

/** Caches the problems of requests that are built once and sent many times. */
const verdicts = new WeakMap<BuiltRequest, { readonly verdict: RequestVerdict }>()

/** Checks a request if the workflow validates contracts. */
export async function checkRequest(
  running: Running<RequestBlock>,
  sending: Sending,
): Promise<RequestVerdict> {
  const { api, template, built } = sending
  const { checker } = api
  const { operation, instance } = template.target
  if (checker === undefined || operation === undefined) return undefined
  const { wire, bodyView } = built
  const isSecret = running.frame.context.secrets.occursIn
  const check = () =>
    checker.checkRequest({
      operation,
      url: wire.url,
      headers: wire.headers,
      cookies: wire.cookies,
      queryNames: queryNames(instance?.params?.query, running.block.request.overrides?.params?.query),
      body:
        wire.body === undefined
          ? undefined
          : { bytes: wire.body, value: bodyView ?? null, bodyType: instance?.bodyType },
      isSecret,
    })
  if (!template.isConstant) return check()
  const known = verdicts.get(built)
  if (known !== undefined) return known.verdict
  const verdict = await check()
  verdicts.set(built, { verdict })
  return verdict
}

type Texts = Readonly<Record<string, string>> | undefined

function queryNames(saved: Texts, given: Texts): readonly string[] {
  if (saved === undefined || given === undefined) return Object.keys(saved ?? given ?? {})
  return [...new Set([...Object.keys(saved), ...Object.keys(given)])]
}

/** Emits the problems. `sent` is the request on the wire. It is undefined if the request was never sent. */
export function emitChecked(
  running: Running,
  verdict: RequestVerdict,
  { sent, built }: { readonly sent: SentRequest | undefined; readonly built: BuiltRequest },
): void {
  if (verdict === undefined) return
  const { withheld } = running.frame.scope.run
  const { unchecked } = verdict
  const all = verdict.problems(sent?.headers)
  const problems =
    withheld === undefined ? all : all.filter((problem) => !isAboutSecret(problem, built, withheld))
  emitVerdict(running, unchecked === undefined ? { problems } : { problems, unchecked })
}

/** Returns whether a problem would give away something about a withheld secret. */
function isAboutSecret(
  { path }: ContractProblem,
  { secretParams, bodyView = null, wire }: BuiltRequest,
  { isIn }: Withheld,
): boolean {
  if (!/^\/body(?:\/|$)/.test(path)) return secretParams.has(path.toLowerCase())
  const body = { body: bodyView }
  // A script may have computed a value from a secret.
  return wire.sensitive.body && (!isIn(body) || isUnknownAt(body, path, isIn))
}

/** Emits what a report shows of a verdict on a request. */
export function emitVerdict({ frame, number }: Running, verdict: Verdicts["request"]): void {
  const { emit, run } = frame.context
  if (verdict.problems.length > 0 || verdict.unchecked !== undefined)
    emit({ type: "request.checked", run, block: number, ...verdict })
}
