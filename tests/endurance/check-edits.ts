// Checks that an edit of any text changes one thing and nothing else, or rejects text that doesn't parse.

import { parse as parseDotenv } from "dotenv"
import {
  deleteJsonAt,
  isJsonObject,
  parseJson,
  parseSecretsFile,
  setJsonAt,
  setSecret,
  unsetSecret,
  type JsonValue,
} from "@callsheet/format"
import type { Random } from "./random.ts"

const values: readonly JsonValue[] = ["new", "", 'with " and \\', 0, -1.5, true, null, "\u2028"]

/** Sets, adds or deletes a key of a JSON text, with its byte order mark if it has one. */
export function checkJsonEdits(text: string, random: Random): readonly string[] {
  const parsed = parseJson(text.replace(/^\ufeff/, ""))
  const keys = parsed.ok && isJsonObject(parsed.value) ? Object.keys(parsed.value) : undefined
  // Setting a key of a value that is not an object is a mistake of the caller, and throws.
  if (parsed.ok && keys === undefined) return []
  const what = random.pick(["set", "add", "delete"] as const)
  const known = keys === undefined || keys.length === 0 ? "a" : random.pick(keys)
  const key = what === "add" ? `fresh-${random.below(100)}` : known
  const value = random.pick(values)
  const edited = what === "delete" ? deleteJsonAt(text, [key]) : setJsonAt(text, [key], value)
  if (keys === undefined) return edited.ok ? ["an edit did not reject a broken file"] : []
  if (!edited.ok) return ["an edit rejected a valid file"]
  // `JSON.parse` and `JSON.stringify` overflow at depths that callsheet handles.
  if (/[[{]{1500}|(?:\{"a":){1500}/.test(text) || text.length > 1e6) return []
  const [was, is] = [read(text), read(edited.text)]
  const expected = what === "delete" ? undefined : JSON.stringify(value)
  return [
    ...(is.get(key) === expected ? [] : [`a key has another value after ${what}`]),
    ...(keys.every((other) => other === key || is.get(other) === was.get(other))
      ? []
      : [`another key was changed by ${what}`]),
    ...(keepsBytes[what](text, edited.text, keys) ? [] : [`other bytes were changed by ${what}`]),
  ]
}

type Keeps = (before: string, after: string, keys: readonly string[]) => boolean

const keepsBytes: Readonly<Record<"set" | "add" | "delete", Keeps>> = {
  // A key in an empty object may add lines. The comma goes after the last value, and the spaces after it stay.
  add: (before, after, keys) => keys.length === 0 || isLess(before, after),
  delete: (before, after) => isLess(after, before),
  set: (before, after, keys) => keys.length === 0 || isOneLine(before, after),
}

/** The values of a JSON object as texts, by an independent parser. */
function read(text: string): ReadonlyMap<string, string> {
  const value = JSON.parse(text.replace(/^\ufeff/, "")) as Readonly<Record<string, unknown>>
  return new Map(Object.entries(value).map(([key, member]) => [key, JSON.stringify(member)]))
}

/** The lengths of the common prefix and of the common suffix after it. */
function shared(a: string, b: string): [number, number] {
  const least = Math.min(a.length, b.length)
  let start = 0
  while (start < least && a[start] === b[start]) start++
  let end = 0
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [start, end]
}

/** One text is the other with some characters removed. */
function isLess(less: string, text: string): boolean {
  let at = 0
  for (let next = 0; next < text.length && at < less.length; next++) if (text[next] === less[at]) at++
  return at === less.length
}

/** A scalar that replaces a scalar changes one line. */
function isOneLine(before: string, after: string): boolean {
  const [start, end] = shared(before, after)
  const gone = before.slice(start, before.length - end)
  const put = after.slice(start, after.length - end)
  return /[{[\]}]/.test(gone) || !/[\r\n]/.test(gone + put)
}

/** Sets and removes secrets of a dotenv text, with its byte order mark if it has one. */
export function checkSecretEdits(text: string, random: Random): readonly string[] {
  const body = text.replace(/^\ufeff/, "")
  const { entries, findings } = parseSecretsFile(body)
  const isSound = findings.every(({ severity }) => severity === "warning")
  const name = random.pick([...entries.map((entry) => entry.name), "fresh"])
  const set = setSecret(text, name, "a new 'value'")
  const unset = unsetSecret(text, name)
  if (!isSound) return set.ok || unset.ok ? ["an edit did not reject a broken file"] : []
  const ours = Object.fromEntries(entries.map((entry) => [entry.name, entry.value]))
  const others = without(ours, name)
  return [
    ...(isSame(ours, body) ? [] : ["callsheet and dotenv read the file differently"]),
    ...(!set.ok || isSame({ ...others, [name]: "a new 'value'" }, set.text)
      ? []
      : ["a set secret has another value"]),
    // If a quote is not closed, the line may have to stay.
    ...(unset.ok || findings.length > 0 ? [] : ["an unset rejected a valid file"]),
    ...(!unset.ok || isSame(others, unset.text) ? [] : ["an unset secret has another value"]),
  ]
}

const without = (entries: Readonly<Record<string, string>>, name: string) =>
  Object.fromEntries(Object.entries(entries).filter(([key]) => key !== name))

function isSame(expected: Readonly<Record<string, string>>, text: string): boolean {
  const read = parseDotenv(Buffer.from(text.replace(/^\ufeff/, "")))
  // `dotenv` drops this name, because it sets the prototype of its object to a text.
  const keys = Object.keys(expected).filter((key) => key !== "__proto__")
  return Object.keys(read).length === keys.length && keys.every((key) => read[key] === expected[key])
}
