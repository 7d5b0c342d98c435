// Percent-encoding (RFC 3986, RFC 6570). Each of these throws a URIError for half of a surrogate pair, which UTF-8 cannot say.

export type Encode = (text: string) => string

/** Everything but RFC 3986's unreserved characters. */
export const encode: Encode = (text) => encodeURIComponent(text).replaceAll(/[!'()*]/g, percent)

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** `allowReserved` in a query: what is reserved or encoded stands as it is (RFC 6570 section 3.2.3), but for `#`, which ends it. */
export const encodeReserved: Encode = (text) =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+/gu, encode)

/** `allowReserved` in a path (3.2): without what would end a segment, or cannot stand in one. */
export const encodeReservedInPath: Encode = (text) =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:@!$&'()*+,;=%]+/gu, encode)

/** `application/x-www-form-urlencoded`, as the WHATWG URL Standard writes a name or a value. */
export const encodeForm: Encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()~]/g, percent)

/** Headers, cookies and parts of multipart bodies are not percent-encoded. */
export const asItIs: Encode = (text) => text

/** Literal parts of a path template may hold what a URL cannot: blanks, quotes, letters beyond ASCII. */
export const encodeLiteral: Encode = (text) =>
  text.replaceAll(/[^\u0021-\u007e]|["<>\\^`{|}]/gu, (char) =>
    encodeURIComponent(/\p{Surrogate}/u.test(char) ? "\ufffd" : char),
  )
