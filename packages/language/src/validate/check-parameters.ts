// Checks the query, headers and cookies of a request against the documented parameters.

import {
  isEqual,
  onlyMisspelled,
  quote,
  suggest,
  withReplacement,
  type Finding,
  type JsonValue,
  type ValueType,
} from "@callsheet/format"
import {
  documentedParameters,
  isIgnoredHeader,
  missingParameter,
  parametersOf,
  placeWords,
  schemaType,
  securityOf,
  undocumentedParameter,
  type Parameter,
} from "@callsheet/openapi"
import { describeKinds, listValues } from "../types/describe-type.ts"
import { givenParam, type GivenParam, type OperationCheck } from "./given-request.ts"
import { messages } from "../messages.ts"

/** Reports undocumented parameters, missing required parameters, and values of another type. */
export function checkParameters(check: OperationCheck): void {
  const { operation, isNegative } = check
  for (const place of ["query", "header", "cookie"] as const) checkNames(check, place)
  for (const parameter of parametersOf(operation)) {
    const given = givenParam(check, parameter.in, parameter.name)
    if (given === undefined) checkMissing(check, parameter)
    else if (!isNegative) checkValue(check, parameter, given)
  }
}

function checkNames(check: OperationCheck, place: "query" | "header" | "cookie"): void {
  const { block, target, operation } = check
  const own = Object.keys(block.request.overrides?.params?.[place] ?? {})
  const names = new Set([...own, ...Object.keys(target.instance?.params?.[place] ?? {})])
  if (names.size === 0) return
  const documented = documentedParameters(operation, place)
  for (const name of names) {
    const allowed = documented.allows(name)
    if (allowed === "documented") continue
    const finding =
      place === "query"
        ? unknownQuery(check, { name, allowed, known: documented.names })
        : misspelled(check, { in: place, name, known: documented.names })
    if (finding === undefined) continue
    const pointer = ["params", place, name]
    if (own.includes(name)) check.report(["request", "overrides", ...pointer], "key", finding)
    else check.reportSaved(pointer, "key", finding)
  }
}

interface UnknownQuery {
  readonly name: string
  readonly known: readonly string[]
  readonly allowed: "perhaps" | "undocumented"
}

function unknownQuery(
  { target, isNegative }: OperationCheck,
  { name, allowed, known }: UnknownQuery,
): Finding | undefined {
  const near = suggest(name, known)
  if (near === undefined && (allowed === "perhaps" || isNegative)) return undefined
  const reason = undocumentedParameter(target, { in: "query", name })
  const finding = messages["parameter-unknown"].unknown(reason, known, near)
  return withReplacement(finding, { is: "key", from: name, known })
}

interface OtherName {
  readonly in: "header" | "cookie"
  readonly name: string
  readonly known: readonly string[]
}

/** Reports a header or cookie that is almost a documented one. Any other is allowed: a proxy may read it. */
function misspelled(check: OperationCheck, { in: place, name, known }: OtherName): Finding | undefined {
  const meant = onlyMisspelled(name, known)
  if (meant === undefined || check.isNegative || givenParam(check, place, meant) !== undefined)
    return undefined
  const reason = undocumentedParameter(check.target, { in: place, name })
  const finding = messages["parameter-unknown"].unknown(reason, known, `did you mean ${quote(meant)}?`)
  return { ...finding, replacement: { is: "key", from: name, to: meant } }
}

function checkMissing(check: OperationCheck, parameter: Parameter): void {
  if (!isMissing(check, parameter)) return
  const reason = missingParameter(check.target, parameter)
  check.report(["request"], "value", messages["parameter-missing"].missing(reason, parameter.in))
}

/** Returns whether a request has to send a parameter that it leaves out. Those in the path are checked elsewhere. */
export function isMissing(
  check: Pick<OperationCheck, "block" | "target" | "isNegative" | "operation">,
  { name, in: place, required, style }: Parameter,
): boolean {
  const { block, target, isNegative } = check
  if (!required || place === "path" || isNegative || style === "deepObject") return false
  if (place === "header" && isIgnoredHeader(name)) return false
  if (givenParam(check, place, name) !== undefined || isCarried(check, name)) return false
  const given = Object.keys({
    ...target.instance?.params?.[place],
    ...block.request.overrides?.params?.[place],
  })
  // `ids[]` and `filter[state]` are parts of a list or an object, written as several parameters.
  return !given.some((other) => other.startsWith(`${name}[`))
}

/** Returns whether a security scheme sends the parameter. Its value then comes from a variable. */
const isCarried = ({ operation }: Pick<OperationCheck, "operation">, name: string): boolean =>
  securityOf(operation)
    .flat()
    .some((scheme) => scheme.kind === "apiKey" && scheme.parameter.toLowerCase() === name.toLowerCase())

function checkValue(check: OperationCheck, parameter: Parameter, given: GivenParam): void {
  if (parameter.schema === undefined || given.text.includes("{{")) return
  const type = schemaType(parameter.schema, "request")
  const finding = checkText(type, { ...given, parameter })
  if (finding === undefined) return
  const report = given.isSaved ? check.reportSaved : check.report
  report(given.pointer, "value", finding)
}

/** Checks text against a type. Accepts anything for lists and objects, which have many notations. */
function checkText(
  { kinds, values }: ValueType,
  { text, parameter }: { readonly text: string; readonly parameter: Parameter },
): Finding | undefined {
  if (kinds === undefined || kinds.has("array") || kinds.has("object")) return undefined
  const readings = readingsOf(text)
  const { wrongType, wrongValue } = messages["parameter-type"]
  const place = `${placeWords[parameter.in]} ${quote(parameter.name)}`
  if (values !== undefined) {
    const isOne = readings.some((reading) => values.some((value) => isEqual(value, reading)))
    if (isOne) return undefined
    const known = values.map(String)
    const finding = wrongValue(place, quote(text), listValues(values, "and"), suggest(text, known))
    return withReplacement(finding, { is: "value", from: text, known })
  }
  if (kinds.has("string") || readings.some((reading) => kinds.has(typeof reading as "number")))
    return undefined
  return wrongType(place, quote(text), describeKinds({ kinds }))
}

function readingsOf(text: string): readonly JsonValue[] {
  const readings: JsonValue[] = [text]
  if (text === "true" || text === "false") readings.push(text === "true")
  if (/^-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,3})?$/.test(text))
    readings.push(Number(text))
  return readings
}
