// Adds entries to "json.schemas" in VS Code's settings. Keeps everything else, including comments and trailing commas.

import { createJsonLocator, isJsonArray, isJsonObject, parseJson, type JsonObject } from "@callsheet/format"

const KEY = "json.schemas"

/** Adds the entries whose `url` is missing, and returns the text. Undefined if the text can't be edited safely. */
export function addSchemas(text: string | undefined, entries: readonly JsonObject[]): string | undefined {
  const mark = text?.startsWith("\ufeff") === true ? "\ufeff" : ""
  const body = (text ?? "").slice(mark.length)
  if (body.trim() === "") return `${mark}${JSON.stringify({ [KEY]: entries }, undefined, 2)}\n`
  const plain = withoutComments(body)
  const parsed = parseJson(plain)
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const present = parsed.value[KEY] ?? []
  if (!isJsonArray(present)) return undefined
  const missing = entries.filter(({ url }) => !present.some((one) => isJsonObject(one) && one["url"] === url))
  if (missing.length === 0) return text
  const edit = insertion(plain, parsed.value, missing)
  // The edit must not replace a comment.
  if (body.slice(edit.from, edit.to) !== plain.slice(edit.from, edit.to)) return undefined
  const edited = body.slice(0, edit.from) + edit.content + body.slice(edit.to)
  return isAsWanted(edited, [...present, ...missing]) ? mark + edited : undefined
}

// Matches an unclosed string to the end of the text, which keeps the search linear.
const strings = String.raw`"(?:\\[^]|[^"\\])*"?`
const stringOrComment = new RegExp(String.raw`${strings}|//[^\r\n]*|/\*[^]*?(?:\*/|$)`, "g")
const stringOrTrailingComma = new RegExp(String.raw`${strings}|,(?=\s*[\]}])`, "g")
const stringOrBracket = new RegExp(String.raw`${strings}|[[\]{}]`, "g")

function withoutComments(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\r\n]/g, " ")
  return text
    .replaceAll(stringOrComment, (part) => (part.startsWith('"') ? part : blank(part)))
    .replaceAll(stringOrTrailingComma, (part) => (part === "," ? " " : part))
}

/** Inserts entries at the end of the list, or adds the list to the settings. */
function insertion(plain: string, settings: JsonObject, entries: readonly JsonObject[]) {
  const locate = createJsonLocator(plain)
  const list = settings[KEY]
  const [firstSetting] = Object.keys(settings)
  if (isJsonArray(list)) {
    const place = {
      open: locate([KEY], "value"),
      first: list.length === 0 ? undefined : locate([KEY, 0], "value"),
    }
    return insertInto(plain, place, (step) => entries.map((entry) => JSON.stringify(entry, undefined, step)))
  }
  const first = firstSetting === undefined ? undefined : locate([firstSetting], "key")
  return insertInto(plain, { open: locate([], "value"), first }, (step) => [
    `${JSON.stringify(KEY)}: ${JSON.stringify(entries, undefined, step)}`,
  ])
}

/** Inserts members. `textsOf` formats them with an indentation step, or on one line if the step is undefined. */
function insertInto(
  plain: string,
  { open, first }: { readonly open: number; readonly first: number | undefined },
  textsOf: (step: string | undefined) => readonly string[],
) {
  const eol = plain.includes("\r\n") ? "\r\n" : "\n"
  const close = closingBracket(plain, open)
  const before = plain.slice(0, first ?? open)
  // If the bracket's line has members, the new ones go on that line too.
  const margin =
    first === undefined ? `${lineMargin(before)}${stepOf(plain)}` : /[\r\n]([ \t]*)$/.exec(before)?.[1]
  const step = margin === undefined ? undefined : stepOf(plain)
  const glue = margin === undefined ? ", " : `,${eol}${margin}`
  const texts = textsOf(step).map((text) => text.replaceAll("\n", `${eol}${margin ?? ""}`))
  if (first !== undefined) {
    const end = plain.slice(0, close).trimEnd().length
    return { from: end, to: end, content: texts.map((text) => glue + text).join("") }
  }
  const content = `${eol}${margin ?? ""}${texts.join(glue)}${eol}${lineMargin(before)}`
  return { from: open + 1, to: close, content }
}

const lineMargin = (text: string): string => /(?:^|[\r\n])([ \t]*)[^\r\n]*$/.exec(text)?.[1] ?? ""

const stepOf = (plain: string): string => /[\r\n]([ \t]+)"/.exec(plain)?.[1] ?? "  "

function closingBracket(plain: string, open: number): number {
  let depth = 0
  for (const { 0: part, index } of plain.slice(open).matchAll(stringOrBracket)) {
    if (part === "[" || part === "{") depth++
    else if (part === "]" || part === "}") depth--
    if (depth === 0) return open + index
  }
  return plain.length
}

/** Returns whether the edited text is valid and contains the entries. */
function isAsWanted(text: string, entries: readonly unknown[]): boolean {
  const parsed = parseJson(withoutComments(text))
  return (
    parsed.ok && isJsonObject(parsed.value) && JSON.stringify(parsed.value[KEY]) === JSON.stringify(entries)
  )
}
