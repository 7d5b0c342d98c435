// Writes values of a script that are known without running it as code.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import { identifierCode, numberCode } from "../export/code.ts"
import { js, jsString, type Js } from "../export/js-code.ts"
import { draft, joinDrafts, type Draft } from "./draft.ts"
import { refuse } from "./untranslatable.ts"

/** Writes a value. Its strings are texts, which may contain variables. */
export function valueCode(value: JsonValue): Draft {
  if (typeof value === "string") return [{ is: "text", text: value }]
  if (typeof value === "number") return draft`${numberCode(value)}`
  if (typeof value === "boolean") return value ? draft`true` : draft`false`
  if (value === null) return draft`null`
  if (isJsonArray(value)) return draft`[${joinDrafts(value.map(valueCode), draft`, `)}]`
  if (!isJsonObject(value)) return refuse("this number")
  const members = Object.entries(value).map(
    ([key, inner]) => draft`${[{ is: "key", name: key }]}: ${valueCode(inner)}`,
  )
  return members.length === 0 ? draft`{}` : draft`{ ${joinDrafts(members, draft`, `)} }`
}

/** Members through which code could reach more than values. */
const refusedKeys = new Set(["constructor", "prototype", "__proto__", "__defineGetter__", "__defineSetter__"])

/** Returns a name that a member or a pattern of the code may have. */
export const allowedKey = (key: string): string => (refusedKeys.has(key) ? refuse("this member") : key)

/** Writes the access of a member of ours: `.id`, `[0]` or `["first name"]`. */
export function keyCode(key: string): Js {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return js`.${identifierCode(key)}`
  return isIndex(key) ? js`[${numberCode(Number(key))}]` : js`[${jsString(key)}]`
}

const isIndex = (key: string): boolean => /^\d{1,9}$/.test(key) && String(Number(key)) === key

/** Writes the access of a member that a script names. */
export function keyDraft(written: string, isOptional = false): Draft {
  const key = allowedKey(written)
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
    return isOptional ? draft`?.${identifierCode(key)}` : draft`.${identifierCode(key)}`
  const inner: Draft = isIndex(key) ? draft`${numberCode(Number(key))}` : [{ is: "text", text: key }]
  return isOptional ? draft`?.[${inner}]` : draft`[${inner}]`
}
