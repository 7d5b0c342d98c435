// What the name, value or path under the caret of a JSON file means.

import { formatPath, operators, ownOf, stringifyJson, valueAt } from "@callsheet/format"
import {
  fieldAt,
  mentionAtOffset,
  shapesAt,
  tokenAt,
  tokensIn,
  typeWords,
  valuesOf,
  type Named,
} from "@callsheet/language"
import type { Context } from "../context.ts"
import { shapeOf } from "../known/file-shape.ts"
import { describeOperation } from "../known/describe-operation.ts"
import { jsonSpot, type JsonSpot } from "../known/json-file.ts"
import type { Style } from "../known/markup.ts"
import { operationOf, targetNames, type TargetNames } from "../known/operations.ts"
import { bodyTypeIn, requestAt } from "../known/request-place.ts"
import { pathGround } from "../known/path-ground.ts"
import { parametersIn, wordsOf } from "../known/request-types.ts"
import type { Place } from "../workspace/workspace.ts"
import { describeNamed } from "./named.ts"
import { describePath } from "./path.ts"
import { describeVariable } from "./variable.ts"

export interface HoverRequest {
  readonly offset: number
  readonly context: Context
}

type Write = (style: Style) => readonly (string | undefined)[]

export interface FoundHover {
  readonly from: number
  readonly to: number
  readonly write: Write
}

export async function hoverInJson(
  place: Place,
  { offset, context }: HoverRequest,
): Promise<FoundHover | undefined> {
  const spot = jsonSpot(place, offset)
  const { at, token, range } = spot.place
  if ((at !== "key" && at !== "value") || token === undefined || token === "object" || token === "array")
    return undefined
  const inText = at === "value" ? await hoverInText(spot, context) : undefined
  if (inText !== undefined) return inText
  const named = namedAt(spot)
  const write =
    (named && (await describeNamed(named, { view: spot.view, context }))) ??
    (at === "key" ? await describeKey(spot, context) : await describeValue(spot))
  return write && { ...range, write }
}

/** Returns the thing whose name is at the caret. */
function namedAt({ view, file, offset, place, value }: JsonSpot): Named | undefined {
  if (file.is.kind !== "baseline") return mentionAtOffset(view, file.path, offset)?.named
  const name = place.pointer.at(-1) === "api" ? valueAt(value(), place.pointer) : undefined
  return typeof name === "string" ? { is: "api", name } : undefined
}

/** Describes the path or placeholder at the caret. */
async function hoverInText(spot: JsonSpot, context: Context): Promise<FoundHover | undefined> {
  const { place, file, offset } = spot
  const ground = pathGround(spot, place.pointer, context)
  if (ground === undefined || place.token !== "string") return undefined
  const from = place.range.from + (place.insert.openQuote ? 1 : 0)
  const text = file.text.slice(from, place.range.to - (place.insert.openQuote ? 1 : 0))
  const token = tokenAt(tokensIn(text, ground.reads), offset - from)
  const write = token && (await describePath(token.path, { spot, ground, context }))
  return write && { from: from + token.from, to: from + token.to, write }
}

async function describeKey(spot: JsonSpot, context: Context): Promise<Write | undefined> {
  const { view, file, place } = spot
  const [first, name] = place.pointer
  const key = place.pointer.length === 1 ? first : name
  const isVariable =
    file.is.kind === "environment" ||
    (file.is.kind === "schema" && place.pointer.length === 2 && first === "variables")
  if (isVariable && (file.is.kind === "environment" || file.is.kind === "schema")) {
    const write = describeVariable(file.is.api, String(key), { view, context })
    if (write !== undefined) return write
  }
  const part = await describePart(spot)
  if (part !== undefined) return part
  const shape = shapeOf(file.is, view)
  const field = shape && fieldAt(shape, place.pointer, spot.value())
  if (field === undefined || field.summary === "") return undefined
  const facts = [
    field.required ? "required" : "",
    field.default === undefined || file.is.kind === "environment"
      ? ""
      : `default ${stringifyJson(field.default)}`,
  ].filter((fact) => fact !== "")
  return (style) => [
    `${style.code(String(place.pointer.at(-1)))}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`,
    field.summary,
    field.deprecated,
  ]
}

/** Describes a parameter or a part of the body. */
async function describePart(spot: JsonSpot): Promise<Write | undefined> {
  const request = requestAt(spot, spot.place.pointer)
  const [first, where, name, ...more] = request?.field ?? []
  if (request === undefined || where === undefined || (first !== "params" && first !== "body"))
    return undefined
  const operation = await operationOf(spot.view, request.names)
  if (operation === undefined) return undefined
  const { text } = spot.view.masker()
  if (first === "params") {
    const part =
      more.length === 0 ? parametersIn(operation, String(where)).find((one) => one.name === name) : undefined
    return (
      part &&
      ((style) => [
        `${style.code(text(part.name))} (${style.text(text([String(where), wordsOf(part)].filter((word) => word !== "").join(", ")))})`,
        style.text(text(part.description ?? "")),
      ])
    )
  }
  const type = bodyTypeIn(operation, request)
  if (type === undefined) return undefined
  // In a block, the first key is a path itself.
  const path = [request.isSaved ? formatPath([where]) : String(where), ...request.field.slice(2)].join(".")
  return (style) => [
    `${style.code(text(path))} (${style.text(text(typeWords(type)))})`,
    style.text(text(type.notes?.().description ?? "")),
  ]
}

async function describeValue(spot: JsonSpot): Promise<Write | undefined> {
  const { view, file, place } = spot
  const value = valueAt(spot.value(), place.pointer)
  if (typeof value !== "string") return undefined
  const field = place.pointer.at(-1)
  const operator = field === "operator" ? ownOf(operators, value) : undefined
  if (operator !== undefined) return (style) => [style.code(value), operator.summary]
  const request = requestAt(spot, spot.place.pointer)
  const names =
    request?.field.length === 1
      ? request.names
      : file.is.kind === "baseline"
        ? baselineNames(spot)
        : undefined
  if (names !== undefined && field === "operation") {
    const operation = await operationOf(view, { ...names, instance: undefined })
    return operation && describeOperation(operation, view.masker().text)
  }
  if (names !== undefined && field === "instance") return describeSavedRequest(spot, names)
  const shape = shapeOf(file.is, view)
  const listed = shape === undefined ? [] : shapesAt(shape, place.pointer, spot.value()).flatMap(valuesOf)
  const summary = listed.find((one) => one.value === value)?.summary
  return summary === undefined ? undefined : (style) => [style.code(value), summary]
}

function baselineNames(spot: JsonSpot): TargetNames | undefined {
  return targetNames(valueAt(spot.value(), spot.place.parent))
}

async function describeSavedRequest({ view }: JsonSpot, names: TargetNames): Promise<Write | undefined> {
  const instances = [...(view.project.apis.get(names.api)?.instances.values() ?? [])]
  const found = instances.find(
    ({ name, resource }) =>
      name === names.instance && (names.resource === undefined || names.resource === resource),
  )
  if (found === undefined) return undefined
  const { text } = view.masker()
  const operation = await operationOf(view, { ...names, operation: undefined })
  return (style) => [
    `${style.strong(found.name)} (${style.code(found.file)})`,
    style.text(text(found.request?.description ?? "")),
    ...(operation === undefined ? [] : describeOperation(operation, text)(style)),
  ]
}
