// Finds the key under which a document lists a content type or a status.

/** Returns whether a type is JSON. Expects the result of `essence`. */
export const isJsonType = (type: string): boolean =>
  type === "application/json" || type === "text/json" || type.endsWith("+json")

/** Returns whether a type is text. Expects the result of `essence`. Other bodies, except JSON, are base64 in reports. */
export const isTextType = (type: string): boolean =>
  type.startsWith("text/") || /\+(?:xml|yaml)$/.test(type) || texts.has(type)

const texts: ReadonlySet<string> = new Set(
  ["xml", "x-www-form-urlencoded", "javascript", "ecmascript", "x-javascript", "yaml", "x-yaml"].map(
    (name) => `application/${name}`,
  ),
)

/**
 * Returns the most specific documented type that matches a content type. Uses parameters only to choose between types
 * that differ in nothing else.
 */
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

/** Returns a type in lower case, without parameters. */
export const essence = (contentType: string): string => bare(contentType.replace(/;.*/s, ""))

/**
 * Returns the keys in order of precedence: the exact status, its range (`4XX`), then `default` (OpenAPI 3.1.1 section
 * 4.8.16).
 */
export const statusKeys = (status: number): readonly [exact: string, range: string, rest: "default"] => [
  String(status),
  `${Math.floor(status / 100)}XX`,
  "default",
]
