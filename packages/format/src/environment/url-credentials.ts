// Finds and hides the user and password in URLs (RFC 3986 section 3.2.1). They are credentials even if the variable
// isn't secret.

import { attempt } from "../attempt.ts"
import { toBase64 } from "../text/to-base64.ts"

const userInformation = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)([^/?#\s]*)@/i

/** Returns the secrets of a URL: `user:password` as a request sends it, the password, and the value of the `Basic` scheme. */
export function urlCredentials(url: string): readonly string[] {
  const pair = userInformation.exec(url)?.[2]
  if (pair === undefined || pair === "") return []
  const decoded = pair
    .split(":")
    .map((part) => decodePercent(part) ?? part)
    .join(":")
  const password = decoded.slice(decoded.indexOf(":") + 1)
  const basic = toBase64(decoded)
  return [...new Set([decoded, password, basic])].filter((text) => text !== "")
}

export const hideUrlCredentials = (url: string): string =>
  url.replace(userInformation, (whole, start: string, pair: string) => (pair === "" ? whole : `${start}***@`))

/** Decodes percent-encoded text. Returns undefined if a percent sign is not part of a valid escape. */
export const decodePercent = (text: string): string | undefined => attempt(() => decodeURIComponent(text))
