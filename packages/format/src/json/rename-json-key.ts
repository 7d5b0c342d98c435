// Gives a key of a JSON text another name, in its place. Every other byte stays as it was.

import type { EditedJson } from "./edit-json.ts"
import { createJsonLocator, type JsonPointer } from "./locate.ts"
import { stringEnd } from "./members.ts"
import { parseJson } from "./parse-json.ts"
import { isJsonObject, type JsonValue } from "./value.ts"

/**
 * Renames the last key of `path`; one that is not there changes nothing. Throws where its object has a key of the new name.
 *
 *     renameJsonKey('{ "a": 1, "b": 2 }', ["a"], "c")   // { ok: true, text: '{ "c": 1, "b": 2 }' }
 */
export function renameJsonKey(text: string, path: JsonPointer, to: string): EditedJson {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  const body = text.slice(mark.length)
  const parsed = parseJson(body)
  if (!parsed.ok) return parsed
  const owner = ownerOf(parsed.value, path.slice(0, -1))
  const key = path.at(-1)
  if (owner === undefined || key === undefined || !Object.hasOwn(owner, key)) return { ok: true, text }
  if (Object.hasOwn(owner, to)) throw new Error(`there is a key ${JSON.stringify(to)} already`)
  const at = createJsonLocator(body)(path, "key")
  const edited = body.slice(0, at) + JSON.stringify(to) + body.slice(stringEnd(body, at))
  return { ok: true, text: mark + edited }
}

function ownerOf(root: JsonValue, steps: JsonPointer): Readonly<Record<string, JsonValue>> | undefined {
  let here: JsonValue | undefined = root
  for (const step of steps)
    here =
      typeof here === "object" && here !== null && Object.hasOwn(here, step)
        ? (here as Readonly<Record<string | number, JsonValue>>)[step]
        : undefined
  return isJsonObject(here) ? here : undefined
}
