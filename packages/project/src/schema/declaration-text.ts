// One declaration in the text of `schema.json`: made, changed, and every other byte left alone.

import {
  createProblemMaker,
  deleteJsonKey,
  environmentSchemaShape,
  setJsonKey,
  type JsonValue,
  type VariableDeclaration,
} from "@callsheet/format"
import { throwIfAny } from "../environment/environment-files.ts"
import { convert } from "./convert-values.ts"
import type { EditedTexts } from "./edited-texts.ts"
import type { ChangedDeclaration } from "./schema-change.ts"

/** Adds a declaration behind the others. */
export function addDeclaration(texts: EditedTexts, name: string, declaration: VariableDeclaration): void {
  const { type, required, description, secret, default: fallback } = declaration
  const value: Readonly<Record<string, JsonValue>> = {
    type,
    required,
    ...(description === undefined ? {} : { description }),
    ...(secret === true ? { secret } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
  texts.editSchema(setJsonKey(texts.schema(), ["variables", name], value, environmentSchemaShape))
}

/** Makes the fields of a declaration say what they are to say. `secret` is not written where it says what holds without it. */
export function changeDeclaration(
  texts: EditedTexts,
  { name, declaration, keepDefault }: ChangedDeclaration,
  old: VariableDeclaration,
): void {
  const { type, required, description, secret = false } = declaration
  const put = (field: string, value: JsonValue | undefined): void =>
    texts.editSchema(
      value === undefined
        ? deleteJsonKey(texts.schema(), ["variables", name, field])
        : setJsonKey(texts.schema(), ["variables", name, field], value, environmentSchemaShape),
    )
  const fallback = keepDefault === true ? keptDefault(texts, { name, declaration, old }) : declaration.default
  put("type", type)
  put("required", required)
  put("description", description)
  if (secret !== (old.secret ?? false)) put("secret", secret ? true : undefined)
  put("default", fallback)
}

interface Kept {
  readonly name: string
  readonly declaration: VariableDeclaration
  readonly old: VariableDeclaration
}

function keptDefault(texts: EditedTexts, { name, declaration, old }: Kept): JsonValue | undefined {
  if (old.default === undefined) return undefined
  const source = { file: texts.schemaFile, text: texts.schema() }
  const key = ["variables", name, "default"] as const
  const converted = convert(source, key, old.default, declaration.type)
  if (converted !== undefined) return converted
  throwIfAny([
    createProblemMaker(source)(key, "value", {
      code: "variable-type",
      message: `the default of "${name}" is not a ${declaration.type}, as which it is to be declared`,
      hint: "give it another default, or none",
    }),
  ])
  return undefined
}
