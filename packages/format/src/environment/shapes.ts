// Defines the shapes of `schema.json`, which declares variables, and of value files.

import { describeType, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import {
  any,
  boolean,
  defaulted,
  describedEnum,
  enumOf,
  type Field,
  map,
  object,
  type ObjectShape,
  optional,
  type OtherKeys,
  required,
  scalar,
  type Shape,
  string,
  textCheck,
  type TypeOf,
  version,
} from "../shape/shape.ts"
import { fileNamePattern, isVariableName } from "../workflow/names.ts"
import type { Finding } from "../problems.ts"
import { withReplacement } from "../replacement.ts"
import { coerceText, type Scalar } from "./coerce-text.ts"

export const reservedKeys = ["extends", "level", "tls"] as const

export const isReserved = (name: string): boolean => (reservedKeys as readonly string[]).includes(name)

const variableName = new RegExp(`^(?!(?:${reservedKeys.join("|")})$)[A-Za-z_][A-Za-z0-9_-]*$`, "u")

const variableWords = `letters, digits, "_" and "-", the first a letter or "_"; not ${reservedKeys.map((key) => `"${key}"`).join(", ")}`

export const checkVariableName = textCheck(variableName, variableWords, (name) =>
  isVariableName(name)
    ? messages["variable-reserved"].reserved(name)
    : messages["variable-name"].invalid(name),
)

const types = ["string", "number", "boolean"] as const

export const declarationShape = object(
  {
    type: required(enumOf(...types), "Type of the value."),
    required: required(
      boolean,
      "If true, a run doesn't start while the variable is missing, `null` or empty.",
    ),
    description: optional(string(), "Free text, shown beside the variable."),
    secret: defaulted(
      boolean,
      "If true, values belong in the secrets file and are masked in all output.",
      false,
    ),
    // The `typedBy` rule below checks the type of the default.
    default: optional(any as Shape<Scalar | null>, "Value if no file sets one."),
  },
  {
    rule: "typedBy",
    field: "default",
    by: "type",
    types,
    explain: (value, type, name) => messages["variable-type"].default(name, describeType(value), type),
  },
)

export type VariableDeclaration = TypeOf<typeof declarationShape>

/** The API whose server a run starts to receive callbacks and webhooks, unless the API has an environment. */
export const INBOX = "inbox"

/** Returns whether a text of a file may read the inbox's address. */
export const readsInbox = (text: string): boolean => text.includes(`env.${INBOX}.`)

const inboxName = new RegExp(`(["'\`])${INBOX}\\1`)

/** Returns whether a script may read the inbox's address: by a path, or by `ctx.env("inbox")`. */
export const scriptReadsInbox = (text: string): boolean => readsInbox(text) || inboxName.test(text)

export const environmentSchemaShape = object({
  $schema: optional(string(), "JSON Schema for editors."),
  version: required(version, "File format version."),
  variables: required(map(declarationShape, checkVariableName), "Declarations by variable name."),
})

interface DeclaredVariables {
  readonly variables: ReadonlyMap<string, VariableDeclaration>
  /** Every declared name, valid or not. Undefined if `schema.json` can't be read. */
  readonly names: readonly string[] | undefined
  readonly suggest: (name: string) => string | undefined
}

// Accepts "schema", which can't be an environment: the later message, that this parent doesn't exist, is clearer.
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
  tls: optional(tls, "TLS settings. Inherited as a whole."),
}).fields

const expected = "an object of values by variable"

/** The shape of a value file if the API's variables are unknown. Accepts any valid variable name. */
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

/** Builds the shape of one API's value files. Its messages never contain a value. */
export function valueFileShape({ variables, names, suggest }: DeclaredVariables): ObjectShape {
  const ofVariables = [...variables].map(([name, declaration]) => [name, fieldOf(name, declaration)] as const)
  // A broken declaration has its own problem, so its values are not checked.
  const broken = names?.filter((name) => !variables.has(name) && !isReserved(name)) ?? []
  const ofBroken = broken.map((name) => [name, optional(any, "")] as const)
  const others: OtherKeys =
    names === undefined
      ? { are: "values", shape: any, summary: "" }
      : { are: "refused", explain: (key) => undeclared(key, { variables, suggest }) }
  // `fromEntries` defines own properties even for names such as `__proto__`.
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

function undeclared(key: string, { variables, suggest }: Omit<DeclaredVariables, "names">): Finding {
  const { schemaReference, undeclared: named } = messages["variable-undeclared"]
  if (key === "$schema") return schemaReference()
  const hint = suggest(key)
  const finding = named(key, hint)
  if (hint === undefined) return finding
  const near = withReplacement(finding, {
    is: "key",
    from: key,
    known: [...variables.keys(), ...Object.keys(reserved)],
  })
  // The value of a secret doesn't belong in this file, whatever its name.
  const to = near.replacement?.to
  return to !== undefined && variables.get(to)?.secret === true ? finding : near
}
