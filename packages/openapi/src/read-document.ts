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
import { createTextReader, isYaml } from "./read-text-file.ts"

export interface ReadDocument {
  /** Absent where `problems` holds errors. */
  readonly document?: OpenApiDocument
  readonly problems: readonly Problem[]
}

export interface ReadOptions {
  /** Reads the other files that references lead to. Without it they lead nowhere. */
  readonly readFile?: ReadFile | undefined
}

/**
 * Reads a document, JSON or YAML by its name. Paths, schemas and examples are not looked at: a run pays for what it uses.
 * Other files are opened when a reference is first followed there.
 *
 * @example
 * const { document, problems } = await readDocument({ file: "apis/shop/openapi.yaml", text }, { readFile })
 */
export async function readDocument(
  source: SourceFile,
  { readFile }: ReadOptions = {},
): Promise<ReadDocument> {
  const hasOthers = readFile !== undefined && mentionsOtherFiles(source)
  const parse = await createTextReader(isYaml(source) || hasOthers)
  const parsed = parse(source)
  if (!parsed.ok) return { problems: parsed.problems }
  const { value, locate } = parsed
  const objection = objectTo(value)
  if (objection !== undefined) {
    const { pointer, message, hint } = objection
    return {
      problems: [problemAtOffset(source, locate(pointer), { code: "document-invalid", message, hint })],
    }
  }
  const root = value as JsonObject
  const files = readFile === undefined ? {} : { files: createDocumentFiles({ readFile, parse }) }
  return { document: { source, version: versionOf(root)!, root, ...files }, problems: [] }
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
