// An OpenAPI document as a value: text -> tree, its version, and the way along its own references.

import {
  CallsheetError,
  createJsonLocator,
  isJsonObject,
  parseJson,
  problemAtOffset,
  type JsonObject,
  type JsonValue,
  type Problem,
  type SourceFile,
} from "@callsheet/format"

export type OpenApiVersion = "2.0" | "3.0" | "3.1" | "3.2"

export interface OpenApiDocument {
  readonly source: SourceFile
  readonly version: OpenApiVersion
  /** The tree as written. Read through `member`: a key may be named `__proto__`. */
  readonly root: JsonObject
}

export interface ReadDocument {
  /** Absent where `problems` holds errors. */
  readonly document?: OpenApiDocument
  readonly problems: readonly Problem[]
}

/** Reads a document. Schemas, examples and unused parts are not looked at: a run pays for what it uses. */
export async function readDocument(source: SourceFile): Promise<ReadDocument> {
  const parsed = await parseText(source)
  return parsed.ok ? checkRoot(source, parsed.value) : { problems: parsed.problems }
}

type Parsed =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file)

const parseText = (source: SourceFile): Parsed | Promise<Parsed> =>
  isYaml(source.file) ? parseYaml(source) : parseJsonDocument(source)

function parseJsonDocument(source: SourceFile): Parsed {
  // A key that stands twice is an error in our own files; in a document that somebody else's tool wrote the last one
  // counts, as in every other reader, and a large document loads in the time of JSON.parse.
  const parsed = parseJson(source.text, { allowDuplicateKeys: true })
  if (parsed.ok) return parsed
  return {
    ok: false,
    problems: parsed.findings.map((finding) => problemAtOffset(source, finding.offset, finding)),
  }
}

/** YAML 1.2 core schema: no tags that make anything but JSON values, no unbounded aliases, no duplicate keys. */
async function parseYaml(source: SourceFile): Promise<Parsed> {
  const { CORE_SCHEMA, load, YAMLException } = await import("js-yaml")
  try {
    return { ok: true, value: load(source.text, { schema: CORE_SCHEMA, maxAliases: 10_000 }) as JsonValue }
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw new CallsheetError("yaml-syntax", `${source.file} cannot be read as YAML`, { cause: error })
    }
    const { reason, mark } = error as { reason: string; mark?: { position: number } }
    const finding = { code: "yaml-syntax", message: reason } as const
    return { ok: false, problems: [problemAtOffset(source, mark?.position ?? 0, finding)] }
  }
}

function checkRoot(source: SourceFile, root: JsonValue): ReadDocument {
  const object = (pointer: readonly string[], message: string, hint?: string): ReadDocument => ({
    problems: [
      problemAtOffset(source, offsetOf(source, pointer), { code: "document-invalid", message, hint }),
    ],
  })
  if (!isJsonObject(root)) return object([], "an OpenAPI document must be an object")
  const named = member(root, "openapi") ?? member(root, "swagger")
  if (named === undefined) {
    return object([], `the document says no version: "openapi" is missing`, `for example "openapi": "3.1.0"`)
  }
  const field = member(root, "openapi") === undefined ? "swagger" : "openapi"
  const version =
    typeof named === "string" || typeof named === "number" ? versionOf(String(named)) : undefined
  if (version === undefined) {
    return object(
      [field],
      `"${field}" is ${JSON.stringify(named)}, which is no known version`,
      "known are 3.0, 3.1 and 3.2",
    )
  }
  if (version === "2.0") {
    return object([field], "Swagger 2.0 documents cannot be read yet", "convert the document to OpenAPI 3")
  }
  const paths = member(root, "paths")
  if (paths !== undefined && !isJsonObject(paths)) return object(["paths"], `"paths" must be an object`)
  return { document: { source, version, root }, problems: [] }
}

function offsetOf(source: SourceFile, pointer: readonly string[]): number {
  if (!isYaml(source.file)) return createJsonLocator(source.text)(pointer, "value")
  const [key] = pointer
  return key === undefined ? 0 : Math.max(0, source.text.search(new RegExp(`^${key}\\s*:`, "m")))
}

function versionOf(text: string): OpenApiVersion | undefined {
  const match = /^(2\.0|3\.[012])(?:\.\d+(?:-[\w.]+)?)?$/.exec(text === "2" ? "2.0" : text)
  return match?.[1] as OpenApiVersion | undefined
}

/** An own property of a value, where it is an object that has it. */
export const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** A member that is an object; anything else counts as absent. */
export function objectMember(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = member(value, key)
  return isJsonObject(found) ? found : undefined
}

/** A member that is a string; anything else counts as absent. */
export function textMember(value: JsonValue | undefined, key: string): string | undefined {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

export type Reference =
  | { readonly found: true; readonly value: JsonValue; readonly pointer: string }
  /** The reference as written, which leads nowhere in this document. */
  | { readonly found: false; readonly reference: string }

/** Follows one `$ref` of this document: a URI fragment with a JSON pointer (RFC 6901 section 6). */
export function resolveReference(document: OpenApiDocument, reference: string): Reference {
  if (!reference.startsWith("#")) return { found: false, reference }
  let pointer: string
  try {
    pointer = decodeURIComponent(reference.slice(1))
  } catch {
    return { found: false, reference }
  }
  if (pointer !== "" && !pointer.startsWith("/")) return { found: false, reference }
  let value: JsonValue | undefined = document.root
  for (const escaped of pointer === "" ? [] : pointer.slice(1).split("/")) {
    const key = escaped.replaceAll("~1", "/").replaceAll("~0", "~")
    value = Array.isArray(value) ? (value as readonly JsonValue[])[Number(key)] : member(value, key)
    if (value === undefined) return { found: false, reference }
  }
  return { found: true, value, pointer }
}

/** Escapes one step of a JSON pointer (RFC 6901 section 3). */
export const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** A chain of references longer than this goes in a circle. */
const MAX_HOPS = 100

/**
 * The value that stands behind `$ref`s, with its JSON pointer; the value itself where it is none. Undefined where a
 * reference leads nowhere or in a circle.
 */
export function dereference(
  document: OpenApiDocument,
  value: JsonValue,
  pointer: string,
): { readonly value: JsonValue; readonly pointer: string } | undefined {
  let here = { value, pointer }
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const reference = textMember(here.value, "$ref")
    if (reference === undefined) return here
    const found = resolveReference(document, reference)
    if (!found.found) return undefined
    here = found
  }
  return undefined
}
