// Repairs misspelled names that resemble exactly one known name.

import {
  formatPath,
  isJsonObject,
  parseJson,
  parsePathOnce,
  replacementOf,
  valueAt,
  type PlacedReplacement,
  type Problem,
} from "@callsheet/format"
import { repairTexts } from "../messages.ts"
import type { Repair } from "./repair.ts"

/** Returns the repairs of the problems that know one. Leaves out a key whose right name is also there. */
export function repairsOfNames(problems: Iterable<Problem>): readonly Repair[] {
  return [...problems].flatMap((problem) => {
    const replacement = replacementOf(problem)
    const edit = replacement && editOf(replacement)
    if (replacement === undefined || edit === undefined) return []
    const { source, from, to } = replacement
    return [{ source, edit, message: repairTexts.similar(from, to) }]
  })
}

function editOf(replacement: PlacedReplacement): Repair["edit"] | undefined {
  const { is, source, pointer, within, from, to } = replacement
  const parsed = parseJson(source.text)
  if (!parsed.ok || to.includes("{{")) return undefined
  if (is === "key") {
    const owner = valueAt(parsed.value, pointer.slice(0, -1))
    const key = renamedKey(replacement)
    const isFree = key !== undefined && isJsonObject(owner) && !Object.hasOwn(owner, key)
    return isFree ? { is: "rename", pointer, to: key } : undefined
  }
  const text = valueAt(parsed.value, pointer)
  if (typeof text !== "string") return undefined
  if (is === "value") return text === from ? { is: "set", pointer, value: to } : undefined
  const offset = nameIn(text, within, from)
  // A name that needs brackets would change the path around it.
  return offset === undefined || formatPath([to]) !== to
    ? undefined
    : { is: "replace", pointer, offset, from, to }
}

/** Returns the new key. The key of an override is a path, whose last name is replaced. */
function renamedKey({ pointer, from, to }: PlacedReplacement): string | undefined {
  const key = String(pointer.at(-1))
  if (key === from) return to
  if (key.endsWith(`.${from}`) && formatPath([to]) === to) return key.slice(0, -from.length) + to
  const path = parsePathOnce(key)
  return path.ok && path.segments.at(-1) === from
    ? formatPath([...path.segments.slice(0, -1), to])
    : undefined
}

/** Returns the offset of a name in the path or placeholder that starts at `start`. Undefined if it is there twice. */
function nameIn(text: string, start: number, name: string): number | undefined {
  const end = text.startsWith("{{", start) ? text.indexOf("}}", start) : text.length
  const found: number[] = []
  for (let at = text.indexOf(name, start); at !== -1 && at < end; at = text.indexOf(name, at + 1))
    if (
      /[.{\s]|^$/.test(text.slice(Math.max(0, at - 1), at)) &&
      /[.[}\s]|^$/.test(text.charAt(at + name.length))
    )
      found.push(at)
  return found.length === 1 ? found[0] : undefined
}
