// Reads the target of a request without Node's URL parser, which throws for targets that a client can send.

export interface RequestTarget {
  /** The path as sent, without decoding or removing anything: `//` and `/a/../b` stay. */
  readonly path: string
  readonly query: URLSearchParams
}

/** Reads a path with a query (RFC 9112 section 3.2.1). Undefined for all other forms, such as `*` or a URL. Never throws. */
export function readTarget(target: string | undefined): RequestTarget | undefined {
  if (target?.startsWith("/") !== true) return undefined
  const at = target.indexOf("?")
  return at === -1
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) }
}
