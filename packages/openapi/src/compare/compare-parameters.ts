// Compares the parameters of two operations.

import { escapePointer } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import { type Part, partAt } from "../document/part.ts"
import type { ParameterFacts } from "./change.ts"
import type { Collector, Place } from "./collector.ts"
import { suggestedValues } from "./compare-schemas.ts"
import { labelOf, renamedParameters } from "./match-operations.ts"

export function compareParameters(collector: Collector, before: Operation, after: Operation): void {
  const renamed = renamedParameters(before, after)
  const old = parametersByKey(before, renamed)
  const current = parametersByKey(after)
  const operation = labelOf(after)
  for (const [from, to] of renamed) {
    const place = { operation, side: "request", path: `/path/${escapePointer(to)}` } as const
    collector.report({
      kind: "parameter-renamed",
      facts: { from, to },
      breaks: "names",
      place,
      ...placesOf(old.get(`path ${to}`), current.get(`path ${to}`)),
    })
  }
  for (const [key, parameter] of old) {
    const other = current.get(key)
    if (other !== undefined) compareParameter(collector, operation, [parameter, other])
    else
      collector.report({
        kind: "parameter-removed",
        facts: factsOf(parameter, before),
        breaks: "sends",
        place: placeOf(parameter, operation),
        before: pointerOf(parameter),
      })
  }
  for (const [key, parameter] of current)
    if (!old.has(key))
      collector.report({
        kind: "parameter-added",
        facts: factsOf(parameter, after),
        breaks: parameter.required ? "omits" : undefined,
        place: placeOf(parameter, operation),
        after: pointerOf(parameter),
      })
}

/** Returns the parameters by place and name. Names of headers have no case. */
function parametersByKey(
  operation: Operation,
  renamed: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, Parameter> {
  return new Map(
    parametersOf(operation).map((parameter) => {
      const name = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name
      const current = parameter.in === "path" ? (renamed.get(name) ?? name) : name
      return [`${parameter.in} ${current}`, parameter]
    }),
  )
}

function compareParameter(
  collector: Collector,
  operation: string,
  [before, after]: readonly [Parameter, Parameter],
): void {
  const place = placeOf(after, operation)
  const places = placesOf(before, after)
  if (before.required !== after.required) {
    const facts = factsOf(after)
    collector.report(
      after.required
        ? { kind: "parameter-required", facts, breaks: "omits", place, ...places }
        : { kind: "parameter-optional", facts, breaks: undefined, place, ...places },
    )
  }
  const [from, to] = [before, after].map(describeStyle)
  if (from !== undefined && to !== undefined && from !== to)
    collector.report({
      kind: "serialization-changed",
      facts: { from, to },
      breaks: "sends",
      place,
      ...places,
    })
  collector.compare({ place, before: schemasOf(before), after: schemasOf(after) })
}

const schemasOf = ({ schema, content }: Parameter): readonly Part[] =>
  [schema ?? content?.schema].filter((part) => part !== undefined)

/** Describes how a value is written. `explode` only matters for lists and objects. */
function describeStyle(parameter: Parameter): string {
  const { style, explode, content, schema } = parameter
  if (content !== undefined) return content.name
  const type = schema?.dereference()?.member("type")
  const isScalar = typeof type === "string" && type !== "array" && type !== "object"
  if (isScalar) return style === "form" || style === "simple" ? "plain" : style
  return explode ? `${style}, exploded` : style
}

const placeOf = (parameter: Parameter, operation: string): Place => ({
  operation,
  side: "request",
  path: `/${folders[parameter.in]}/${escapePointer(parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name)}`,
})

const folders = { query: "query", path: "path", header: "headers", cookie: "cookies" } as const

const placesOf = (before: Parameter | undefined, after: Parameter | undefined) => ({
  before: before && pointerOf(before),
  after: after && pointerOf(after),
})

/** Returns the place of a parameter, which contains its schema or, in 2.0, is its schema. */
const pointerOf = ({ schema, content }: Parameter): string | undefined =>
  (schema ?? content?.value ?? content?.schema)?.pointer.replace(
    /\/(?:schema|content\/[^/]+(?:\/schema)?)$/,
    "",
  )

function factsOf(parameter: Parameter, operation?: Operation): ParameterFacts {
  const schemas = schemasOf(parameter)
  const document = schemas[0]?.document ?? operation?.document
  const pointer = pointerOf(parameter)
  const own = document && pointer !== undefined ? partAt(document, pointer) : undefined
  const { default: fallback, example } = suggestedValues([...(own === undefined ? [] : [own]), ...schemas])
  return { in: parameter.in, name: parameter.name, required: parameter.required, default: fallback, example }
}
