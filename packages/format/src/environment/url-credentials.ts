// The user information of a URL (RFC 3986 section 3.2.1) is a credential, whatever the variable around it says.

const userInformation = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)([^/?#\s]*)@/i

/** The secrets of a URL: `user:password` as a request sends it, the password, and the value of the `Basic` scheme. */
export function urlCredentials(url: string): readonly string[] {
  const pair = userInformation.exec(url)?.[2]
  if (pair === undefined || pair === "") return []
  const decoded = pair
    .split(":")
    .map((part) => decodePercent(part) ?? part)
    .join(":")
  const password = decoded.slice(decoded.indexOf(":") + 1)
  return [...new Set([decoded, password, basicValue(decoded)])].filter((text) => text !== "")
}

/** The URL with `***` as its user information. */
export const hideUrlCredentials = (url: string): string =>
  url.replace(userInformation, (whole, start: string, pair: string) => (pair === "" ? whole : `${start}***@`))

const basicValue = (pair: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(pair)))

/** Undefined if a percent sign encodes nothing. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
