// The definition of a value file: three keys of the format, and the variables that schema.json declares.

import { describeType, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import {
  any,
  boolean,
  defaulted,
  describedEnum,
  object,
  optional,
  scalar,
  string,
  textCheck,
  type Field,
  type ObjectShape,
  type OtherKeys,
} from "../shape/shape.ts"
import { fileNamePattern } from "../workflow/names.ts"
import { coerceText } from "./coerce-text.ts"
import { isReserved, checkVariableName } from "./schema-shape.ts"
import type { VariableDeclaration } from "./types.ts"

interface DeclaredVariables {
  readonly variables: ReadonlyMap<string, VariableDeclaration>
  /** Every name that is declared, rightly or not; undefined where schema.json does not tell: then every name may be one. */
  readonly names: readonly string[] | undefined
  readonly suggest: (name: string) => string | undefined
}

// "schema" passes: no file of that name is an environment, and that it is missing says more than that it may not be.
const parentName = textCheck(
  fileNamePattern,
  "the name of an environment: no path and no file ending",
  messages["env-name"].parent,
)

export const levelShape = describedEnum({
  production: "A run asks before it sends anything.",
  staging: "Shown beside every run.",
  local: "The default.",
})

const tls = {
  ...object({
    verify: defaulted(boolean, "`false` turns certificate validation off for this environment.", true),
    ca: optional(any, "Reserved. Not read yet."),
  }),
  others: { are: "ignored", read: ["verify"] },
} satisfies ObjectShape

const reserved = object({
  extends: optional(
    string(parentName, { expected: "the name of an environment" }),
    "The parent environment, whose values this one inherits.",
  ),
  level: defaulted(levelShape, "How dangerous the environment is. Inherited.", "local"),
  tls: optional(tls, "How certificates are verified. Inherited as a whole."),
}).fields

const expected = "an object of values by variable"

/** The definition of a value file of an API whose variables are not known: any name that a variable can have. */
export const anyValueFileShape: ObjectShape = {
  is: "object",
  fields: reserved,
  rules: [],
  others: {
    are: "values",
    shape: scalar(["string", "number", "boolean"]),
    summary: "A variable that schema.json declares: a value of its type, or `null` for no value.",
    checkKey: checkVariableName,
  },
  expected,
}

/** The definition of a value file of one API. No message of it holds a value. */
export function valueFileShape({ variables, names, suggest }: DeclaredVariables): ObjectShape {
  const ofVariables = [...variables].map(([name, declaration]) => [name, fieldOf(name, declaration)] as const)
  // A declaration that is broken has its own problem: nothing follows for its values.
  const broken = names?.filter((name) => !variables.has(name) && !isReserved(name)) ?? []
  const ofBroken = broken.map((name) => [name, optional(any, "")] as const)
  const others: OtherKeys =
    names === undefined
      ? { are: "values", shape: any, summary: "" }
      : { are: "refused", explain: (key) => undeclared(key, suggest) }
  // `fromEntries` defines own properties, whatever their name.
  const fields = Object.fromEntries<Field>([...ofBroken, ...ofVariables, ...Object.entries(reserved)])
  return { is: "object", fields, rules: [], others, expected }
}

function fieldOf(name: string, declaration: VariableDeclaration): Field {
  const { type, description = "", secret, default: fallback } = declaration
  const shape = scalar([type], (value) =>
    messages["variable-type"].value(name, describeType(value), type, typeHintFor(value, declaration)),
  )
  const field = optional(shape, description)
  return secret === true
    ? { ...field, deprecated: "A secret: its value belongs in the secrets file." }
    : { ...field, default: fallback ?? undefined }
}

function typeHintFor(value: JsonValue, { type }: VariableDeclaration): string | undefined {
  if (typeof value === "string" && coerceText(value, type) !== undefined) return "write it without quotes"
  return type === "string" && typeof value !== "object" ? "write it in quotes" : undefined
}

function undeclared(key: string, suggest: DeclaredVariables["suggest"]): Finding {
  const { schemaReference, undeclared: named } = messages["variable-undeclared"]
  return key === "$schema" ? schemaReference() : named(key, suggest(key))
}
