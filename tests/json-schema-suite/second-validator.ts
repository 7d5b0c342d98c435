// An independent validator for schemas of 2020-12: its own tests are the complete official suite.

import { pathToFileURL } from "node:url"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { folder } from "./suite.ts"

interface Hyperjump {
  readonly registerSchema: (schema: unknown, address: string, dialect: string) => void
  readonly unregisterSchema: (address: string) => void
  readonly validate: (address: string) => Promise<(value: unknown) => { readonly valid: boolean }>
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

/** Its packages are installed next to this file, when the tests run. */
const load = (): Promise<Hyperjump> =>
  import(
    pathToFileURL(`${folder}node_modules/@hyperjump/json-schema/draft-2020-12/index.js`).href
  ) as Promise<Hyperjump>

let loading: Promise<Hyperjump> | undefined

/** The verdict of another validator on a value. The schema must have an absolute `$id`. */
export async function secondOpinion(
  schema: JsonObject & { readonly $id: string },
): Promise<{ readonly isValid: (value: JsonValue) => boolean; readonly end: () => void }> {
  const { registerSchema, unregisterSchema, validate } = await (loading ??= load())
  const address = schema.$id
  registerSchema(structuredClone(schema), address, dialect)
  const validateValue = await validate(address)
  return { isValid: (value) => validateValue(value).valid, end: () => unregisterSchema(address) }
}
