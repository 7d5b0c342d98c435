// What the user typed or pasted to begin with: a URL, a curl command, or the address or text of an OpenAPI document.

export type StartKind = "nothing" | "url" | "curl" | "address" | "document" | "other"

/** Guesses what a text is. A URL is the address of a document if its path looks like one. */
export function kindOfStart(text: string): StartKind {
  const trimmed = text.trim()
  if (trimmed === "") return "nothing"
  if (/^(?:[$>]\s+)?(?:\S*[/\\])?curl(?:\.exe)?\s/.test(trimmed)) return "curl"
  if (/^[{[]|^["']?(?:openapi|swagger)["']?:/m.test(trimmed)) return "document"
  const url = urlOf(trimmed)
  if (url === undefined) return "other"
  return isDocumentPath(new URL(url).pathname) ? "address" : "url"
}

/**
 * Returns the text as a URL. Completes a missing scheme as browsers do: http for this machine, and https for others.
 * Undefined if it is something else.
 */
export function urlOf(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === "" || /\s/.test(trimmed)) return undefined
  if (/^https?:\/\//i.test(trimmed)) return URL.canParse(trimmed) ? trimmed : undefined
  const [, host = ""] = /^(\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)*)(?::\d+)?(?=[/?#]|$)/i.exec(trimmed) ?? []
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host)
  if (!isLocal && !host.includes(".")) return undefined
  const url = `${isLocal ? "http" : "https"}://${trimmed}`
  return URL.canParse(url) ? url : undefined
}

const isDocumentPath = (path: string): boolean =>
  /\.(?:ya?ml)$|(?:openapi|swagger|api-docs)[^/]*$/i.test(path)
