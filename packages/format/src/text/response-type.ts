// Finds the key under which a document lists a content type or a status.

/** Returns whether a type is JSON. Expects the result of `essence`. */
export const isJsonType = (type: string): boolean =>
  type === "application/json" || type.endsWith("+json") || otherJson.test(type)

const otherJson = /^(?:text\/(?:x-)?json|application\/(?:x-json|json-rpc|x-amz-json-[\d.]+))$/

/** Returns whether a type is text. Expects the result of `essence`. Other bodies, except JSON, are base64 in reports. */
export const isTextType = (type: string): boolean =>
  type.startsWith("text/") ||
  textSuffix.test(type) ||
  (type.startsWith("application/") && textName.test(type))

/** Returns whether a type is an XML document. Expects the result of `essence`. */
export const isXmlType = (type: string): boolean => /[/+]xml$/.test(type)

/** Suffixes of types for text, such as `application/at+jwt` (RFC 6838 section 4.2.8). */
const textSuffix = /\+(?:xml|yaml|jwt|sd-jwt|json-seq)$/

/** Names of types for text below `application/`, also with the prefix `x-`. */
const textName = new RegExp(
  `^application/(?:x-)?(?:${[
    "xml(?:-dtd|-external-parsed-entity)?",
    "www-form-urlencoded",
    "javascript|ecmascript|typescript|graphql|sql|sh|httpd-php|sparql-(?:query|update)",
    "yaml|vnd\\.yaml|vnd\\.oai\\.openapi|toml|csv|tsv|rtf|n-triples|n-quads|trig",
    "ndjson|jsonl|jsonlines|json-lines|json-seq",
    "jwt|jose|openmetrics-text|pem-file|pem-certificate-chain|pgp-(?:keys|signature|encrypted)",
    "mpegurl|vnd\\.apple\\.mpegurl",
  ].join("|")})$`,
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
