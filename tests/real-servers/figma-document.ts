// Figma's published OpenAPI 3.1 document, and the part of it that the mock uses.

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { load } from "js-yaml"

const published = fileURLToPath(
  new URL("node_modules/@figma/rest-api-spec/openapi/openapi.yaml", import.meta.url),
)

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: readonly string[] }>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The complete published text. */
export const figmaDocument = (): string => readFileSync(published, "utf8")

/**
 * The paths of some tags with everything they refer to, unchanged, as JSON. Prism takes half a minute of CPU time to
 * resolve the document's 900 schemas.
 */
export function cutFigmaDocument(tags: readonly string[]): string {
  const document = load(figmaDocument()) as OpenApi
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, item]) =>
      Object.values(item).some((operation) => operation.tags?.some((tag) => tags.includes(tag)) === true),
    ),
  )
  const components: Record<string, Record<string, unknown>> = {
    securitySchemes: { ...document.components["securitySchemes"] },
  }
  const waiting = refsIn(paths)
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    const [kind = "", name = ""] = ref.slice("#/components/".length).split("/")
    const section = (components[kind] ??= {})
    if (name in section) continue
    section[name] = document.components[kind]?.[name]
    waiting.push(...refsIn(section[name]))
  }
  return JSON.stringify({ ...document, paths, components })
}

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref)
