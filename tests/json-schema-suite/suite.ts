// The tests of the JSON Schema organization, in their own format: files of groups, each a schema with valid and invalid
// values.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isJsonArray, isJsonObject, parseJson, stringifyJson, type JsonValue } from "@callsheet/format"

export type Draft = "draft4" | "draft2020-12"

export interface SuiteGroup {
  /** Path below the draft's directory, without `.json`: `optional/format/date`. */
  readonly file: string
  readonly description: string
  readonly schema: JsonValue
  readonly tests: readonly SuiteTest[]
}

export interface SuiteTest {
  readonly description: string
  readonly data: JsonValue
  readonly valid: boolean
}

export const folder = fileURLToPath(new URL(".", import.meta.url))

/** A clone of json-schema-org/JSON-Schema-Test-Suite. npm has only the tests of draft 4. */
export const clone = process.env["JSON_SCHEMA_TEST_SUITE"]

/** Every group of a draft. */
export function readSuite(draft: Draft): readonly SuiteGroup[] {
  const packaged = `${folder}node_modules/json-schema-test-suite/tests/${draft}`
  const root = clone === undefined ? packaged : join(clone, "tests", draft)
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".json"))
    .sort()
    .flatMap((path) => readGroups(join(root, path), path.slice(0, -".json".length)))
}

function readGroups(path: string, file: string): readonly SuiteGroup[] {
  const parsed = parseJson(readFileSync(path, "utf8"))
  if (!parsed.ok || !isJsonArray(parsed.value)) throw new Error(`${path} is not a file of the suite`)
  return parsed.value.map((group) => ({
    file,
    description: text(group, "description"),
    schema: field(group, "schema"),
    tests: list(group, "tests").map((test) => ({
      description: text(test, "description"),
      data: field(test, "data"),
      valid: field(test, "valid") === true,
    })),
  }))
}

const text = (value: JsonValue, name: string): string => stringifyJson(field(value, name)).slice(1, -1)

function list(value: JsonValue, name: string): readonly JsonValue[] {
  const found = field(value, name)
  return isJsonArray(found) ? found : []
}

function field(value: JsonValue, name: string): JsonValue {
  const found = isJsonObject(value) ? value[name] : undefined
  if (found === undefined) throw new Error(`a test of the suite has no ${name}`)
  return found
}
