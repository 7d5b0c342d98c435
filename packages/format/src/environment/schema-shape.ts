// The definition of `schema.json`: which variables an API's environments have.

import { any, boolean, enumOf, map, object, optional, required, string, version } from "../shape/shape.ts"
import type { Objection } from "../shape/shape.ts"
import { isVariableName } from "../workflow/names.ts"
import type { EnvironmentSchema, VariableDeclaration } from "./types.ts"

/** Keys of a value file that are no variables. */
export const reservedKeys = ["extends", "level", "tls"] as const

/** What to do about a value without a declaration. */
export const UNDECLARED_HINT = `declare it under "variables" in schema.json, or remove it`

/** What is wrong with the name of a variable. */
export function objectToVariableName(name: string): Objection | undefined {
  if ((reservedKeys as readonly string[]).includes(name)) {
    return {
      code: "variable-reserved",
      message: `"${name}" is a key of value files and cannot be a variable`,
      hint: "give the variable another name",
    }
  }
  if (isVariableName(name)) return undefined
  return {
    code: "variable-name",
    message: `${JSON.stringify(name)} cannot be the name of a variable`,
    hint: 'letters, digits, "_" and "-", the first a letter or "_"',
  }
}

const declarationShape = object<VariableDeclaration>({
  type: required(enumOf("string", "number", "boolean"), "Type of the value."),
  required: required(boolean, "When true, a run fails if the variable resolves to nothing."),
  description: optional(string(), "Shown in the application."),
  secret: optional(
    boolean,
    "When true, values are written to the secrets file of the environment and not to its value file.",
  ),
  default: optional(any, "Fallback value of the declared type; lowest precedence."),
})

/** The definition of `apis/<api>/environments/schema.json`. */
export const environmentSchemaShape = object<EnvironmentSchema>({
  $schema: optional(string(), "The JSON Schema that an editor checks the file with."),
  version: required(version, "Version of the file format: the number 1."),
  variables: required(map(declarationShape, objectToVariableName), "Declarations by the variable's name."),
})
