// The parameters of a request that goes out, against those that its operation documents.

import { suggest, type JsonValue } from "@callsheet/format"
import type { SchemaChecker } from "../contract/schema-checker.ts"
import { escapePointer } from "../json-pointer.ts"
import type { Parameter } from "../parameters.ts"
import { missingParameter, undocumentedQuery } from "../request-faults.ts"
import type { CheckedRequest, Complaint } from "./checked-request.ts"
import { hideValues } from "./hide-values.ts"
import type { JudgedParameter, OperationContract, ParameterContract } from "./operation-contract.ts"
import { deepReading, formReading } from "./spread-readings.ts"
import { styledReadings } from "./styled-readings.ts"
import { decode, readQuery, type RawQuery } from "./wire-query.ts"

export interface ParameterCheck {
  readonly request: CheckedRequest
  readonly contract: OperationContract
  /** Present where `contract.judgesParameters`. */
  readonly schemas: SchemaChecker | undefined
}

/** Reports query parameters that are not documented, required parameters that are not sent, and values that break their schema. */
export function checkParameters(check: ParameterCheck): readonly Complaint[] {
  const complaints: Complaint[] = undocumented(check)
  const { parameters, readPath } = check.contract
  if (parameters.length === 0) return complaints
  const { url } = check.request
  const wire: Wire = {
    query: parameters.some(({ parameter }) => parameter.in === "query") ? readQuery(url) : noQuery,
    path: readPath?.(url),
  }
  for (const one of parameters) complaints.push(...checkParameter(check, wire, one))
  return complaints
}

interface Wire {
  readonly query: RawQuery
  readonly path: ReadonlyMap<string, string> | undefined
}

const noQuery: RawQuery = new Map()

function undocumented({ request, contract }: ParameterCheck): Complaint[] {
  const complaints: Complaint[] = []
  for (const name of request.queryNames) {
    if (contract.query.allows(name) !== "undocumented") continue
    const near = suggest(name, contract.query.names)
    complaints.push({
      path: `/query/${escapePointer(name)}`,
      message: `${undocumentedQuery(request.operation, name)}${near === undefined ? "" : `; ${near}`}`,
      schema: `${request.operation.pointer}/parameters`,
    })
  }
  return complaints
}

/** A value that came, as far as it can be read. */
interface Came {
  readonly readings: readonly JsonValue[]
  readonly texts: readonly string[]
}

function checkParameter(check: ParameterCheck, wire: Wire, asked: ParameterContract): readonly Complaint[] {
  const { parameter, judged } = asked
  const came = valueOf(check, wire, asked)
  if (came === undefined) return parameter.required ? missing(check, wire, parameter) : []
  if (judged === undefined || check.schemas === undefined) return []
  const path = `/${places[parameter.in]}/${escapePointer(parameter.name)}`
  const problems = judge(check.schemas, judged, { readings: came.readings, path })
  if (problems.length === 0 || !came.texts.some(check.request.isSecret)) return problems
  return hideValues(problems, path)
}

const places = { query: "query", path: "path", header: "headers", cookie: "cookies" } as const

function missing({ request }: ParameterCheck, { query }: Wire, parameter: Parameter): readonly Complaint[] {
  const { in: place, name, style, schema } = parameter
  if (place === "path") return []
  // `ids[]`, `filter[state]`: a way of writing that only the server knows.
  const isWrittenOtherwise = [...query.keys()].some((own) => own.startsWith(`${name}[`))
  if (place === "query" && (isWrittenOtherwise || style === "querystring")) return []
  const complaint: Complaint = {
    path: `/${places[place]}/${escapePointer(name)}`,
    message: missingParameter(request.operation, parameter),
    schema: schema?.pointer.replace(/\/schema$/, "") ?? `${request.operation.pointer}/parameters`,
  }
  return [place === "query" ? complaint : { ...complaint, unlessSent: { in: place, name } }]
}

/** Undefined where the parameter is not sent. */
function valueOf(
  { request, contract }: ParameterCheck,
  wire: Wire,
  { parameter, judged }: ParameterContract,
): Came | undefined {
  const { in: place, name, style, explode } = parameter
  const isObject = judged?.type.kinds?.has("object") === true
  if (place === "query" && isObject && (style === "deepObject" || explode)) {
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
  const isEncoded = place === "path" || place === "query"
  const texts = isEncoded ? raw.map(decode) : raw
  if (judged === undefined || style === "deepObject") return { readings: [], texts }
  const styled = { parameter, type: judged.type }
  const readings = [...styledReadings({ ...styled, isEncoded }, raw)]
  // What a cookie cannot carry is percent-encoded, and nothing else is.
  if (place === "cookie" && raw.some((text) => text.includes("%")))
    readings.push(...styledReadings({ ...styled, isEncoded: true }, raw))
  return { readings, texts }
}

function rawOf(
  { headers, cookies }: CheckedRequest,
  { query, path }: Wire,
  { in: place, name }: Parameter,
): readonly string[] | undefined {
  switch (place) {
    case "query":
      return query.get(name)
    case "path": {
      const value = path?.get(name)
      return value === undefined ? undefined : [value]
    }
    case "cookie":
      return cookieTexts(cookies, name)
    case "header": {
      const own = name.toLowerCase()
      const values = headers.filter(([header]) => header.toLowerCase() === own)
      return values.length === 0 ? undefined : [values.map(([, value]) => value).join(",")]
    }
  }
}

function cookieTexts(cookies: CheckedRequest["cookies"], name: string): readonly string[] | undefined {
  const texts = Object.hasOwn(cookies, name) ? [cookies[name]!].flat() : []
  return texts.some((text) => text !== "") ? texts : undefined
}

/** Good where any reading is; else the first one says what is wrong. */
export function judge(
  schemas: SchemaChecker,
  { schema }: Pick<JudgedParameter, "schema">,
  { readings, path }: { readonly readings: readonly JsonValue[]; readonly path: string },
): readonly Complaint[] {
  let first: readonly Complaint[] = []
  for (const [index, reading] of readings.entries()) {
    const problems = schemas.check(schema, reading, path)
    if (problems.length === 0) return problems
    if (index === 0) first = problems
  }
  return first
}
