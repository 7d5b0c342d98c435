// The kinds of fields that calls about environments take, held against the format's rules. What is refused is not repeated.

import {
  CallsheetError,
  isVariableName,
  objectToVariableName,
  reservedKeys,
  type ScalarType,
} from "@callsheet/format"
import type { CellValue, NewDeclaration, SchemaChange } from "../calls/index.ts"
import { MOST_MEMBERS, readMembers } from "../read-members.ts"
import { readText, texts } from "../text-rules.ts"

type Read<T> = (name: string, value: unknown) => T

/** By the name of the kind. */
export const environmentKinds = {
  parent: orNull(readText(texts.environment)),
  level: orNull(readText(texts.level)),
  verify: orNull(readBoolean),
  variable: readVariable,
  purpose: readText(texts.purpose),
  cells: readCells,
  names: readNames,
  "schema-change": readSchemaChange,
} as const satisfies Readonly<Record<string, Read<unknown>>>

function orNull<T>(read: Read<T>): Read<T | null> {
  return (name, value) => (value === null ? null : read(name, value))
}

function readBoolean(name: string, value: unknown): boolean {
  if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
  if (typeof value !== "boolean") throw new CallsheetError("field-type", `${name} must be true or false`)
  return value
}

function readVariable(name: string, value: unknown): string {
  const text = readText(texts.text)(name, value)
  if (objectToVariableName(text) === undefined) return text
  if (isVariableName(text))
    throw new CallsheetError("variable-reserved", `${reservedKeys.join(", ")} are keys of value files`, {
      hint: "give the variable another name",
    })
  throw new CallsheetError("variable-name", `${name}: no variable can have this name`, {
    hint: 'letters, digits, "_" and "-", the first a letter or "_"',
  })
}

/** The members of an object, of which none has another name than these. */
function readKnown(name: string, value: unknown, known: readonly string[]): ReadonlyMap<string, unknown> {
  const members = readMembers(name, value)
  if ([...members.keys()].some((key) => !known.includes(key)))
    throw new CallsheetError("field-unknown", `${name} holds a field that it does not take`)
  return members
}

function readCells(name: string, value: unknown): Readonly<Record<string, CellValue>> {
  const members = [...readMembers(name, value)]
  return Object.fromEntries(members.map(([key, item]) => [readVariable(name, key), readCell(name, item)]))
}

/** A number that JSON's reader has rounded already is refused: it comes as a text. */
function readCell(name: string, value: unknown): CellValue {
  if (value === null || typeof value === "boolean") return value
  if (typeof value === "string") return readText(texts.text)(name, value)
  if (typeof value !== "number")
    throw new CallsheetError("field-type", `${name} must hold texts, numbers, true, false and null`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new CallsheetError("field-value", `${name} holds a number of so many digits that it must be a text`)
  return value
}

/** Of keys that may stand in a file and be no variables' names. */
function readNames(name: string, value: unknown): readonly string[] {
  if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
  if (!Array.isArray(value)) throw new CallsheetError("field-type", `${name} must be a list`)
  if (value.length > MOST_MEMBERS) throw new CallsheetError("field-value", `${name} holds too much`)
  return value.map((item) => readText(texts.text)(name, item))
}

const changeFields = {
  add: ["name", "declaration"],
  change: ["name", "declaration", "keepDefault", "secretValues"],
  rename: ["name", "to"],
  delete: ["name"],
} as const satisfies { readonly [D in SchemaChange["do"]]: readonly string[] }

function readSchemaChange(name: string, value: unknown): SchemaChange {
  const what = readMembers(name, value).get("do")
  if (typeof what !== "string" || !Object.hasOwn(changeFields, what))
    throw new CallsheetError("field-value", `${name}: there is no such change`)
  const kind = what as SchemaChange["do"]
  const members = readKnown(name, value, ["do", ...changeFields[kind]])
  const variable = readVariable(`${name}.name`, members.get("name"))
  const declaration = () => readDeclaration(`${name}.declaration`, members.get("declaration"))
  switch (kind) {
    case "add":
      return { do: kind, name: variable, declaration: declaration() }
    case "change":
      return { do: kind, name: variable, declaration: declaration(), ...readWishes(name, members) }
    case "rename":
      return { do: kind, name: variable, to: readVariable(`${name}.to`, members.get("to")) }
    case "delete":
      return { do: kind, name: variable }
  }
}

type Wishes = Pick<Extract<SchemaChange, { do: "change" }>, "keepDefault" | "secretValues">

function readWishes(name: string, members: ReadonlyMap<string, unknown>): Wishes {
  const [keepDefault, secretValues] = [members.get("keepDefault"), members.get("secretValues")]
  if (keepDefault !== undefined && keepDefault !== true)
    throw new CallsheetError("field-value", `${name}.keepDefault must be true`)
  if (secretValues !== undefined && secretValues !== "keep" && secretValues !== "move")
    throw new CallsheetError("field-value", `${name}.secretValues must be "keep" or "move"`)
  return {
    ...(keepDefault === undefined ? {} : { keepDefault }),
    ...(secretValues === undefined ? {} : { secretValues }),
  }
}

const declarationFields = ["type", "required", "description", "secret", "default"] as const

function readDeclaration(name: string, value: unknown): NewDeclaration {
  const members = readKnown(name, value, declarationFields)
  const of = <T>(field: (typeof declarationFields)[number], read: Read<T>): T | undefined =>
    members.has(field) ? read(`${name}.${field}`, members.get(field)) : undefined
  const description = of("description", readText(texts.text))
  const secret = of("secret", readBoolean)
  const fallback = of("default", readCell)
  return {
    type: readText(texts.type)(`${name}.type`, members.get("type")) as ScalarType,
    required: readBoolean(`${name}.required`, members.get("required")),
    ...(description === undefined ? {} : { description }),
    ...(secret === undefined ? {} : { secret }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}
