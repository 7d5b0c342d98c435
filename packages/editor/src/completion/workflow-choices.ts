// The operators, expected values and scripts that the blocks of a workflow can name.

import {
  isJsonObject,
  operators,
  ownOf,
  unknownType,
  valueAt,
  type JsonObject,
  type JsonPointer,
} from "@callsheet/format"
import { blockPlaceAt, fittingOperators, scriptPath, type TypedPlace } from "@callsheet/language"
import { valuePointer, type JsonSpot } from "../known/json-file.ts"
import { workflowTypes } from "../known/workflow-types.ts"
import { itemKinds, type Choice } from "./choice.ts"
import { nameChoice, typeChoices } from "./request-choices.ts"

/** Undefined if only the shape of the file says what can be written. */
export async function workflowValues(spot: JsonSpot): Promise<readonly Choice[] | undefined> {
  const { is: file } = spot.file
  const place = file.kind === "workflow" ? blockPlaceAt(valuePointer(spot)) : undefined
  if (file.kind !== "workflow" || place === undefined) return undefined
  const last = place.field.at(-1)
  const holder = holderOf(spot)
  if (place.field[0] === "script")
    return scriptChoices(spot, { holder, field: last, workflow: file.workflow })
  const assertion = assertionField(place.field)
  if (assertion === "operator") return operatorChoices(spot, holder, place)
  return assertion === "value" ? valueChoices(spot, holder, place) : undefined
}

/** Returns the object that has the value at the place. */
function holderOf(spot: JsonSpot): JsonObject {
  const holder = valueAt(spot.value(), valuePointer(spot).slice(0, -1))
  return isJsonObject(holder) ? holder : {}
}

/** Returns the field of an assertion. */
function assertionField([first, second, third, ...more]: JsonPointer): string | number | undefined {
  if (first === "assertions") return more.length === 0 ? third : undefined
  return (first === "if" || first === "until") && third === undefined ? second : undefined
}

async function operatorChoices(
  spot: JsonSpot,
  holder: JsonObject,
  place: TypedPlace,
): Promise<readonly Choice[]> {
  const types = await workflowTypes(spot)
  const { source, value } = holder
  const known = types !== undefined && typeof source === "string" ? types.ofPath(source, place) : unknownType
  const expected = value === undefined || types === undefined ? unknownType : types.ofValue(value, place)
  return fittingOperators(known, expected).map((name) =>
    nameChoice(name, { kind: itemKinds.operator, documentation: operators[name].summary }),
  )
}

async function valueChoices(
  spot: JsonSpot,
  holder: JsonObject,
  place: TypedPlace,
): Promise<readonly Choice[]> {
  const { source } = holder
  const types = typeof source === "string" ? await workflowTypes(spot) : undefined
  return typeof source === "string" && types !== undefined
    ? typeChoices(types.ofPath(source, place), spot)
    : []
}

interface ScriptPlace {
  readonly holder: JsonObject
  readonly field: string | number | undefined
  readonly workflow: string
}

async function scriptChoices(
  { view }: JsonSpot,
  { holder, field, workflow }: ScriptPlace,
): Promise<readonly Choice[]> {
  const names = view.project.scriptNames.get(workflow) ?? []
  if (field === "name")
    return names.map((name) => nameChoice(name, { kind: itemKinds.file, detail: `${name}.ts` }))
  const name = ownOf(holder, "name")
  if (field !== "exportName" || typeof name !== "string" || !names.includes(name)) return []
  const described = await view.describe(scriptPath(view.project, workflow, name))
  if (!described.ok) return []
  const functions = described.exports.filter((one) => !Object.hasOwn(described.values, one))
  return functions.map((one) => nameChoice(one, { kind: itemKinds.function }))
}
