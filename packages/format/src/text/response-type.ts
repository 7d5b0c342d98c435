// What a response is read as: its body by the content type, its status by the keys of a document.

/** A type in lower case, without parameters. */
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

/** The exact status, then its range (`4XX`), then `default`: the first one that is there counts (OpenAPI 3.1.1 section 4.8.16). */
export const statusKeys = (status: number): readonly [exact: string, range: string, rest: "default"] => [
  String(status),
  `${Math.floor(status / 100)}XX`,
  "default",
]
