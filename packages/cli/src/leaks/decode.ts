// Undoes escapes and encodings, so that one result is the original text, however it was written.

import { ownOf } from "@callsheet/format"

/** The maximum number of nested encodings, such as base64 in base64. Escapes may be around and between them. */
const MAX_CODINGS = 2

/** Yields a text in every decoded form, including the text itself. */
export function* readings(text: string): Generator<string> {
  let newest = unescaped(text)
  for (let coding = 0; ; coding++) {
    for (const reading of newest) yield plain(reading)
    if (coding === MAX_CODINGS) return
    // Several readings may contain the same run. Decode it once.
    const runs = new Set(
      newest.flatMap((reading) =>
        // A form writes indentation as `+`, which is also a base64 digit.
        [reading, withBreaks(reading, ""), withBreaks(reading.replaceAll(/([\n\r])\++/g, "$1"), "")].flatMap(
          runsIn,
        ),
      ),
    )
    newest = unescaped([...runs].flatMap(decodeRun).join("\n\n"))
  }
}

/** The maximum number of nested escapes, more than anyone writes. */
const MAX_LAYERS = 6

/** Returns a text, and the result of undoing each layer of escapes. */
export function unescaped(text: string): readonly string[] {
  const all = [text]
  for (let last = text; all.length <= MAX_LAYERS; all.push(last)) {
    const next = unescape(last)
    if (next === last) break
    last = next
  }
  return all
}

/**
 * Removes differences that don't matter: between `+` and a space, in indentation, and of UTF-16 that was read as bytes.
 */
export const plain = (text: string): string =>
  withBreaks(text.replaceAll("+", " ").replaceAll("\0", ""), "\n")

/** Removes indentation, and the quotes with which Node joins lines. */
const withBreaks = (text: string, by: string): string =>
  /[\n\r]/.test(text)
    ? text.replaceAll(/["'`] [ +][\n\r]+ *["'`]/g, "").replaceAll(/(?:[\n\r][\t ]*)+/g, by)
    : text

const escape =
  /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|u\{([\dA-Fa-f]{1,5})\}|([bfnrtv0]|[^\dA-Za-z~]))|((?:%[\dA-Fa-f]{2})+)|&(?:#(\d{1,7})|#[Xx]([\dA-Fa-f]{1,6})|([A-Za-z]{2,8}));|~([01])/g

/** Undoes one layer of JSON, JavaScript, URL, HTML and JSON pointer escapes. */
function unescape(text: string): string {
  if (!/[\\%&~]/.test(text)) return text
  return text.replace(escape, (whole: string, ...parts: (string | undefined)[]) => {
    const [unit, byte, code, letter, percent, decimal, hex, name, step] = parts
    if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString()
    if (letter !== undefined) return ownOf(letters, letter) ?? letter
    if (name !== undefined) return names.get(name) ?? whole
    if (step !== undefined) return step === "0" ? "~" : "/"
    const number = Number.parseInt(
      unit ?? byte ?? code ?? hex ?? decimal ?? "",
      decimal === undefined ? 16 : 10,
    )
    return number > 0x10ffff ? whole : String.fromCodePoint(number)
  })
}

const letters: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  0: "\0",
}

const names = new Map(
  `amp& lt< gt> quot" apos' sol/ bsol\\ percnt% plus+ equals= nbsp\u00a0 auml\u00e4 ouml\u00f6 uuml\u00fc szlig\u00df`
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
)

/** Finds runs of digits that may be base64 or hexadecimal. */
const runsIn = (text: string): string[] => [
  ...(text.match(/[\w+/-]{6,}/g) ?? []),
  ...(text.match(/(?:[\dA-Fa-f]{2}[ :-]){3,}[\dA-Fa-f]{2}/g) ?? []).map((run) =>
    run.replaceAll(/[ :-]/g, ""),
  ),
]

/** Returns the strings that a run may encode. It may start at any digit of a group. */
function decodeRun(run: string): readonly string[] {
  const bytes = [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), "base64"))
  if (/^[\dA-Fa-f]+$/.test(run))
    for (const offset of [0, 1]) bytes.push(Buffer.from(run.slice(offset), "hex"))
  return bytes.flatMap((some) => {
    const narrow = some.toString("latin1")
    if (!/[^\x01-\x7f]/.test(narrow)) return [narrow]
    const even = Buffer.from(some.subarray(0, some.length & ~1))
    const wide = even.includes(0) ? [even.toString("utf16le"), even.swap16().toString("utf16le")] : []
    return [narrow, some.toString(), ...wide]
  })
}
