// Responses with one error: in the body, which ajv must reject too, or in its status and headers.

import type { JsonValue } from "@callsheet/format"
import type { Chance } from "../chance.ts"
import { isObject } from "../raw-document.ts"
import type { DocumentedHeader, DocumentedResponse } from "./documented-responses.ts"
import { isCovered, isJson, type MadeResponse, type ResponseMaker } from "./make-response.ts"
import { mutateBody, type BodyMutant } from "./mutate-body.ts"

export interface Mutant {
  readonly kind: string
  /** Path of the error in the response, as problems report it. */
  readonly at: string
  readonly response: MadeResponse
}

const perResponse = 10

export interface Conforming {
  readonly documented: DocumentedResponse
  readonly response: MadeResponse
  /** The number of mutants of each kind in the document so far. */
  readonly kinds: Map<string, number>
}

/** Returns up to ten mutants of the body, rare kinds first, and all mutants of the status and headers. */
export function mutateResponse(
  maker: ResponseMaker,
  { documented, response, kinds }: Conforming,
): readonly Mutant[] {
  const { schema, mediaType } = documented
  if (schema === undefined || !isJson(response.headers["content-type"] ?? mediaType))
    return around(documented, response)
  const isBad = (body: unknown) => maker.opinion.finding(schema, body) !== undefined
  const bodies = choose(mutateBody(maker, schema, response.body), { chance: maker.chance, kinds, isBad })
  const ofBodies = bodies.map(({ kind, at, body }): Mutant => {
    return { kind, at: `/body${at}`, response: { ...response, body: body as JsonValue } }
  })
  return [...ofBodies, ...around(documented, response)]
}

interface Choosing {
  readonly chance: Chance
  readonly kinds: Map<string, number>
  readonly isBad: (body: unknown) => boolean
}

function choose(bodies: readonly BodyMutant[], { chance, kinds, isBad }: Choosing): readonly BodyMutant[] {
  const chosen: BodyMutant[] = []
  const ofThis = new Map<string, number>()
  const waiting = new Map<string, BodyMutant[]>()
  for (const body of chance.shuffle(bodies)) {
    const group = waiting.get(body.kind)
    if (group === undefined) waiting.set(body.kind, [body])
    else group.push(body)
  }
  const weight = (kind: string) => (ofThis.get(kind) ?? 0) * 1e6 + (kinds.get(kind) ?? 0)
  while (chosen.length < perResponse && waiting.size > 0) {
    const [kind, group] = [...waiting].reduce((best, next) =>
      weight(next[0]) < weight(best[0]) ? next : best,
    )
    const next = group.pop()
    if (group.length === 0) waiting.delete(kind)
    if (next === undefined || !isBad(next.body)) continue
    chosen.push(next)
    ofThis.set(kind, (ofThis.get(kind) ?? 0) + 1)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return chosen
}

function around(documented: DocumentedResponse, response: MadeResponse): readonly Mutant[] {
  const { statuses, mediaTypes, headers } = documented
  const { body: _, ...bodiless } = response
  const typeAt = "/headers/content-type"
  const free = [418, 299, 599, 399].find((code) => !isCovered(code, statuses))
  const isAnyType = mediaTypes.some((type) => /^(\*|application\/\*)/.test(type))
  const otherType = withHeader(response, "content-type", "application/vnd.callsheet-unknown")
  const isOfJson = isJson(response.headers["content-type"] ?? "")
  return [
    { kind: "no body", at: "/body", response: bodiless },
    { kind: "no content type", at: typeAt, response: withHeader(response, "content-type") },
    ...(free === undefined
      ? []
      : [{ kind: "status", at: "/status", response: { ...response, status: free } }]),
    ...(isAnyType ? [] : [{ kind: "content type", at: typeAt, response: otherType }]),
    ...(isOfJson
      ? [{ kind: "no JSON", at: "/body", response: { ...response, body: "{", isWellFormed: false } }]
      : []),
    ...headers.flatMap((header) => withoutOrWrong(response, header)),
  ]
}

function withoutOrWrong(
  response: MadeResponse,
  { name, required, schema }: DocumentedHeader,
): readonly Mutant[] {
  const key = name.toLowerCase()
  const at = `/headers/${key}`
  const isNumber = isObject(schema) && (schema["type"] === "integer" || schema["type"] === "number")
  return [
    ...(required ? [{ kind: "no header", at, response: withHeader(response, key) }] : []),
    ...(isNumber ? [{ kind: "header's value", at, response: withHeader(response, key, "callsheet") }] : []),
  ]
}

function withHeader(response: MadeResponse, name: string, value?: string): MadeResponse {
  const headers = Object.entries(response.headers).filter(([key]) => key !== name)
  const own: [string, string][] = value === undefined ? [] : [[name, value]]
  return { ...response, headers: Object.fromEntries([...headers, ...own]) }
}
