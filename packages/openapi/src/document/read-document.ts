// An OpenAPI document's text -> the document as a value, or what is wrong with it.

import {
  isJsonObject,
  problemAtOffset,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type ReadFile,
  type SourceFile,
} from "@callsheet/format"
import { createDocumentFiles } from "./document-files.ts"
import { member, type OpenApiDocument, type OpenApiVersion } from "./document.ts"
import { keepingYaml, type OutlineStore, readInParts } from "./outline-store.ts"
import { readAhead } from "./read-ahead.ts"
import { createTextReader, isYaml, type ReadValue, type TextReader } from "./read-text-file.ts"

export interface ReadDocument {
  /** Absent where `problems` holds errors. */
  readonly document?: OpenApiDocument
  readonly problems: readonly Problem[]
}

export interface ReadOptions {
  /** Reads the other files that references lead to. Without it they lead nowhere. */
  readonly readFile?: ReadFile | undefined
  /** Keeps what is known of large files, of which then only those parts are read that are used. Without it files are read whole. */
  readonly outlines?: OutlineStore | undefined
  /** Reads the texts of all other files at once, so that the document stays as it is now. `readFile` then remembers them. */
  readonly readsAhead?: boolean
}

/**
 * Reads a document, JSON or YAML by its name. Paths, schemas and examples are not looked at: a run pays for what it uses.
 * Other files are opened when a reference is first followed there.
 *
 * @example
 * const { document, problems } = await readDocument({ file: "apis/shop/openapi.yaml", text }, { readFile })
 */
export async function readDocument(source: SourceFile, options: ReadOptions = {}): Promise<ReadDocument> {
  const { readFile, outlines } = options
  const parts = outlines === undefined ? undefined : readInParts(source, outlines)
  const hasOthers = readFile !== undefined && (parts?.marks.leadsElsewhere ?? mentionsOtherFiles(source))
  // What is to be objected to is read whole again, for the place of it.
  const isFine = parts !== undefined && objectTo(parts.part.value()) === undefined
  const needsYaml = hasOthers || (isYaml(source) && !isFine)
  const ahead =
    options.readsAhead === true && readFile !== undefined && needsYaml
      ? readAhead(source, readFile)
      : undefined
  const parse = await createTextReader(needsYaml)
  const parsed = isFine
    ? { ok: true as const, value: parts.part.value() }
    : keepingYaml((whole) => readWhole(whole, parse), outlines)(source)
  if (!parsed.ok) return { problems: parsed.problems }
  const root = parsed.value as JsonObject
  const files =
    readFile === undefined
      ? {}
      : { files: createDocumentFiles({ readFile, parse: keepingYaml(parse, outlines), outlines }) }
  const part = isFine ? { part: parts.part, marks: parts.marks } : {}
  const mayHaveOthers = hasOthers || (isYaml(source) && parts === undefined)
  const othersMarkSecrets = mayHaveOthers ? ahead?.mayMarkSecrets : false
  const known = othersMarkSecrets === undefined ? {} : { othersMarkSecrets }
  const document = { source, version: versionOf(root)!, root, ...part, ...files, ...known }
  return { document, problems: [] }
}

function readWhole(source: SourceFile, parse: TextReader): ReadValue {
  const parsed = parse(source)
  if (!parsed.ok) return parsed
  const { value, locate } = parsed
  const objection = objectTo(value)
  if (objection === undefined) return parsed
  const { pointer, message, hint } = objection
  const problem = problemAtOffset(source, locate(pointer), { code: "document-invalid", message, hint })
  return { ok: false, problems: [problem] }
}

/** Whether a reference leads out of the file; those files may be YAML, whose library has to be there by then. */
const mentionsOtherFiles = ({ text }: SourceFile): boolean => /"\$ref"\s*:\s*"[^#"]/.test(text)

interface Objection {
  readonly pointer: JsonPointer
  readonly message: string
  readonly hint?: string | undefined
}

function objectTo(root: JsonValue): Objection | undefined {
  if (!isJsonObject(root)) return { pointer: [], message: "an OpenAPI document must be an object" }
  const version = versionOf(root)
  if (version === undefined) return objectToVersion(root)
  const paths = member(root, "paths")
  // From 3.1 on a document may hold webhooks or components alone.
  if (paths === undefined && (version === "2.0" || version === "3.0"))
    return { pointer: [], message: `"paths" is missing` }
  if (paths !== undefined && !isJsonObject(paths))
    return { pointer: ["paths"], message: `"paths" must be an object` }
  return undefined
}

const readable = "2.0, 3.0, 3.1 and 3.2 can be read"

function objectToVersion(root: JsonObject): Objection {
  const field =
    member(root, "openapi") === undefined && member(root, "swagger") !== undefined ? "swagger" : "openapi"
  const value = member(root, field)
  if (value === undefined) {
    return {
      pointer: [],
      message: `"openapi", the version, is missing`,
      hint: `for example "openapi": "3.1.1"`,
    }
  }
  if (typeof value !== "string") {
    return {
      pointer: [field],
      message: `"${field}" must be a string`,
      hint: `write the version in quotes; ${readable}`,
    }
  }
  return {
    pointer: [field],
    message: `OpenAPI version ${JSON.stringify(value.slice(0, 20))} is not known`,
    hint: readable,
  }
}

/** Patch levels mean the same (OpenAPI 3.1.1 section 4.1). */
function versionOf(root: JsonObject): OpenApiVersion | undefined {
  const openapi = member(root, "openapi")
  if (openapi === undefined) return member(root, "swagger") === "2.0" ? "2.0" : undefined
  if (typeof openapi !== "string") return undefined
  return /^(3\.[012])(?:\.\d+)?(?:-[\w.]+)?$/.exec(openapi)?.[1] as OpenApiVersion | undefined
}
