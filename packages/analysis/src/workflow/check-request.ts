// What a request block sends, held against what its operation takes: path, parameters, body.

import {
  formatPath,
  parsePathOnce,
  parseTemplateOnce,
  resolveSegments,
  setPath,
  suggest,
  unknownType,
  type BodyType,
  type Finding,
  type JsonPointer,
  type JsonValue,
  type PathSegments,
  type RequestBlock,
  type ValueType,
} from "@callsheet/format"
import {
  bodyKindOf,
  parametersOf,
  requestBodyType,
  securityOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from "@callsheet/openapi"
import type { Report } from "../report.ts"
import type { Target } from "../target.ts"
import { checkBodyFields } from "./check-body-fields.ts"

export interface RequestCheck {
  readonly block: RequestBlock
  readonly target: Target
  readonly document: OpenApiDocument | undefined
  /** Whether the workflow expects this request to be refused: then what is missing is missing on purpose. */
  readonly isNegative: boolean
  readonly typeOf: (value: JsonValue) => ValueType
  /** `pointer` from the block. */
  readonly report: Report
}

/** Reports what the request of a block lacks, and what its operation does not know. */
export function checkRequest(check: RequestCheck): void {
  checkPathParams(check)
  const { target, document } = check
  if (target.operation === undefined || document === undefined) return
  const known = { document, operation: target.operation }
  checkQuery(check, known)
  checkRequired(check, known)
  checkBody(check, known)
}

interface KnownOperation {
  readonly document: OpenApiDocument
  readonly operation: Operation
}

function checkPathParams({ block, target, report }: RequestCheck): void {
  for (const { name, finding } of unknownPathParams(block, target.path))
    report(["request", "overrides", "params", "path", name], "key", finding)
  const overrides = block.request.overrides?.params?.path ?? {}
  const saved = target.instance?.params?.path ?? {}
  for (const name of new Set(pathParams(target.path))) {
    const given = own(overrides, name) ?? own(saved, name)
    if (given !== undefined && given !== "") continue
    const at = own(overrides, name) === "" ? ["overrides", "params", "path", name] : []
    report(["request", ...at], "value", {
      code: "path-param-missing",
      message: `the path ${target.path} needs a value for "${name}"`,
      hint: `give it in request.overrides.params.path.${name}`,
    })
  }
}

const pathParams = (path: string): readonly string[] =>
  [...literalPath(path).matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!)

/** The path parameters that a block gives and the template of the path lacks. */
export function unknownPathParams(
  { request }: RequestBlock,
  path: string,
): readonly { readonly name: string; readonly finding: Finding }[] {
  const names = pathParams(path)
  return Object.keys(request.overrides?.params?.path ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      name,
      finding: {
        code: "field-unknown",
        message: `the path ${path} has no parameter "${name}"`,
        hint: suggest(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`),
      },
    }))
}

/** The template without what tokens give. */
function literalPath(path: string): string {
  const template = parseTemplateOnce(path)
  if (!template.ok || !template.hasTokens) return path
  return template.parts.filter((part) => typeof part === "string").join("")
}

const own = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined

function checkQuery(check: RequestCheck, { document, operation }: KnownOperation): void {
  const { block, target, isNegative, report } = check
  const given = Object.keys(block.request.overrides?.params?.query ?? {})
  if (given.length === 0) return
  const parameters = parametersOf(document, operation).filter((parameter) => parameter.in === "query")
  const known = [...parameters.map(({ name }) => name), ...keysOf("query", { document, operation })]
  for (const name of given) {
    if (known.includes(name) || parameters.some((parameter) => isPartOf(parameter, name))) continue
    const near = suggest(name, known)
    if (isNegative && near === undefined) continue
    report(["request", "overrides", "params", "query", name], "key", {
      code: "parameter-unknown",
      severity: "warning",
      message: `${target.method} ${target.path} documents no query parameter "${name}"`,
      hint: near ?? (known.length === 0 ? undefined : `it documents ${known.join(", ")}`),
    })
  }
}

/** `filter[state]` is a part of the parameter `filter`; of an object that is exploded any name may be a part. */
const isPartOf = ({ name, style, explode }: Parameter, given: string): boolean =>
  given.startsWith(`${name}[`) || (style === "form" && explode && given.startsWith(`${name}.`))

/** Names of the parameters by which the operation's security schemes are sent. */
function keysOf(place: "query" | "header" | "cookie", { document, operation }: KnownOperation): string[] {
  return securityOf(document, operation)
    .flat()
    .flatMap((scheme) => (scheme.kind === "apiKey" && scheme.in === place ? [scheme.parameter] : []))
}

/** Headers that say what is sent and who sends it: parameters of these names are ignored (OpenAPI 3.1.1 section 4.8.12.1). */
const ownHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"])

function checkRequired(check: RequestCheck, known: KnownOperation): void {
  const { block, target, isNegative, report } = check
  if (isNegative) return
  for (const { name, in: place, required } of parametersOf(known.document, known.operation)) {
    if (!required || place === "path" || isGiven(check, place, name)) continue
    if (place === "header" && ownHeaders.has(name.toLowerCase())) continue
    if (keysOf(place, known).some((key) => key.toLowerCase() === name.toLowerCase())) continue
    report(["request"], "value", {
      code: "parameter-missing",
      severity: "warning",
      message: `"${block.id}": ${target.method} ${target.path} requires the ${place === "header" ? "header" : `${place} parameter`} "${name}"`,
      hint: `give it in request.overrides.params.${place}`,
    })
  }
}

function isGiven(
  { block, target }: RequestCheck,
  place: "query" | "header" | "cookie",
  name: string,
): boolean {
  const given = [target.instance?.params?.[place], block.request.overrides?.params?.[place]].flatMap(
    (texts) => Object.keys(texts ?? {}),
  )
  const isSame = (other: string): boolean =>
    place === "header"
      ? other.toLowerCase() === name.toLowerCase()
      : other === name || other.startsWith(`${name}[`)
  return given.some(isSame)
}

function checkBody(check: RequestCheck, { document, operation }: KnownOperation): void {
  const { block, target, isNegative, typeOf, report } = check
  const { isKnown, body } = composeBody(check)
  if (!isKnown) return
  const documented = requestBodyType(document, operation, mediaTypeOf(check))
  if (body === undefined) {
    if (documented?.required !== true || isNegative) return
    report(["request"], "value", {
      code: "body-missing",
      severity: "warning",
      message: `"${block.id}": ${target.method} ${target.path} requires a body, and none is sent`,
      hint: "give it in request.overrides.body, or name a saved request",
    })
    return
  }
  if (documented === undefined) return
  checkBodyFields({
    body,
    type: documented.type,
    // A form is text: a number may stand as one.
    typeOf:
      bodyKindOf(documented.mediaType) === "json"
        ? typeOf
        : (value) => (typeof value === "object" ? typeOf(value) : unknownType),
    isNegative,
    report: (pointer, finding) => report(placeInBlock(block, pointer), "value", finding),
  })
}

/** The override that sets what is wrong in the body, or the block's request where the saved request does. */
function placeInBlock({ request }: RequestBlock, pointer: JsonPointer): JsonPointer {
  const wanted = pointer.map(String)
  const keys = Object.keys(request.overrides?.body ?? {}).toReversed()
  for (const key of keys) {
    const path = parsePathOnce(key)
    if (!path.ok || path.segments.length > wanted.length) continue
    if (path.segments.every((segment, at) => segment === wanted[at]))
      return ["request", "overrides", "body", key, ...pointer.slice(path.segments.length)]
  }
  return ["request"]
}

/** `isKnown` is false of a body that is no JSON or form, or that only a run can compose. */
interface ComposedBody {
  readonly isKnown: boolean
  readonly body?: JsonValue | undefined
}

const unknownBody: ComposedBody = { isKnown: false }

/** The body as far as it stands in the files. */
function composeBody({ block, target, report }: RequestCheck): ComposedBody {
  const saved = target.instance
  if (saved?.bodyType !== undefined && !readable.has(saved.bodyType)) return unknownBody
  let body: JsonValue | undefined = saved?.body
  for (const [key, value] of Object.entries(block.request.overrides?.body ?? {})) {
    const path = parsePathOnce(key)
    if (!path.ok || goesThroughToken(body, path.segments)) return unknownBody
    const set = setPath(body, path.segments, value)
    if (!set.ok) {
      report(["request", "overrides", "body", key], "key", {
        code: "path-unresolved",
        message: `overrides.body: ${JSON.stringify(formatPath(path.segments))} cannot be set: ${set.message}`,
      })
      return unknownBody
    }
    body = set.value
  }
  return { isKnown: true, body }
}

const readable: ReadonlySet<BodyType> = new Set(["json", "form"])

/** Whether a token stands where the path walks: what it gives may be an object. */
function goesThroughToken(body: JsonValue | undefined, path: PathSegments): boolean {
  let here = body
  for (const segment of path) {
    if (typeof here === "string" && here.includes("{{")) return true
    const next = here === undefined ? undefined : resolveSegments(here, [segment])
    if (next?.found !== true) return false
    here = next.value
  }
  return false
}

/** The media type that the request sets itself; undefined where it leaves the choice. */
function mediaTypeOf({ block, target }: RequestCheck): string | undefined {
  const headers = [target.instance?.params, block.request.overrides?.params].flatMap((params) =>
    Object.entries(params?.header ?? {}),
  )
  return headers.findLast(([name]) => name.toLowerCase() === "content-type")?.[1]
}
