// Captures secrets during a run: credentials it sends, and fields that a document or their names mark as secret.

import { credentialPlaces } from "@callsheet/openapi"
import {
  formatPath,
  resolveSegments,
  toProblem,
  urlCredentials,
  type Headers,
  type JsonValue,
  type MessageView,
  type PathSegments,
  type Problem,
  type RequestBlock,
  ownOf,
} from "@callsheet/format"
import type { RunContext, Running } from "../run/context.ts"
import { EACH } from "../plan/credential-sources.ts"
import { namedCredentials, tokenCredentials } from "./guess-secrets.ts"
import type { PlannedApi } from "../plan/plan.ts"
import type { RequestTemplate } from "../request/request-template.ts"
import { scalarsOf } from "../run/scalars-of.ts"
import { isFirst } from "../run/warn.ts"

type Capturing = Pick<RunContext, "emit" | "run" | "warned" | "keepSecret">

/** Registers a value as a secret. For a list or an object, registers every string and number in it. */
export function capture(context: Capturing, value: JsonValue, name: string): void {
  for (const scalar of scalarsOf(value)) {
    // Null and booleans are too common in text to be masked.
    if (scalar === null || typeof scalar === "boolean") continue
    const secret = typeof scalar === "string" ? withoutScheme(scalar) : scalar
    const refusal = context.keepSecret(secret, name)
    if (refusal !== undefined) warn(context, toProblem(refusal))
  }
}

function warn({ emit, run, warned }: Capturing, warning: Problem): void {
  if (isFirst(warned, warning.message)) emit({ type: "warning.raised", run, warning })
}

/** Removes the scheme from `Bearer x`, for common schemes of RFC 9110 section 11.4. */
const withoutScheme = (text: string): string =>
  !text.includes(" ")
    ? text
    : (/^(?:basic|bearer|dpop|negotiate|oauth|token|apikey) +(\S+)$/i.exec(text)?.[1] ?? text)

interface Answer {
  readonly api: PlannedApi
  readonly template: RequestTemplate
  readonly status: number
  readonly headers: Headers
  readonly body: JsonValue | undefined
}

/** Captures the secrets in a response. Must run before any part of the response is shown. */
export function captureResponse(running: Running<RequestBlock>, answer: Answer): void {
  const { headers, body } = answer
  captureRead(running, body === undefined ? { headers } : { headers, body })
  captureOthers(running, answer)
}

/** Captures the secrets in an item of a stream, which is shown before the rest arrives. */
export function captureItem(
  running: Running<RequestBlock>,
  { index, body, ...answer }: Answer & { readonly index: number; readonly body: JsonValue },
): void {
  // Paths lead through the index of an item.
  captureRead(running, { headers: answer.headers, body: { [index]: body } })
  // Headers are the same for all items, so later ones need only the type.
  const { "content-type": type = "" } = answer.headers
  const headers = index === 0 ? answer.headers : { "content-type": type }
  captureOthers(running, { ...answer, headers, body: [body] })
}

/** Captures the secrets in a message of the inbox, which is shown before a block reads it. */
export function captureMessage(
  context: Capturing & Pick<RunContext, "plan">,
  message: Pick<MessageView, "id" | "headers"> & { readonly body: JsonValue | undefined },
): void {
  const { credentialSources, settings } = context.plan
  const name = `message ${message.id}`
  for (const [response, body, messages, , ...path] of [...credentialSources.values()].flat())
    if (response === "response" && body === "body" && messages === "messages")
      for (const value of membersAt({ ...message } as JsonValue, path)) capture(context, value, name)
  const credentialsIn = settings.guessesSecrets ? namedCredentials : tokenCredentials
  for (const { name: field, value } of credentialsIn({ ...message, status: 200 }))
    capture(context, value, `${name}, by the name ${field}`)
}

/** Captures what later requests send as a credential. */
function captureRead({ block, id, frame }: Running<RequestBlock>, response: object): void {
  const { context } = frame
  const paths = context.plan.credentialSources.get(block.id)
  if (paths === undefined) return
  const result = { response } as JsonValue
  for (const path of paths)
    for (const value of membersAt(result, path)) capture(context, value, `${id}.${formatPath(path)}`)
}

function captureOthers({ id, frame }: Running<RequestBlock>, answer: Answer): void {
  const { context } = frame
  const { headers } = answer
  captureMarked(context, id, answer)
  const named = context.plan.settings.guessesSecrets ? namedCredentials(answer) : tokenCredentials(answer)
  for (const { name, value } of named) capture(context, value, `${id}.response, by the name ${name}`)
  captureCookies(context, id, answer)
  const { location } = headers
  if (typeof location === "string")
    for (const secret of urlCredentials(location)) capture(context, secret, `${id}.response.headers.location`)
}

function captureMarked(
  context: RunContext,
  id: string,
  { api, template, status, headers, body }: Answer,
): void {
  const { operation } = template.target
  if (api.secretFields === undefined || operation === undefined) return
  const contentType = headers["content-type"]
  const fields = api.secretFields(operation, {
    status,
    contentType: typeof contentType === "string" ? contentType : undefined,
  })
  if (fields === undefined) return
  for (const name of fields.headers) {
    const value = ownOf(headers, name)
    if (value !== undefined) capture(context, value, `${id}.response.headers.${name}`)
  }
  if (body === undefined) return
  for (const value of fields.valuesOf(body)) capture(context, value, `${id}.response.body, by its schema`)
}

/** Captures the cookies of security schemes, because the jar sends them again. */
function captureCookies(context: RunContext, id: string, { api, headers }: Answer): void {
  const set = headers["set-cookie"]
  if (set === undefined || api.document === undefined) return
  const { cookies } = credentialPlaces(api.document)
  if (cookies.size === 0) return
  for (const text of typeof set === "string" ? [set] : set) {
    const [name, value] =
      /^([^=;]*)=([^;]*)/
        .exec(text)
        ?.slice(1)
        .map((part) => part.trim()) ?? []
    if (name !== undefined && value !== undefined && cookies.has(name))
      capture(context, value, `${id}.response.headers.set-cookie`)
  }
}

/** Returns every value at a path. `EACH` selects all members. Recurses once per `EACH`. */
function membersAt(root: JsonValue, path: PathSegments): readonly JsonValue[] {
  const each = path.indexOf(EACH)
  const found = resolveSegments(root, each === -1 ? path : path.slice(0, each))
  if (!found.found) return []
  const { value } = found
  if (each === -1) return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.values<JsonValue>(value).flatMap((member) => membersAt(member, path.slice(each + 1)))
}
