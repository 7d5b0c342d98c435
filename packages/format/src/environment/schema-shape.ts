// Defines the shape of `schema.json`: the variables of an API's environments.

import { describeType } from "../json/value.ts"
import { messages } from "../messages.ts"
import {
  any,
  boolean,
  defaulted,
  enumOf,
  map,
  object,
  optional,
  required,
  string,
  textCheck,
  version,
  type Shape,
} from "../shape/shape.ts"
import { isVariableName } from "../workflow/names.ts"
import type { Scalar } from "./types.ts"

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
    // The `typedBy` rule below checks its type.
    default: optional(any as Shape<Scalar | null>, "Value if no file gives one."),
  },
  {
    rule: "typedBy",
    field: "default",
    by: "type",
    types,
    explain: (value, type, name) => messages["variable-type"].default(name, describeType(value), type),
  },
)

export const environmentSchemaShape = object({
  $schema: optional(string(), "JSON Schema for editors."),
  version: required(version, "File format version."),
  variables: required(map(declarationShape, checkVariableName), "Declarations by variable name."),
})
