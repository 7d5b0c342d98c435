// Adds entries to the list "json.schemas" of VS Code's settings, and leaves the rest of the text as it is: the file may hold
// comments and trailing commas, which JSON does not have.

import {
  createJsonLocator,
  isJsonArray,
  isJsonObject,
  parseJson,
  setJsonKey,
  type JsonObject,
} from "@callsheet/format"

const KEY = "json.schemas"

/**
 * The text with the entries whose `url` it does not have yet; the same text where it has all of them. Undefined where the text
 * cannot be edited safely. A text that is absent or blank becomes a new file.
 */
export function addSchemas(text: string | undefined, entries: readonly JsonObject[]): string | undefined {
  const mark = text?.startsWith("\ufeff") === true ? "\ufeff" : ""
  const body = (text ?? "").slice(mark.length)
  if (body.trim() === "") return `${mark}${JSON.stringify({ [KEY]: entries }, undefined, 2)}\n`
  const plain = withoutComments(body)
  const parsed = parseJson(plain)
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const present = Object.hasOwn(parsed.value, KEY) ? parsed.value[KEY]! : []
  if (!isJsonArray(present)) return undefined
  const missing = entries.filter(({ url }) => !present.some((one) => isJsonObject(one) && one["url"] === url))
  if (missing.length === 0) return text
  const edit = present.length === 0 ? setKey(plain, missing) : append(plain, missing)
  // Where something is replaced, it must not be a comment.
  if (edit === undefined || body.slice(edit.from, edit.to) !== plain.slice(edit.from, edit.to))
    return undefined
  const edited = body.slice(0, edit.from) + edit.content + body.slice(edit.to)
  return isAsWanted(edited, [...present, ...missing]) ? mark + edited : undefined
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly content: string
}

/** Blanks in place of comments and trailing commas: offsets stay. */
function withoutComments(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\r\n]/g, " ")
  return text
    .replaceAll(/"(?:\\.|[^"\\])*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g, (part) =>
      part.startsWith('"') ? part : blank(part),
    )
    .replaceAll(/"(?:\\.|[^"\\])*"|,(?=\s*[\]}])/g, (part) => (part === "," ? " " : part))
}

/** Sets the whole list, where there is none or an empty one. */
function setKey(plain: string, entries: readonly JsonObject[]): Edit | undefined {
  const edited = setJsonKey(plain, [KEY], entries)
  if (!edited.ok) return undefined
  const limit = Math.min(plain.length, edited.text.length)
  let from = 0
  while (from < limit && plain[from] === edited.text[from]) from++
  let same = 0
  while (same < limit - from && plain.at(-1 - same) === edited.text.at(-1 - same)) same++
  return { from, to: plain.length - same, content: edited.text.slice(from, edited.text.length - same) }
}

/** Puts entries behind the last one of a list that has some. */
function append(plain: string, entries: readonly JsonObject[]): Edit {
  const open = createJsonLocator(plain)([KEY], "value")
  const first = createJsonLocator(plain)([KEY, 0], "value")
  const end = plain.slice(0, closingBracket(plain, open)).trimEnd().length
  const eol = plain.includes("\r\n") ? "\r\n" : "\n"
  const margin = /(?:^|[\r\n])([ \t]*)$/.exec(plain.slice(0, first))?.[1]
  const texts = entries.map((entry) =>
    margin === undefined
      ? `, ${JSON.stringify(entry)}`
      : `,${eol}${JSON.stringify(entry, undefined, stepOf(plain)).replaceAll(/^/gm, margin).replaceAll("\n", eol)}`,
  )
  return { from: end, to: end, content: texts.join("") }
}

/** One step of indentation: that of the first member. */
const stepOf = (plain: string): string => /[\r\n]([ \t]+)"/.exec(plain)?.[1] ?? "  "

function closingBracket(plain: string, open: number): number {
  let depth = 0
  for (const { 0: part, index } of plain.slice(open).matchAll(/"(?:\\.|[^"\\])*"|[[\]{}]/g)) {
    if (part === "[" || part === "{") depth++
    else if (part === "]" || part === "}") depth--
    if (depth === 0) return open + index
  }
  return plain.length
}

/** Whether the edited text reads as it should: the last word before a file is replaced. */
function isAsWanted(text: string, entries: readonly unknown[]): boolean {
  const parsed = parseJson(withoutComments(text))
  return (
    parsed.ok && isJsonObject(parsed.value) && JSON.stringify(parsed.value[KEY]) === JSON.stringify(entries)
  )
}
