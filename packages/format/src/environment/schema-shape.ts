// The definition of `schema.json`: which variables an API's environments have.

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

/** Keys of a value file that are no variables. */
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
      "When true, a run does not start while the variable resolves to nothing: absent, `null` or the empty string.",
    ),
    description: optional(string(), "Free text, shown beside the variable."),
    secret: defaulted(
      boolean,
      "When true, values belong in the secrets file of the environment, which is not in version control, and are masked wherever they would be shown.",
      false,
    ),
    // Which type it must be of is what the rule below says.
    default: optional(
      any as Shape<Scalar | null>,
      "Value of the declared type where no file gives one; the lowest precedence.",
    ),
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
  $schema: optional(string(), "The JSON Schema that an editor checks the file with."),
  version: required(version, "Version of the file format: the number 1."),
  variables: required(map(declarationShape, checkVariableName), "Declarations by the variable's name."),
})
