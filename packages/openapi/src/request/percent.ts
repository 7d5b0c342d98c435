// Percent-encodes text (RFC 3986, RFC 6570). Every function throws a URIError for an unpaired surrogate, which UTF-8
// can't encode.

export type Encode = (text: string) => string

/** Encodes everything except the unreserved characters of RFC 3986. */
export const encode: Encode = (text) => encodeURIComponent(text).replaceAll(/[!'()*]/g, percent)

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * Encodes for `allowReserved` in a query. Keeps reserved characters except `#`, and text that is already encoded (RFC
 * 6570 section 3.2.3).
 */
export const encodeReserved: Encode = (text) =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+/gu, encode)

/** Encodes for `allowReserved` in a path (3.2). Also encodes characters that would end a segment. */
export const encodeReservedInPath: Encode = (text) =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:@!$&'()*+,;=%]+/gu, encode)

/** Encodes a name or a value of `application/x-www-form-urlencoded` as the WHATWG URL Standard requires. */
export const encodeForm: Encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()~]/g, percent)

/** Returns text unchanged, for headers, cookies and parts of multipart bodies. */
export const asItIs: Encode = (text) => text

/**
 * Encodes a literal of a path template, which may contain characters that a URL can't: spaces, quotes, non-ASCII
 * letters.
 */
export const encodeLiteral: Encode = (text) =>
  text.replaceAll(/[^\u0021-\u007e]|["<>\\^`{|}]/gu, (char) =>
    encodeURIComponent(/\p{Surrogate}/u.test(char) ? "\ufffd" : char),
  )
