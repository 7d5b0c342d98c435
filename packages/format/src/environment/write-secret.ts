// Edits one secret in a dotenv file and keeps every other byte. Refuses values that `dotenv` can't represent.

import { conflictMarkerAt } from "../text/conflict-marker.ts"
import { parseSecretsFile, type Quote, type SecretsEntry, type SecretsFinding } from "./parse-secrets-file.ts"

export type EditedSecrets =
  | { readonly ok: true; readonly text: string }
  /** Returned if no quoting lets `dotenv` read this value. `reason` doesn't repeat the value. */
  | { readonly ok: false; readonly code: "secret-unquotable"; readonly reason: string }
  /** Returned if errors or warnings make the file unsafe to edit. Offsets start after a byte order mark. */
  | { readonly ok: false; readonly code: "dotenv-syntax"; readonly findings: readonly SecretsFinding[] }

/**
 * Sets `name` to `value` in its last assignment, or in a new last line. Uses the first quoting with which the whole
 * file reads back correctly: the current one, none, `'`, `"`, `` ` ``, and `"` with escaped line ends.
 */
export function setSecret(text: string, name: string, value: string): EditedSecrets {
  return edit(text, ({ body, entries, findings }) => {
    const entry = entries.findLast((candidate) => candidate.name === name)
    if (entry?.value === value) return { ok: true, text: body }
    const at = entry === undefined ? entries.length : entries.indexOf(entry)
    const expected = entries.map(assignment).toSpliced(at, 1, [name, value])
    // A warning about the old value goes with it, and the new one must not have another.
    const others = findings.filter(
      ({ offset }) => entry === undefined || offset < entry.start || offset > entry.end,
    )
    const eol = eolOf(body)
    const lines = body === "" || /[\r\n]$/.test(body) ? body : body + eol
    for (const written of quotedForms(value, eol, entry?.quote)) {
      const edited =
        entry === undefined
          ? `${lines}${name}=${written}${eol}`
          : body.slice(0, entry.valueStart) + written + body.slice(entry.valueEnd)
      if (readsAs(edited, expected, others.length)) return { ok: true, text: edited }
    }
    return { ok: false, code: "secret-unquotable", reason: reasonAgainst(value) }
  })
}

/** Removes every assignment of `name`, with its lines and trailing comment. Does nothing if the name is missing. */
export function unsetSecret(text: string, name: string): EditedSecrets {
  return edit(text, ({ body, entries, findings }) => {
    const kept = entries.filter((entry) => entry.name !== name)
    const edited = entries
      .filter((entry) => entry.name === name)
      .reduceRight((rest, entry) => cutLines(rest, entry), body)
    if (readsAs(edited, kept.map(assignment), findings.length)) return { ok: true, text: edited }
    // A quote on a removed line may have closed an earlier quote, which would then include the following lines.
    if (findings.length > 0) return { ok: false, code: "dotenv-syntax", findings }
    throw new Error("an edited secrets file does not read back as expected")
  })
}

/** Renames every assignment of `name` in place. Throws if the text already assigns the new name. */
export function renameSecret(text: string, name: string, to: string): EditedSecrets {
  return edit(text, ({ body, entries, findings }) => {
    if (entries.some((entry) => entry.name === to)) throw new Error(`the name ${JSON.stringify(to)} is taken`)
    const edited = entries
      .filter((entry) => entry.name === name)
      .reduceRight(
        (rest, { nameStart }) => rest.slice(0, nameStart) + to + rest.slice(nameStart + name.length),
        body,
      )
    const expected = entries.map((entry) => [entry.name === name ? to : entry.name, entry.value] as const)
    if (!readsAs(edited, expected, findings.length))
      throw new Error("an edited secrets file does not read back as expected")
    return { ok: true, text: edited }
  })
}

interface Readable {
  readonly body: string
  readonly entries: readonly SecretsEntry[]
  /** The file's warnings. A file with errors is never edited. */
  readonly findings: readonly SecretsFinding[]
}

function edit(text: string, change: (readable: Readable) => EditedSecrets): EditedSecrets {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  const body = text.slice(mark.length)
  const { entries, findings } = parseSecretsFile(body)
  const errors = findings.filter((finding) => finding.severity !== "warning")
  if (errors.length > 0) return { ok: false, code: "dotenv-syntax", findings: errors }
  const edited = change({ body, entries, findings })
  return edited.ok ? { ok: true, text: mark + edited.text } : edited
}

type Assignment = readonly [name: string, value: string]

const assignment = ({ name, value }: SecretsEntry): Assignment => [name, value]

/** Returns whether `text` has exactly the expected assignments and no new warnings. */
function readsAs(text: string, expected: readonly Assignment[], warnings: number): boolean {
  const { entries, findings } = parseSecretsFile(text)
  return (
    entries.length === expected.length &&
    entries.every(({ name, value }, at) => name === expected[at]?.[0] && value === expected[at][1]) &&
    findings.length <= warnings
  )
}

function quotedForms(value: string, eol: string, quote: Quote | undefined): readonly string[] {
  // UTF-8 can't encode an unpaired surrogate, so reading the file would give another value.
  if (/\p{Surrogate}/u.test(value)) return []
  const raw = value.replaceAll("\n", eol)
  const escaped = value.replaceAll("\r", String.raw`\r`).replaceAll("\n", String.raw`\n`)
  const kept = quote === undefined ? [] : [quote + raw + quote]
  return [...kept, raw, `'${raw}'`, `"${raw}"`, `\`${raw}\``, `"${escaped}"`]
}

const eolOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"

// Includes U+2028 and U+2029, which end a line for the regular expression that `dotenv` parses with.
const lineBreak = /\r\n|[\n\r\u2028\u2029]/y

function cutLines(text: string, { start, end }: SecretsEntry): string {
  let from = start
  while (from > 0 && !/[\n\r\u2028\u2029]/.test(text.charAt(from - 1))) from--
  lineBreak.lastIndex = end
  const to = lineBreak.test(text) ? lineBreak.lastIndex : end
  return text.slice(0, from) + text.slice(to)
}

function reasonAgainst(value: string): string {
  if (/\p{Surrogate}/u.test(value)) return "it contains an unpaired surrogate, which UTF-8 can't encode"
  if (value.includes("\0")) return "it contains a NUL character"
  if (value.includes("\r")) {
    return `it contains a carriage return, which requires double quotes, together with ${
      /\\[nr]/.test(value) ? "a backslash before n or r" : 'a "'
    }`
  }
  if (conflictMarkerAt(value) !== undefined) {
    return "a line of it looks like a conflict marker of an unfinished merge"
  }
  return "it contains all three kinds of quotes, or ends in a backslash, so no quotes preserve it"
}
