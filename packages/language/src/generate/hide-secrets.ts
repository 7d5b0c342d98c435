// Keeps the secrets of a project out of generated files: a document may have one in an example or a description.

import {
  formatPath,
  isJsonArray,
  isJsonObject,
  member,
  setOwn,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { GeneratedFile } from "./generated.ts"

/** A secret in a text. */
interface SecretRange {
  readonly from: number
  readonly to: number
  readonly api: string
  /** The variable that has the secret. Undefined if the API doesn't declare it. */
  readonly name: string | undefined
}

export type FindSecrets = (text: string) => readonly SecretRange[]

/** Replaces secrets: in values by their variables, and in descriptions by `***`. */
export function hideSecrets(file: GeneratedFile, find: FindSecrets): GeneratedFile {
  if (!("value" in file)) return file
  const owner = /^apis\/([^/]+)\/(requests|environments)\//.exec(file.path)
  const hiding: Hiding = {
    find,
    owner: owner?.[1],
    isEnvironment: owner?.[2] === "environments",
    used: apisIn(file.value),
  }
  return { path: file.path, value: hideInObject(hiding, file.value) }
}

interface Hiding {
  readonly find: FindSecrets
  /** The API of a saved request or an environment. */
  readonly owner: string | undefined
  readonly isEnvironment: boolean
  /** The APIs that a workflow sends requests to, whose variables it can read. */
  readonly used: ReadonlySet<string>
}

/** Returns the APIs of the request blocks in a workflow. */
function apisIn(value: JsonValue): ReadonlySet<string> {
  const api = member(member(value, "request"), "api")
  const inner = typeof value === "object" && value !== null ? Object.values(value as JsonObject) : []
  return new Set([...(typeof api === "string" ? [api] : []), ...inner.flatMap((one) => [...apisIn(one)])])
}

/** The members whose values are sent or compared. All others but descriptions are names of this project. */
const valueKeys = new Set(["overrides", "params", "body", "value", "default"])

function hideInObject(hiding: Hiding, object: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(object)) {
    if (key === "baseUrl" && hiding.isEnvironment && isSecret(hiding, value)) continue
    setOwn(result, key, hideInMember(hiding, key, value))
  }
  return result
}

function hideInMember(hiding: Hiding, key: string, value: JsonValue): JsonValue {
  if (valueKeys.has(key)) return hideInValue(hiding, value)
  if (key === "description" && typeof value === "string") return hideInText(hiding.find, value, () => MASK)
  if (isJsonArray(value)) return value.map((item) => (isJsonObject(item) ? hideInObject(hiding, item) : item))
  return isJsonObject(value) ? hideInObject(hiding, value) : value
}

const MASK = "***"

/** The value in place of a secret that no variable of the API has. */
const SAMPLE = "sample"

const isSecret = ({ find }: Hiding, value: JsonValue): boolean =>
  typeof value === "string" && find(value).length > 0

function hideInValue(hiding: Hiding, value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => hideInValue(hiding, item))
  if (isJsonObject(value)) {
    const result: Record<string, JsonValue> = {}
    for (const [name, inner] of Object.entries(value))
      setOwn(
        result,
        hideInText(hiding.find, name, () => SAMPLE),
        hideInValue(hiding, inner),
      )
    return result
  }
  if (typeof value === "boolean" || value === null) return value
  const text = String(value)
  const hidden = hideInText(hiding.find, text, (range) => tokenOf(hiding, range))
  return hidden === text ? value : hidden
}

/** A saved request reads only the variables of its API, and a workflow those of the APIs that it uses. */
function tokenOf({ owner, used }: Hiding, { api, name }: SecretRange): string {
  if (name === undefined) return SAMPLE
  if (owner === undefined) return used.has(api) ? `{{${formatPath(["env", api, name])}}}` : SAMPLE
  return owner === api ? `{{${formatPath([name])}}}` : SAMPLE
}

function hideInText(find: FindSecrets, text: string, replace: (range: SecretRange) => string): string {
  let result = text
  for (const range of find(text).toReversed())
    result = result.slice(0, range.from) + replace(range) + result.slice(range.to)
  return result
}
