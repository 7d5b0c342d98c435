// Multipart form bodies (RFC 7578) -> their parts.

export interface Part {
  readonly name: string
  readonly filename?: string
  readonly contentType: string
  readonly content: Buffer
}

const HEADER_END = Buffer.from("\r\n\r\n")

/** The parts of a body, or undefined where it is not the form that its content type says. */
export function parseMultipart(contentType: string, body: Buffer): readonly Part[] | undefined {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined) return undefined
  const delimiter = Buffer.from(`\r\n--${name}`)
  // The first delimiter stands at the very start, without the line break that belongs to the others.
  const text = Buffer.concat([Buffer.from("\r\n"), body])
  const parts: Part[] = []
  let at = text.indexOf(delimiter)
  while (at !== -1) {
    const start = at + delimiter.length
    if (text.toString("latin1", start, start + 2) === "--") return parts
    const end = text.indexOf(delimiter, start)
    if (end === -1) return undefined
    const part = parsePart(text.subarray(start, end))
    if (part === undefined) return undefined
    parts.push(part)
    at = end
  }
  return undefined
}

function parsePart(part: Buffer): Part | undefined {
  const split = part.indexOf(HEADER_END)
  if (split === -1) return undefined
  const headers = new Map(
    part
      .toString("utf8", 0, split)
      .split("\r\n")
      .filter((line) => line.includes(":"))
      .map((line): [string, string] => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
      }),
  )
  const disposition = headers.get("content-disposition") ?? ""
  const name = parameter(disposition, "name")
  if (name === undefined) return undefined
  const filename = parameter(disposition, "filename")
  return {
    name,
    ...(filename === undefined ? {} : { filename }),
    contentType:
      headers.get("content-type") ?? (filename === undefined ? "text/plain" : "application/octet-stream"),
    content: Buffer.from(part.subarray(split + HEADER_END.length)),
  }
}

// Browsers write a quote in a name as %22, other clients as \".
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(disposition)
  return found?.[1]?.replace(/\\(.)/g, "$1").replace(/%22/g, '"')
}
