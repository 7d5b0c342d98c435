// Generates a response that matches its document and that ajv accepts.

import type { JsonValue } from "@callsheet/format"
import { isJsonType } from "../list-operations.ts"
import { isObject, type Raw } from "../raw-document.ts"
import { makeValue, type ValueOptions } from "../make-value.ts"
import type { Chance } from "../chance.ts"
import type { DocumentedHeader, DocumentedResponse } from "./documented-responses.ts"
import type { SecondOpinion } from "./second-opinion.ts"

export interface MadeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if there is none. */
  readonly body?: JsonValue
  readonly isWellFormed: boolean
}

/** Options in the order in which they are tried: many optional parts, only required parts, and random ones. */
function* optionSets(chance: Chance): Iterable<ValueOptions> {
  const direction = "response"
  const choose = () => 0
  yield { direction, isWanted: (depth) => depth < 3, choose }
  yield { direction, isWanted: () => false, choose }
  for (let attempt = 0; attempt < 40; attempt++) {
    const isWanted = (depth: number) => depth < attempt % 4 && chance.upTo(3) > 0
    yield { direction, isWanted, choose: (count) => chance.upTo(count) }
  }
}

export interface ResponseMaker {
  readonly root: Raw
  readonly opinion: SecondOpinion
  readonly chance: Chance
}

/** Returns up to two responses, a full one and another one, or ajv's errors for the last attempt. */
export function makeResponses(
  { root, opinion, chance }: ResponseMaker,
  documented: DocumentedResponse,
): { readonly made: readonly MadeResponse[]; readonly finding?: string } {
  const mediaType = concrete(documented)
  const head = {
    status: statusOf(documented),
    headers: { "content-type": mediaType, ...headersOf(root, documented.headers) },
    isWellFormed: true,
  }
  // No document names the boundary that a multipart body needs.
  if (/^multipart\//i.test(mediaType)) return { made: [] }
  if (!isJson(mediaType)) return { made: [{ ...head, body: textBody(root, documented, mediaType) }] }
  const bodies: unknown[] = []
  let finding: string | undefined
  for (const options of optionSets(chance)) {
    const body = makeValue(root, documented.schema ?? {}, options)
    const said = documented.schema === undefined ? undefined : opinion.finding(documented.schema, body)
    if (said === undefined) bodies.push(body)
    else finding = said
    if (bodies.length === 2) break
  }
  const distinct = [...new Map(bodies.map((body) => [JSON.stringify(body), body])).values()]
  // JSON.parse and js-yaml return JSON values, so values made from them are too.
  const made = distinct.map((body) => ({ ...head, body: body as JsonValue }))
  return made.length > 0 || finding === undefined ? { made } : { made, finding }
}

export const isJson = (mediaType: string): boolean =>
  isJsonType(mediaType) || /^text\/json\b/i.test(mediaType)

/** A range gets a type that matches it and no other. */
function concrete({ mediaType, mediaTypes }: DocumentedResponse): string {
  if (!mediaType.includes("*")) return mediaType
  const isText = /^\s*text\//i.test(mediaType)
  const candidates = isText
    ? ["text/plain", "text/x-callsheet"]
    : ["application/json", "application/x-callsheet"]
  const free = candidates.find((candidate) => !mediaTypes.includes(candidate))
  return /^\s*(\*|application|text)\b/i.test(mediaType) && free !== undefined
    ? free
    : mediaType.replaceAll("*", "x")
}

/** A status that matches the documented key and no other. */
function statusOf({ status, statuses }: DocumentedResponse): number {
  if (/^\d{3}$/.test(status)) return Number(status)
  const isFree = (code: number) =>
    !isCovered(
      code,
      statuses.filter((other) => other !== status && other !== "default"),
    )
  const hundreds = /^\d/.exec(status)?.[0]
  const [first, last] =
    hundreds === undefined ? [200, 599] : [Number(hundreds) * 100, Number(hundreds) * 100 + 99]
  for (let code = last; code >= first; code--) if (isFree(code)) return code
  return last
}

export const isCovered = (code: number, statuses: readonly string[]): boolean =>
  statuses.some(
    (status) =>
      status === "default" || status === String(code) || status.toUpperCase() === `${String(code)[0]}XX`,
  )

const headersOf = (root: Raw, headers: readonly DocumentedHeader[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.map(({ name, schema }) => [
      name.toLowerCase(),
      headerText(makeValue(root, schema ?? {}, plainly)),
    ]),
  )

const plainly: ValueOptions = { direction: "response", isWanted: () => false, choose: () => 0 }

function headerText(value: unknown): string {
  if (Array.isArray(value)) return value.map(headerText).join(",")
  if (isObject(value)) return Object.entries(value).flat().map(headerText).join(",")
  return String(value)
}

/** Plain text is checked against its schema. For everything else only the media type counts. */
function textBody(root: Raw, { schema }: DocumentedResponse, mediaType: string): string {
  const isPlain = /^\s*text\/(?!xml|event-stream)/i.test(mediaType)
  if (isPlain && schema !== undefined) return headerText(makeValue(root, schema, plainly))
  return /[/+]xml\b/i.test(mediaType) ? "<x/>" : "x"
}
