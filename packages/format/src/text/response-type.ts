// Content types, and the keys under which a document lists what it says of one or of a status.

/** Takes a type as `essence` gives it. */
export const isJsonType = (type: string): boolean =>
  type === "application/json" || type === "text/json" || type.endsWith("+json")

/** As `isJsonType`. What is neither JSON nor text is base64 in results and reports. */
export const isTextType = (type: string): boolean =>
  type.startsWith("text/") || /\+(?:xml|yaml)$/.test(type) || texts.has(type)

const texts: ReadonlySet<string> = new Set(
  ["xml", "x-www-form-urlencoded", "javascript", "ecmascript", "x-javascript", "yaml", "x-yaml"].map(
    (name) => `application/${name}`,
  ),
)

/** The most specific documented type that a content type falls under. Parameters count only between types that differ in them. */
export function matchMediaType<T extends { readonly name: string }>(
  documented: readonly T[],
  contentType: string,
): T | undefined {
  const type = essence(contentType)
  const [main] = type.split("/", 1)
  const suffix = type.slice(type.lastIndexOf("+"))
  const same = documented.filter(({ name }) => essence(name) === type)
  const exact = same.find(({ name }) => bare(name) === bare(contentType))
  if (exact !== undefined || same.length > 0) return exact ?? same[0]
  for (const range of [`${main}/*${suffix}`, `${main}/*`, `*/*${suffix}`, "*/*", "*"]) {
    const match = documented.find(({ name }) => essence(name) === range)
    if (match !== undefined) return match
  }
  return undefined
}

const bare = (contentType: string): string => contentType.replaceAll(/[\s"]/g, "").toLowerCase()

/** A type in lower case, without parameters. */
export const essence = (contentType: string): string => bare(contentType.replace(/;.*/s, ""))

/** The exact status, then its range (`4XX`), then `default`: the first one that is there counts (OpenAPI 3.1.1 section 4.8.16). */
export const statusKeys = (status: number): readonly [exact: string, range: string, rest: "default"] => [
  String(status),
  `${Math.floor(status / 100)}XX`,
  "default",
]
