// What can be written at a place of a JSON file, and the edit that writes it there.

import { isJsonObject, snippetOf, stringifyJson, type JsonValue, type Shape } from "@callsheet/format"
import { valuesOf } from "@callsheet/language"
import type { CompletionItem, CompletionItemKind, TextEdit } from "vscode-languageserver-protocol"
import type { JsonSpot } from "../known/json-file.ts"

export interface Choice {
  readonly label: string
  readonly kind: CompletionItemKind
  readonly detail?: string | undefined
  readonly documentation?: string | undefined
  /** The text that the typed text is compared with. By default, the label. */
  readonly search?: string | undefined
  /** What `completionItem/resolve` receives. */
  readonly data?: unknown
  readonly write:
    | { readonly is: "value"; readonly value: JsonValue; readonly isSnippet?: boolean }
    /** `after` is the shape of the value that follows a new key. */
    | { readonly is: "key"; readonly after?: Shape | undefined }
}

/** Keeps the order of the choices, and puts them before those of an editor's own JSON support. */
export const sortTextAt = (index: number): string => `!${String(index).padStart(5, "0")}`

/** The kinds of the protocol, whose package is imported for types only. */
export const itemKinds = {
  method: 2,
  function: 3,
  field: 5,
  variable: 6,
  module: 9,
  property: 10,
  value: 12,
  enumMember: 20,
  operator: 24,
  file: 17,
  snippet: 15,
} as const satisfies Readonly<Record<string, CompletionItemKind>>

interface ItemContext {
  readonly spot: JsonSpot
  readonly hasSnippets: boolean
}

/** Text to insert, with the tab stops of a snippet. */
interface Insertion {
  readonly text: string
  readonly isSnippet: boolean
}

export function toItem(choice: Choice, index: number, { spot, hasSnippets }: ItemContext): CompletionItem {
  const { label, kind, detail, documentation, search, data, write } = choice
  const body = write.is === "key" ? keyText(label, write.after, spot) : valueText(write, spot)
  const { range, inserted, before } = place(body, spot)
  const replaced = spot.file.text.slice(range.from, range.to)
  const isSnippet = hasSnippets && inserted.isSnippet
  return {
    label,
    kind,
    ...(detail === undefined || detail === "" ? {} : { detail }),
    // A string is plain text, which can't contain a link.
    ...(documentation === undefined ? {} : { documentation }),
    ...(data === undefined ? {} : { data }),
    sortText: sortTextAt(index),
    filterText: `${replaced.startsWith('"') ? '"' : ""}${search ?? label}`,
    insertTextFormat: isSnippet ? 2 : 1,
    ...(inserted.text.includes("\n") ? { insertTextMode: 2 } : {}),
    textEdit: {
      range: spot.file.rangeOf(range.from, range.to),
      newText: isSnippet || !inserted.isSnippet ? inserted.text : withoutStops(inserted.text),
    },
    ...(before === undefined ? {} : { additionalTextEdits: [before] }),
  }
}

interface Body {
  /** The text between the quotes, for a string or key. */
  readonly quoted?: string
  /** The text after the closing quote, or the whole text. */
  readonly rest: string
  readonly isSnippet: boolean
}

function keyText(label: string, after: Shape | undefined, { place: { insert } }: JsonSpot): Body {
  const value: Insertion = after === undefined ? { text: '"$1"', isSnippet: true } : valueOfShape(after)
  const rest = insert.colon ? `: ${value.text}` : ""
  const isSnippet = insert.colon && value.isSnippet
  const quoted = JSON.stringify(label).slice(1, -1)
  return { quoted: isSnippet ? escapeSnippet(quoted) : quoted, rest, isSnippet }
}

function valueText(
  { value, isSnippet = false }: { readonly value: JsonValue; readonly isSnippet?: boolean },
  spot: JsonSpot,
): Body {
  const { at, insert } = spot.place
  const isAfterKey = at === "value" && insert.colon
  const text = isSnippet ? snippetText(value) : stringifyJson(value)
  if (typeof value !== "string" || isAfterKey) return { rest: `${isAfterKey ? ": " : ""}${text}`, isSnippet }
  return { quoted: text.slice(1, -1), rest: "", isSnippet }
}

/** Places a text with the quotes, colon and commas that it needs there. */
function place(body: Body, { place: { range, insert, at }, file }: JsonSpot) {
  const { text } = file
  const isInQuotes = !insert.openQuote
  const closing = isInQuotes && !insert.closeQuote && text[range.to] === '"' ? 1 : 0
  const hasValue = at === "key" && !insert.colon
  const comma = insert.commaAfter && !hasValue ? "," : ""
  const { quoted, rest, isSnippet } = body
  const after = `${rest}${comma}`
  let from = range.from
  let to = range.to
  let inserted: string
  if (quoted === undefined) {
    from -= isInQuotes ? 1 : 0
    to += closing
    inserted = after
  } else {
    const isLeft = closing === 1 && after === ""
    to += isLeft ? 0 : closing
    inserted = `${isInQuotes ? "" : '"'}${quoted}${isLeft ? "" : '"'}${after}`
  }
  const start = insert.commaBefore ? lastBefore(text, isInQuotes ? range.from - 1 : range.from) : undefined
  const isApart = start !== undefined && start < from
  return {
    range: { from, to },
    inserted: { text: start !== undefined && !isApart ? `, ${inserted}` : inserted, isSnippet },
    before: isApart ? ({ range: file.rangeOf(start, start), newText: "," } satisfies TextEdit) : undefined,
  }
}

/** Returns the offset after the last character before an offset that isn't blank. */
function lastBefore(text: string, from: number): number {
  let at = from
  while (at > 0 && " \t\r\n".includes(text[at - 1] ?? "")) at--
  return at
}

/** Returns what follows a new key: a value to choose or to fill in. */
function valueOfShape(shape: Shape): Insertion {
  const values = valuesOf(shape)
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return { text: stringifyJson(only.value), isSnippet: false }
  if (only !== undefined) return { text: choiceText(values.map(({ value }) => value)), isSnippet: true }
  switch (shape.is) {
    case "object":
      return { text: snippetText(snippetOf(shape)), isSnippet: true }
    case "map":
      return { text: "{$1}", isSnippet: true }
    case "array": {
      const item = shape.items()
      return { text: item.is === "object" ? snippetText([snippetOf(item)]) : "[$1]", isSnippet: true }
    }
    case "string":
      return { text: '"$1"', isSnippet: true }
    default:
      return { text: "$1", isSnippet: true }
  }
}

/** The values of an enum, to choose one. */
function choiceText(values: readonly JsonValue[]): string {
  const isText = values.every((value) => typeof value === "string")
  const words = values.map((value) => (typeof value === "string" ? value : stringifyJson(value)))
  const choice = `\${1|${words.map((word) => word.replaceAll(/[\\,|$}]/g, String.raw`\$&`)).join(",")}|}`
  return isText ? `"${choice}"` : choice
}

const escapeSnippet = (text: string): string => text.replaceAll(/[\\$}]/g, String.raw`\$&`)

/** Writes a value whose strings are tab stops, such as `$1`. */
function snippetText(value: JsonValue): string {
  const text = isEmpty(value)
    ? `${stringifyJson(value).slice(0, 1)}$1${stringifyJson(value).slice(-1)}`
    : JSON.stringify(value, plain, 2)
  // Empty lists and objects are there to be filled.
  let last = Math.max(0, ...[...text.matchAll(/"\$(\d+)"/g)].map(([, number]) => Number(number)))
  return text.replaceAll(/\[\]|\{\}/g, (empty) => `${empty[0]}$${++last}${empty[1]}`)
}

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value)

const isEmpty = (value: JsonValue): boolean =>
  (Array.isArray(value) && value.length === 0) || (isJsonObject(value) && Object.keys(value).length === 0)

/** Returns the text of a snippet for a client that knows none. */
const withoutStops = (text: string): string =>
  text
    .replaceAll(/\$\{1\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}/g, "$1")
    .replaceAll(/(?<!\\)\$\d+/g, "")
    .replaceAll(/\\([\\$},|])/g, "$1")
