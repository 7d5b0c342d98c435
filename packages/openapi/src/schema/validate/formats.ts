// The supported formats. Each follows its RFC and takes linear time. Other formats accept anything.

/** A rule for strings or numbers. Accepts values of other types. */
interface Format {
  readonly holds: (value: unknown) => boolean
  readonly expected: string
}

const text = (expected: string, holds: (text: string) => boolean): Format => ({
  expected,
  holds: (value) => typeof value !== "string" || holds(value),
})

const integer = (expected: string, bits: number): Format => {
  const limit = 2 ** (bits - 1)
  return {
    expected,
    holds: (value) => {
      if (typeof value === "number") return Number.isInteger(value) && value >= -limit && value < limit
      return typeof value !== "bigint" || (value >= -limit && value < limit)
    },
  }
}

/** The formats by name. `float`, `double`, `byte`, `binary` and `password` accept anything, so they are not listed. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ["date-time", text("a date and time (RFC 3339)", isDateTime)],
  ["date", text("a date (RFC 3339)", (value) => value.length === 10 && beginsWithDate(value))],
  ["email", text("an email address", isEmail)],
  ["uuid", text("a UUID", (value) => uuid.test(value))],
  ["uri", text("a URI", isUri)],
  ["ipv4", text("an IPv4 address", isIpv4)],
  ["ipv6", text("an IPv6 address", isIpv6)],
  ["int32", integer("an integer of 32 bits", 32)],
  ["int64", integer("an integer of 64 bits", 64)],
])

const uuid = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Checks for `full-date` at the start (RFC 3339 section 5.6). */
function beginsWithDate(value: string): boolean {
  if (value[4] !== "-" || value[7] !== "-") return false
  const century = twoDigits(value, 0)
  const year = twoDigits(value, 2)
  const month = twoDigits(value, 5)
  const day = twoDigits(value, 8)
  if (century === undefined || year === undefined || month === undefined || day === undefined) return false
  const isLeap = year % 4 === 0 && (year !== 0 || century % 4 === 0)
  const days = month === 2 && isLeap ? 29 : daysOfMonth[month - 1]
  return days !== undefined && day >= 1 && day <= days
}

/** Reads two digits. Avoids a regular expression, which allocates: responses contain many dates. */
function twoDigits(value: string, at: number): number | undefined {
  const tens = value.charCodeAt(at) - 48
  const ones = value.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : undefined
}

/** Checks `date-time` (RFC 3339 section 5.6). Accepts second 60 only at 23:59 UTC, the time of leap seconds. */
function isDateTime(value: string): boolean {
  if ((value[10] !== "T" && value[10] !== "t") || value[13] !== ":" || value[16] !== ":") return false
  const hour = twoDigits(value, 11)
  const minute = twoDigits(value, 14)
  const second = twoDigits(value, 17)
  if (hour === undefined || minute === undefined || second === undefined) return false
  const offset = offsetAt(value, endOfFraction(value, 19))
  if (offset === undefined || hour > 23 || minute > 59 || !beginsWithDate(value)) return false
  if (second < 60) return true
  const utc = (hour * 60 + minute - offset + 2 * 1440) % 1440
  return second === 60 && utc === 1439
}

function endOfFraction(value: string, at: number): number {
  if (value[at] !== ".") return at
  let end = at + 1
  while (isDigit(value.charCodeAt(end))) end++
  return end === at + 1 ? at : end
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Returns the time offset in minutes, or undefined if the rest of the text isn't an offset. */
function offsetAt(value: string, at: number): number | undefined {
  const sign = value[at]
  if (sign === "Z" || sign === "z") return value.length === at + 1 ? 0 : undefined
  if ((sign !== "+" && sign !== "-") || value.length !== at + 6 || value[at + 3] !== ":") return undefined
  const hour = twoDigits(value, at + 1)
  const minute = twoDigits(value, at + 4)
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59) return undefined
  return (sign === "-" ? -1 : 1) * (hour * 60 + minute)
}

const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const quotedText = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
/** Matches nearly every real address: no quotes, and no label near the length limit. */
const plainEmail = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-zA-Z0-9]+(?:[.-][a-zA-Z0-9]+)*$/

/** Checks `Mailbox` (RFC 5321 section 4.1.2). */
function isEmail(value: string): boolean {
  if (value.length < 64 && plainEmail.test(value)) return true
  const at = value.lastIndexOf("@")
  const local = value.slice(0, Math.max(0, at))
  const domain = value.slice(at + 1)
  if (!dotAtom.test(local) && !quotedText.test(local)) return false
  const literal = /^\[(?:IPv6:(.*)|(.*))\]$/i.exec(domain)
  if (literal !== null) {
    const [, ipv6, ipv4 = ""] = literal
    return ipv6 === undefined ? isIpv4(ipv4) : isIpv6(ipv6)
  }
  return domain.length <= 255 && domain.split(".").every((part) => label.test(part))
}

const uriParts = /^[a-z][a-z0-9+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is
const uriText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/
const hostText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/

/** Matches nearly every real URI: a host name, and nothing percent-encoded. */
const plainUri =
  /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[\w.~-]*(?::\d*)?(?:[/?][\w.~!$&'()*+,;=:@/?-]*)?(?:#[\w.~!$&'()*+,;=:@/?-]*)?$/

/** Checks a URI (RFC 3986 section 3). Requires a scheme and allows a fragment. */
function isUri(value: string): boolean {
  if (plainUri.test(value)) return true
  const match = uriParts.exec(value)
  if (match === null) return false
  const [, authority, path = "", query = "", fragment = ""] = match
  return [path, query, fragment].every((part) => uriText.test(part)) && isAuthority(authority ?? "")
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@")
  const user = authority.slice(0, Math.max(0, at))
  if (!uriText.test(user) || /[@/?]/.test(user)) return false
  const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority.slice(at + 1)) ?? []
  if (!/^\d*$/.test(port)) return false
  if (!host.startsWith("[")) return hostText.test(host)
  const literal = host.slice(1, -1)
  return isIpv6(literal) || /^v[0-9a-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/i.test(literal)
}

const octet = /^(?:0|[1-9]\d{0,2})$/

function isIpv4(value: string): boolean {
  const parts = value.split(".", 5)
  return parts.length === 4 && parts.every((part) => octet.test(part) && Number(part) <= 255)
}

/** Checks an IPv6 address in any of the three forms (RFC 4291 section 2.2). */
function isIpv6(value: string): boolean {
  if (value.length > 45) return false
  const halves = value.split("::")
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")))
  const last = groups.at(-1) ?? ""
  const hasIpv4 = last.includes(".") && value.endsWith(last)
  if (hasIpv4 && !isIpv4(last)) return false
  const words = hasIpv4 ? groups.slice(0, -1) : groups
  if (!words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return false
  const count = words.length + (hasIpv4 ? 2 : 0)
  return halves.length === 2 ? count <= 7 : count === 8
}
