// A text as those read it who undo its escapes: whatever a writer has escaped, one of the readings holds it as it was.

type Decode = (text: string) => string

/** The ways in which a report, a body and a URL escape a text, undone. */
const unescape: readonly Decode[] = [decodeJson, decodeMarkup]
const decodeUrl: readonly Decode[] = [decodePercent, (text) => decodePercent(text.replaceAll("+", " "))]

/**
 * Every reading of a text, itself included, each once: what a report escaped around what a body escaped around what a URL
 * did. It knows nothing of what it is read for.
 */
export function readings(text: string): ReadonlySet<string> {
  const plain = closure(new Set([text]), unescape)
  const all = closure(plain, decodeUrl)
  // UTF-16 that was read byte by byte.
  for (const reading of all) if (reading.includes("\0")) all.add(reading.replaceAll("\0", ""))
  return all
}

/** Texts behind three escapes of one kind are what nobody writes. */
const MOST_LAYERS = 3

function closure(texts: ReadonlySet<string>, decoders: readonly Decode[]): Set<string> {
  const all = new Set(texts)
  let newest: readonly string[] = [...texts]
  for (let layer = 0; layer < MOST_LAYERS && newest.length > 0; layer++) {
    newest = newest
      .flatMap((text) => decoders.map((decode) => decode(text)))
      .filter((text) => !all.has(text) && all.add(text))
  }
  return all
}

const short: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

function decodeJson(text: string): string {
  if (!text.includes("\\")) return text
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, hex?: string, letter = "") =>
    hex === undefined ? (short[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** XML and HTML alike. */
function decodeMarkup(text: string): string {
  if (!text.includes("&")) return text
  return text.replace(
    /&(?:#([0-9]{1,9})|#[xX]([0-9a-fA-F]{1,8})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal?: string, hex?: string, name = "") => {
      const code = Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10)
      if (Number.isNaN(code)) return named[name] ?? whole
      return code > 0x10ffff ? whole : String.fromCodePoint(code)
    },
  )
}

function decodePercent(text: string): string {
  if (!text.includes("%")) return text
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString(),
  )
}
