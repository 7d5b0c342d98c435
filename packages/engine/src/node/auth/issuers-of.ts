// Derives the issuer from the URL of a discovery document (OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3).

/** The names of discovery documents. OpenID Connect appends them to the issuer, RFC 8414 inserts them before its path. */
const names = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]

/**
 * Returns the issuers that a document at this URL can be of, without a final slash. None if the URL has another form, so
 * that nothing would prove whose document it is. Ignores the query.
 */
export function issuersOf(url: string): readonly string[] {
  const [, origin, path] = /^(https?:\/\/[^/?#\\@]+)(\/[^?#]*)/i.exec(url) ?? []
  if (origin === undefined || path === undefined) return []
  return names.flatMap((name) => [
    ...(path.endsWith(name) ? [origin + path.slice(0, -name.length)] : []),
    ...(path.startsWith(`${name}/`) ? [origin + path.slice(name.length)] : []),
  ])
}

/** Returns whether a document's issuer is one of these. Providers write it with or without a final slash. */
export const isIssuer = (given: unknown, issuers: readonly string[]): boolean =>
  typeof given === "string" && issuers.includes(given.replace(/\/$/, ""))
