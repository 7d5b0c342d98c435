// Lists the probes of an operation: requests that differ from a valid one in a single value. The same document and
// request always give the same list. Every value is judged by the rules that check requests.

import {
  formatPath,
  hasTokens,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  ownOf,
  setOwn,
  stringifyJson,
} from "@callsheet/format"
import { bodyKindOf, requestBodyOf, requestMedia, type MediaType } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import { isCredentialParameter } from "../document/security.ts"
import { isIgnoredHeader } from "../request/checked-request.ts"
import { composeSchemas } from "../samples/compose-schemas.ts"
import { createSampler } from "../samples/create-sampler.ts"
import { createSchemaChecker } from "../schema/validate/schema-checker.ts"
import { boundariesOf, distinct } from "./boundary-values.ts"
import { bodyProbes } from "./body-probes.ts"
import type { Boundary, ProbeCase, ProbedRequest } from "./probe-case.ts"

/** The maximum number of probes of one operation. */
const MAX_PROBES = 1_000

interface ListedProbes {
  readonly probes: readonly ProbeCase[]
  /** True if there are more than are listed. */
  readonly isCut: boolean
}

/** Returns the probes for an operation. `base` is a valid request. */
export function listProbes(operation: Operation, base: ProbedRequest): ListedProbes {
  const probes = [...parameterProbes(operation, base), ...bodyOf(operation, base)]
  return { probes: probes.slice(0, MAX_PROBES), isCut: probes.length > MAX_PROBES }
}

const checkSchema = createSchemaChecker("request")
const sampler = createSampler({ direction: "request" })

/** The longest text to send as a parameter: servers limit the length of a request's first lines. */
const MAX_PARAMETER = 2_000

function* parameterProbes(operation: Operation, base: ProbedRequest): Generator<ProbeCase> {
  for (const parameter of parametersOf(operation)) {
    const { in: place, name, required } = parameter
    const isIgnored = place === "header" && isIgnoredHeader(name)
    if (isIgnored || isCredentialParameter(operation, name) || parameter.style === "querystring") continue
    const at = formatPath([place, name])
    for (const boundary of parameterBoundaries(parameter)) {
      const text = textOf(boundary.value)
      if (!canSend(operation, parameter, { ...boundary, value: text })) continue
      yield { ...boundary, parameter: at, request: withParameter(base, parameter, text) }
    }
    if (required && place !== "path" && ownOf(base.params?.[place] ?? {}, name) !== undefined)
      yield {
        parameter: at,
        value: null,
        rule: "required",
        isValid: false,
        request: withParameter(base, parameter, undefined),
      }
  }
}

function parameterBoundaries(parameter: Parameter): readonly Boundary[] {
  const { schema, content } = parameter
  const described = schema ?? content?.schema
  if (described === undefined) return []
  const made = sampler.sampleParameter(parameter)
  const { parts } = composeSchemas([described], { picks: new Map(), prefer: () => 0 })
  const sample = made.isDecided ? made.value : undefined
  const isText = content === undefined || bodyKindOf(content.name) !== "json"
  const all = boundariesOf({ parts, sample, isText, maxLength: MAX_PARAMETER })
  return distinct(
    [...all].filter(({ value, isValid }) => (checkSchema(described, [value], "").length === 0) === isValid),
  )
}

const textOf = (value: JsonValue): string =>
  typeof value === "object" ? stringifyJson(value) : String(value)

/** Returns whether a parameter can carry a text. A valid path may be that of an item that nobody gave the probe. */
function canSend(
  { method }: Operation,
  { in: place }: Parameter,
  { value, isValid }: Boundary & { readonly value: string },
): boolean {
  if (hasTokens(value) || (place !== "query" && value === "")) return false
  if (place === "header" || place === "cookie") return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
  if (place === "query") return true
  return value !== "." && value !== ".." && (!isValid || method === "GET" || method === "HEAD")
}

/** Returns the request with another text for a parameter, or without it. */
function withParameter(
  base: ProbedRequest,
  { in: place, name }: Pick<Parameter, "in" | "name">,
  text: string | undefined,
): ProbedRequest {
  const isSame = (own: string): boolean =>
    place === "header" ? own.toLowerCase() === name.toLowerCase() : own === name
  const others = Object.entries(base.params?.[place] ?? {}).filter(([own]) => !isSame(own))
  const texts: Record<string, string> = {}
  for (const [own, value] of others) setOwn(texts, own, value)
  if (text !== undefined) setOwn(texts, name, text)
  return { ...base, params: { ...base.params, [place]: texts } }
}

function* bodyOf(operation: Operation, base: ProbedRequest): Generator<ProbeCase> {
  const body = requestBodyOf(operation)
  const media = requestMedia(operation)
  if (body === undefined || media === undefined || base.body === undefined) return
  const { bodyType = "json" } = base
  if (isJsonObject(base.body) || isJsonArray(base.body)) yield* fieldProbes({ media, base, bodyType })
  const { body: _, bodyType: __, ...bare } = base
  if (body.required) yield { parameter: "body", value: null, rule: "required", isValid: false, request: bare }
  const asText = (contentType: string, text: string): ProbedRequest => ({
    ...withParameter(base, { in: "header", name: "Content-Type" }, contentType),
    bodyType: "text",
    body: text,
  })
  if (bodyType === "json" && !hasTokens(media.mediaType))
    yield {
      parameter: "body",
      value: "{",
      rule: "syntax",
      isValid: false,
      request: asText(media.mediaType, "{"),
    }
  if (!body.content.some(({ name }) => name.includes("*")))
    yield {
      parameter: "header.Content-Type",
      value: OTHER_MEDIA_TYPE,
      rule: "mediaType",
      isValid: false,
      request: asText(OTHER_MEDIA_TYPE, "callsheet"),
    }
}

const OTHER_MEDIA_TYPE = "application/x-callsheet-probe"

interface FieldProbing {
  readonly media: Pick<MediaType, "schema">
  readonly base: ProbedRequest
  readonly bodyType: NonNullable<ProbedRequest["bodyType"]>
}

function* fieldProbes({ media: { schema }, base, bodyType }: FieldProbing): Generator<ProbeCase> {
  const { body } = base
  if (schema === undefined || body === undefined || bodyType === "text" || bodyType === "file") return
  for (const { steps, body: changed, ...about } of bodyProbes({ schema, body, isText: bodyType !== "json" }))
    yield { ...about, parameter: formatPath(["body", ...steps]), request: { ...base, body: changed } }
}
