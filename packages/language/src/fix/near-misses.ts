// Repairs misspelled names that resemble exactly one known name.

import {
  createJsonLocator,
  formatPath,
  isJsonObject,
  locateJson,
  memo,
  parseJson,
  parsePathOnce,
  replacementOf,
  valueAt,
  type JsonValue,
  type PlacedReplacement,
  type Problem,
  type SourceFile,
} from "@callsheet/format"
import { repairTexts } from "../messages.ts"
import { changeOf, isOfAssertion, type RenamingEdit, type Repair } from "./repair.ts"

/** Returns the repairs of the problems that know one. Leaves out a key whose right name is also there. */
export function repairsOfNames(problems: Iterable<Problem>): readonly Repair[] {
  return [...problems].flatMap((problem) => nameRepair(problem, readSource) ?? [])
}

/**
 * Returns the repair of a problem as a change of its file's text, for an editor. Undefined if it has none. The file may
 * be half-written. Pass the problem that `validateProject` found, because a copy of it has no repair.
 */
export function repairOf(problem: Problem) {
  const repair = nameRepair(problem, readHalfWritten)
  if (repair === undefined) return undefined
  const { source, edit, message } = repair
  return {
    file: source.file,
    message,
    change: changeOf(source.text, edit, readHalfWritten(source).locate),
    /** True if `validate --fix` leaves it to a person. */
    isOfAssertion: isOfAssertion(edit.pointer),
  }
}

interface NameRepair extends Repair {
  readonly edit: RenamingEdit
}

function nameRepair(problem: Problem, read: typeof readSource): NameRepair | undefined {
  const replacement = replacementOf(problem)
  const edit = replacement && editOf(replacement, read(replacement.source).value)
  if (replacement === undefined || edit === undefined) return undefined
  const { source, from, to } = replacement
  return { source, edit, message: repairTexts.similar(from, to) }
}

/** Reads a file once for all of its problems. */
const readSource = memo(({ text }: SourceFile) => {
  const parsed = parseJson(text)
  return { value: parsed.ok ? parsed.value : undefined, locate: createJsonLocator(text) }
})

/** Like `readSource`, with what can be read of a broken file. */
const readHalfWritten: typeof readSource = memo(({ text }: SourceFile) => ({
  value: locateJson(text).value,
  locate: createJsonLocator(text),
}))

function editOf(replacement: PlacedReplacement, value: JsonValue | undefined): RenamingEdit | undefined {
  const { is, pointer, within, from, to } = replacement
  if (value === undefined || to.includes("{{")) return undefined
  if (is === "key") {
    const owner = valueAt(value, pointer.slice(0, -1))
    const key = renamedKey(replacement)
    const isFree = key !== undefined && isJsonObject(owner) && !Object.hasOwn(owner, key)
    return isFree ? { is: "rename", pointer, to: key } : undefined
  }
  const text = valueAt(value, pointer)
  if (typeof text !== "string") return undefined
  if (is === "value") return text === from ? { is: "replace", pointer, offset: 0, from, to } : undefined
  const found = nameIn(text, within, from)
  if (found === undefined) return undefined
  // A name that needs brackets would change the path around it, unless it is in some already.
  const isPlain = is === "path" || (found.isQuoted ? !/["\\]/.test(to) : formatPath([to]) === to)
  return isPlain ? { is: "replace", pointer, offset: found.at, from, to } : undefined
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

/** Finds a name in the path or placeholder that starts at `start`. Undefined if it is there twice. */
function nameIn(text: string, start: number, name: string) {
  const end = text.startsWith("{{", start) ? text.indexOf("}}", start) : text.length
  const found: { readonly at: number; readonly isQuoted: boolean }[] = []
  for (let at = text.indexOf(name, start); at !== -1 && at < end; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.charAt(at + name.length)]
    if (/[.{\s]|^$/.test(before) && /[.[}\s]|^$/.test(after)) found.push({ at, isQuoted: false })
    else if (before === '"' && after === '"') found.push({ at, isQuoted: true })
  }
  return found.length === 1 ? found[0] : undefined
}
