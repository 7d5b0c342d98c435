// Checks the query, headers and cookies of a request against the documented parameters.

import {
  isEqual,
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
  undocumentedQuery,
  type Parameter,
} from "@callsheet/openapi"
import { describeKinds, listValues } from "../types/describe-type.ts"
import { givenParam, type GivenParam, type OperationCheck } from "./given-request.ts"
import { messages } from "../messages.ts"

/** Reports undocumented parameters, missing required parameters, and values of another type. */
export function checkParameters(check: OperationCheck): void {
  const { operation, isNegative } = check
  checkNames(check)
  for (const parameter of parametersOf(operation)) {
    const given = givenParam(check, parameter.in, parameter.name)
    if (given === undefined) checkMissing(check, parameter)
    else if (!isNegative) checkValue(check, parameter, given)
  }
}

function checkNames(check: OperationCheck): void {
  const { block, target, operation, isNegative } = check
  const own = Object.keys(block.request.overrides?.params?.query ?? {})
  const names = new Set([...own, ...Object.keys(target.instance?.params?.query ?? {})])
  if (names.size === 0) return
  const documented = documentedParameters(operation, "query")
  for (const name of names) {
    const allowed = documented.allows(name)
    if (allowed === "documented") continue
    const near = suggest(name, documented.names)
    if (near === undefined && (allowed === "perhaps" || isNegative)) continue
    const { query } = messages["parameter-unknown"]
    const finding = withReplacement(query(undocumentedQuery(target, name), documented.names, near), {
      is: "key",
      from: name,
      known: documented.names,
    })
    const pointer = ["params", "query", name]
    if (own.includes(name)) check.report(["request", "overrides", ...pointer], "key", finding)
    else check.reportSaved(pointer, "key", finding)
  }
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
    return isOne
      ? undefined
      : wrongValue(place, quote(text), listValues(values, "and"), suggest(text, values.map(String)))
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
