// Parses successive versions of a file. If only one place changed, only that place is parsed.

import { changedRange } from "../text/change-text.ts"
import { readContainer } from "./members.ts"
import { parseJson, type ParsedJson } from "./parse-json.ts"
import { skipBlanks } from "./scan.ts"
import { isJsonArray, isJsonObject, type JsonValue, ownOf } from "./value.ts"

interface Version {
  readonly text: string
  readonly parsed: ParsedJson
  /** The items of the longest list, located on first use. */
  list?: List | undefined
}

interface List {
  readonly key: string | undefined
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** The minimum length in UTF-16 code units. Parsing a shorter file is faster than comparing it. */
const MIN_LENGTH = 30_000
/** The minimum number of items. With fewer, most of the file would be parsed anyway. */
const MIN_ITEMS = 8
/** The number of cached versions: the file before an edit and the file after it. */
const MAX_VERSIONS = 2

/**
 * Returns a function like `parseJson` that is faster if the text resembles the previous one. Parsing the same text again
 * prepares it for its first edit.
 */
export function createEditedParser(minLength = MIN_LENGTH): (text: string) => ParsedJson {
  let versions: readonly Version[] = []
  return (text) => {
    const known = versions.find((version) => version.text === text)
    if (known?.parsed.ok === true && text.length >= minLength)
      known.list ??= longestList(text, known.parsed.value)
    const [last] = versions
    const next = known ??
      (last === undefined || text.length < minLength ? undefined : fixed(last, text)) ?? {
        text,
        parsed: parseJson(text),
      }
    versions = [next, ...versions.filter((version) => version !== next)].slice(0, MAX_VERSIONS)
    return next.parsed
  }
}

export const parseEdited = createEditedParser()

/** Parses only the changed items. Returns undefined if anything else changed, so that the whole text has to be parsed. */
function fixed(version: Version, text: string): Version | undefined {
  if (!version.parsed.ok) return undefined
  version.list ??= longestList(version.text, version.parsed.value)
  const { list } = version
  const range = changedRange(version.text, text)
  if (list === undefined || range === undefined) return undefined
  // The text before the first changed item and after the last one is the same in both versions, and valid.
  const first = list.starts.findLastIndex((start) => start <= range.from)
  const last = list.ends.findIndex((end) => end >= range.endBefore)
  const [start, end] = [list.starts[first], list.ends[last]]
  if (start === undefined || end === undefined || last < first) return undefined
  if (end - start > text.length / 2) return undefined
  const shift = text.length - version.text.length
  const items = itemsOf(text.slice(start, end + shift), start)
  if (items === undefined) return undefined
  const spliced = <T>(before: readonly T[], between: readonly T[], after: readonly T[]): readonly T[] => [
    ...before.slice(0, first),
    ...between,
    ...after.slice(last + 1),
  ]
  const moved = (offset: number): number => offset + shift
  return {
    text,
    parsed: {
      ok: true,
      value: withList(version.parsed.value, list.key, (all) => spliced(all, items.values, all)),
    },
    list: {
      key: list.key,
      starts: spliced(list.starts, items.starts, list.starts.map(moved)),
      ends: spliced(list.ends, items.ends, list.ends.map(moved)),
    },
  }
}

function itemsOf(part: string, start: number) {
  const text = `[${part}]`
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonArray(parsed.value) || parsed.value.length === 0) return undefined
  const members = readContainer(text, 0)?.members ?? []
  return {
    values: parsed.value,
    starts: members.map(({ valueAt }) => start + valueAt - 1),
    ends: members.map(({ end }) => start + end - 1),
  }
}

function longestList(text: string, value: JsonValue): List | undefined {
  const isLong = (part: JsonValue | undefined): boolean => isJsonArray(part) && part.length >= MIN_ITEMS
  const root = skipBlanks(text, 0)
  if (isLong(value)) return listAt(text, root, undefined)
  if (!isJsonObject(value) || !Object.values(value).some(isLong)) return undefined
  const [longest] = (readContainer(text, root)?.members ?? [])
    .filter(({ key = "" }) => isLong(ownOf(value, key)))
    .sort((a, b) => b.end - b.valueAt - (a.end - a.valueAt))
  return longest === undefined ? undefined : listAt(text, longest.valueAt, longest.key)
}

function listAt(text: string, open: number, key: string | undefined): List {
  const members = readContainer(text, open)?.members ?? []
  return { key, starts: members.map(({ valueAt }) => valueAt), ends: members.map(({ end }) => end) }
}

function withList(
  value: JsonValue,
  key: string | undefined,
  change: (items: readonly JsonValue[]) => readonly JsonValue[],
): JsonValue {
  if (key === undefined) return change(isJsonArray(value) ? value : [])
  if (!isJsonObject(value)) return value
  const items = ownOf(value, key) ?? []
  return { ...value, [key]: change(isJsonArray(items) ? items : []) }
}
