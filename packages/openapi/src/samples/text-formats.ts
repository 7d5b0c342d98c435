// Sample texts by format and by the name of a property. `n` is the number of the sample, so that lists vary.

type Write = (n: number) => string

const two = (n: number): string => String(n % 60).padStart(2, "0")
const day = (n: number): string => `2025-01-${String((n % 28) + 1).padStart(2, "0")}`
const uri: Write = (n) => `https://example.com${n === 0 ? "" : `/${n}`}`
const email: Write = (n) => `user${n === 0 ? "" : n}@example.com`

/** Formats a UUID of version 4 whose last digits are the number. */
export const uuidText: Write = (n) => `3f1c2a9e-7b4d-4c8a-9e21-${n.toString(16).padStart(12, "0")}`

const byFormat: ReadonlyMap<string, Write> = new Map([
  ["date-time", (n) => `${day(n)}T09:30:00Z`],
  ["date", day],
  ["time", (n) => `09:30:${two(n)}Z`],
  ["duration", (n) => `P${n + 1}D`],
  ["email", email],
  ["idn-email", email],
  ["hostname", (n) => `host${n === 0 ? "" : n}.example.com`],
  ["idn-hostname", () => "host.example.com"],
  ["ipv4", (n) => `192.0.2.${(n % 254) + 1}`],
  ["ipv6", (n) => `2001:db8::${(n % 9999) + 1}`],
  ["uri", uri],
  ["url", uri],
  ["iri", uri],
  ["uri-reference", (n) => `/items/${n + 1}`],
  ["iri-reference", (n) => `/items/${n + 1}`],
  ["uri-template", () => "/items/{id}"],
  ["json-pointer", (n) => `/items/${n}`],
  ["regex", () => "^[a-z]+$"],
  ["uuid", uuidText],
  ["guid", uuidText],
  ["byte", () => "dGV4dA=="],
  ["password", () => "Example1-password"],
  ["int32", (n) => String(n + 1)],
  ["int64", (n) => String(n + 1)],
  ["decimal", (n) => `${n + 1}.00`],
  ["phone", (n) => `+1202555010${n % 10}`],
])

/** The texts for names whose values servers often check although the document doesn't say so. */
const byName: readonly (readonly [pattern: RegExp, write: Write])[] = [
  [/e-?mail$/i, email],
  [/(?:url|uri|website|homepage|webhook)$/i, uri],
  [/(?:phone|mobile|telephone)(?:_?number)?$/i, (n) => `+1202555010${n % 10}`],
  [/currency(?:_?code)?$/i, () => "USD"],
  [/country(?:_?code)?$/i, () => "US"],
  [/(?:locale|language|lang)$/i, () => "en"],
  [/time_?zone$/i, () => "UTC"],
  [/(?:uuid|guid)$/i, uuidText],
  [/(?:_at|[a-z]At|timestamp|date_?time)$/, (n) => `${day(n)}T09:30:00Z`],
  [/(?:_date|[a-z]Date|^date)$/, day],
]

export const textOfFormat = (format: string, n: number): string | undefined => byFormat.get(format)?.(n)

export const textOfName = (name: string, n: number): string | undefined =>
  byName.find(([pattern]) => pattern.test(name))?.[1](n)

/** Formats a name as words: `firstName` becomes `first name`. */
export function plainText(name: string, n: number): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()
    .slice(0, MAX_NAME)
  return `${words === "" ? "text" : words}${n === 0 ? "" : ` ${n + 1}`}`
}

const MAX_NAME = 60
