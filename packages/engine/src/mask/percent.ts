// A text as addresses and forms write it.

const toWellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

/** Percent-encoding of everything but RFC 3986's unreserved characters. */
const encodePercent = (text: string): string =>
  encodeURIComponent(toWellFormed(text)).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The ways in which it is percent-encoded: strictly, in a form, and as `encodeURIComponent` does. */
export function percentForms(text: string): ReadonlySet<string> {
  const strict = encodePercent(text)
  return new Set([strict, strict.replaceAll("%20", "+"), encodeURIComponent(toWellFormed(text))])
}
