// What the body of a response is read as, by its content type.

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
