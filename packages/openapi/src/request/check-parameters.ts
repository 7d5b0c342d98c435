// Checks the parameters of a request against those that its operation documents.

import { type JsonValue, parseJson, suggest, ownOf } from "@callsheet/format"
import { escapePointer } from "../document/located.ts"
import type { Parameter } from "../document/parameters.ts"
import type { RequestCheck } from "./check-body.ts"
import {
  type CheckedRequest,
  type Complaint,
  missingParameter,
  undocumentedParameter,
} from "./checked-request.ts"
import type { JudgedParameter, ParameterContract } from "./operation-contract.ts"
import {
  decode,
  deepReading,
  formReading,
  type RawQuery,
  readQuery,
  type Styled,
  styledReadings,
} from "./parameter-readings.ts"
import { hideValues, notJson } from "../schema/validate/contract-problems.ts"

export function checkParameters(check: RequestCheck): readonly Complaint[] {
  const complaints: Complaint[] = undocumented(check)
  const { parameters, readPath, readsQuery } = check.contract
  if (parameters.length === 0) return complaints
  const { url } = check.request
  const wire: Wire = { query: readsQuery ? readQuery(url) : noQuery, path: readPath?.(url) }
  for (const one of parameters) {
    const found = checkParameter(check, wire, one)
    if (found.length > 0) complaints.push(...found)
  }
  return complaints
}

interface Wire {
  readonly query: RawQuery
  readonly path: ReadonlyMap<string, string> | undefined
}

const noQuery: RawQuery = new Map()

function undocumented({ request, contract }: RequestCheck): Complaint[] {
  const complaints: Complaint[] = []
  for (const name of request.queryNames) {
    const { allows, names } = contract.query()
    if (allows(name) !== "undocumented") continue
    const near = suggest(name, names)
    complaints.push({
      path: `/query/${escapePointer(name)}`,
      message: `${undocumentedParameter(request.operation, { in: "query", name })}${near === undefined ? "" : `; ${near}`}`,
      schema: `${request.operation.pointer}/parameters`,
    })
  }
  return complaints
}

interface ReceivedParameter {
  readonly readings: readonly JsonValue[]
  readonly texts: readonly string[]
  readonly fault?: string
}

function checkParameter(check: RequestCheck, wire: Wire, asked: ParameterContract): readonly Complaint[] {
  const { parameter, judged } = asked
  const received = valueOf(check, wire, asked)
  if (received === undefined)
    return parameter.required && !mayBeSpread(check, wire, asked) ? missing(check, wire, parameter) : []
  if (judged === undefined || (received.readings.length === 0 && received.fault === undefined)) return []
  const path = `/${places[parameter.in]}/${escapePointer(parameter.name)}`
  const { schema } = judged
  if (received.fault !== undefined) return [{ path, message: received.fault, schema: schema.pointer }]
  const problems = check.checkSchema(schema, received.readings, path)
  if (problems.length === 0 || !received.texts.some(check.request.isSecret)) return problems
  return hideValues(problems, path)
}

const places = { query: "query", path: "path", header: "headers", cookie: "cookies" } as const

/** Returns whether an object may have been sent exploded, as parameters with the names of its members. */
function mayBeSpread(
  { request, contract }: RequestCheck,
  { query }: Wire,
  { parameter: { in: place, style, explode }, judged }: ParameterContract,
): boolean {
  if (!explode || style === "deepObject" || !mayBeObject(judged)) return false
  if (place === "query") return [...query.keys()].some((name) => !contract.isParameter(name))
  return place === "cookie" && Object.keys(request.cookies).length > 0
}

function missing({ request }: RequestCheck, { query }: Wire, parameter: Parameter): readonly Complaint[] {
  const { in: place, name, style, schema } = parameter
  if (place === "path") return []
  // Only the server knows what `ids[]` and `filter[state]` mean.
  const isWrittenOtherwise = [...query.keys()].some((own) => own.startsWith(`${name}[`))
  if (place === "query" && (isWrittenOtherwise || style === "querystring")) return []
  const complaint: Complaint = {
    path: `/${places[place]}/${escapePointer(name)}`,
    message: missingParameter(request.operation, parameter),
    schema: schema?.pointer.replace(/\/schema$/, "") ?? `${request.operation.pointer}/parameters`,
  }
  return [place === "query" ? complaint : { ...complaint, unlessSent: { in: place, name } }]
}

function valueOf(
  { request, contract }: RequestCheck,
  wire: Wire,
  { parameter, judged }: ParameterContract,
): ReceivedParameter | undefined {
  const { in: place, name, style, explode } = parameter
  if (place === "query" && (style === "deepObject" || explode) && mayBeObject(judged)) {
    const { type } = judged
    const spread =
      style === "deepObject"
        ? deepReading(name, type, wire.query)
        : formReading(type, wire.query, contract.isParameter)
    if (spread !== undefined)
      return { readings: spread.value === undefined ? [] : [spread.value], texts: spread.texts }
  }
  const raw = rawOf(request, wire, parameter)
  if (raw === undefined) return undefined
  if (judged === undefined || style === "deepObject") return { readings: [], texts: raw }
  const isEncoded = place === "path" || place === "query"
  return readRaw({ parameter, type: judged.type, isEncoded }, judged, raw)
}

function mayBeObject(judged: JudgedParameter | undefined): judged is JudgedParameter {
  return judged?.isJson === false && judged.type.kinds?.has("object") === true
}

function readRaw(styled: Styled, judged: JudgedParameter, raw: readonly string[]): ReceivedParameter {
  const { isJson, mayBeEmpty } = judged
  if (mayBeEmpty && raw.every((text) => text === "")) return { readings: [], texts: raw }
  const texts = styled.isEncoded ? raw.map(decode) : raw
  if (isJson) {
    const [text = ""] = texts
    const parsed = parseJson(text)
    return parsed.ok ? { readings: [parsed.value], texts } : { readings: [], texts, fault: notJson(text) }
  }
  const readings = [...styledReadings(styled, raw)]
  // Cookies percent-encode only the characters that they can't carry.
  if (styled.parameter.in === "cookie" && raw.some((text) => text.includes("%")))
    readings.push(...styledReadings({ ...styled, isEncoded: true }, raw))
  return { readings, texts }
}

function rawOf({ headers, cookies }: CheckedRequest, { query, path }: Wire, { in: place, name }: Parameter) {
  switch (place) {
    case "query":
      return query.get(name)
    case "path": {
      const value = path?.get(name)
      return value === undefined ? undefined : [value]
    }
    case "cookie": {
      const texts = [ownOf(cookies, name) ?? []].flat()
      return texts.some((text) => text !== "") ? texts : undefined
    }
    case "header": {
      const own = name.toLowerCase()
      const values = headers.filter(([header]) => header.toLowerCase() === own)
      return values.length === 0 ? undefined : [values.map(([, value]) => value).join(",")]
    }
  }
}
