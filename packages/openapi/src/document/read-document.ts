// Reads an OpenAPI document as a value, or reports its problems.

import {
  type Finding,
  isJsonObject,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type ReadFile,
  type SourceFile,
} from "@callsheet/format"
import { checkPaths } from "./check-references.ts"
import { createFileOpener, readAhead } from "./document-files.ts"
import { isOldDialect, type OpenApiDocument, type OpenApiVersion } from "./document.ts"
import { member } from "./located.ts"
import { marksOfText } from "./marks.ts"
import { listOperations, type Operation } from "./operations.ts"
import { keepingYaml, type OutlineStore, readInParts, readStoredYaml } from "./outline-store.ts"
import { createTextReader, isYaml, type TextReader, type Unreadable, unreadable } from "./read-text-file.ts"
import { messages } from "./messages.ts"

export interface ReadDocument {
  /** Absent if `problems` contains errors. */
  readonly document?: OpenApiDocument
  readonly problems: readonly Problem[]
}

export interface ReadOptions {
  /** Reads the files that the document references. Without this function, references to other files are broken. */
  readonly readFile?: ReadFile | undefined
  /** Stores outlines of large files, so that only the parts in use are read. Without a store, files are read whole. */
  readonly outlines?: OutlineStore | undefined
  /**
   * Reads all other files at once, so that later edits of them don't change the document. `readFile` must cache its
   * results.
   */
  readonly readsAhead?: boolean
  /** Creates each value at once, for a caller that visits all of them. */
  readonly readsWhole?: boolean
}

/**
 * Reads a document as JSON or YAML, depending on its name. Checks only the root. Opens other files when a reference
 * needs them.
 */
export async function readDocument(source: SourceFile, options: ReadOptions = {}): Promise<ReadDocument> {
  const { readFile, outlines } = options
  const read = options.readsWhole === true ? readStoredYaml : readInParts
  const readStored = (file: SourceFile) => outlines && read(file, outlines)
  const parts = readStored(source)
  const hasMark = parts?.hasMark ?? marksOfText(source)
  const hasOthers = readFile !== undefined && hasMark("leadsElsewhere")
  // A file with an invalid root is read in full, to locate the problem.
  const outlined = parts && rootOf(parts.part.value())
  const fine = outlined?.ok === true ? outlined : undefined
  const needsYaml = hasOthers || (isYaml(source) && fine === undefined)
  const ahead =
    options.readsAhead === true && readFile !== undefined && needsYaml
      ? readAhead(source, readFile)
      : undefined
  const parse = await createTextReader(needsYaml)
  const whole = fine ?? keepingYaml((file) => readWhole(file, parse), outlines)(source)
  if (!whole.ok) return { problems: whole.problems }
  const mayHaveOthers = hasOthers || (isYaml(source) && parts === undefined)
  const document: OpenApiDocument = {
    source,
    version: whole.version,
    root: whole.value,
    hasMark,
    part: fine && parts?.part,
    openOther: readFile && createFileOpener({ readFile, parse: keepingYaml(parse, outlines), readStored }),
    othersMarkSecrets: mayHaveOthers ? ahead?.mayMarkSecrets : false,
  }
  return { document, problems: [] }
}

interface Root {
  readonly ok: true
  readonly value: JsonObject
  readonly version: OpenApiVersion
}

function readWhole(source: SourceFile, parse: TextReader): Root | Unreadable {
  const parsed = parse(source)
  if (!parsed.ok) return parsed
  const found = rootOf(parsed.value)
  if (found.ok) return found
  return unreadable(source, parsed.locate(found.pointer), found.finding)
}

interface BadRoot {
  readonly ok: false
  readonly pointer: JsonPointer
  readonly finding: Finding
}

function rootOf(value: JsonValue): Root | BadRoot {
  if (!isJsonObject(value)) return badRoot([], invalid.notAnObject())
  const version = versionOf(value)
  if (version === undefined) return checkVersion(value)
  const paths = member(value, "paths")
  // From 3.1 on, a document may contain only webhooks or components.
  if (paths === undefined && isOldDialect({ version })) return badRoot([], invalid.noPaths())
  if (paths !== undefined && !isJsonObject(paths)) return badRoot(["paths"], invalid.badPaths())
  return { ok: true, value, version }
}

const invalid = messages["document-invalid"]

const badRoot = (pointer: JsonPointer, finding: Finding): BadRoot => ({ ok: false, pointer, finding })

function checkVersion(root: JsonObject): BadRoot {
  const field =
    member(root, "openapi") === undefined && member(root, "swagger") !== undefined ? "swagger" : "openapi"
  const value = member(root, field)
  if (value === undefined) return badRoot([], invalid.noVersion())
  if (typeof value !== "string") return badRoot([field], invalid.badVersion(field))
  // Masking recognizes the truncated beginning of a secret by the ellipsis.
  const shown = value.length > 20 ? `${value.slice(0, 20)}…` : value
  return badRoot([field], invalid.unknownVersion(shown))
}

/** Patch versions are equivalent (OpenAPI 3.1.1 section 4.1). */
function versionOf(root: JsonObject): OpenApiVersion | undefined {
  const openapi = member(root, "openapi")
  if (openapi === undefined) return member(root, "swagger") === "2.0" ? "2.0" : undefined
  if (typeof openapi !== "string") return undefined
  return /^(3\.[012])(?:\.\d+)?(?:-[\w.]+)?$/.exec(openapi)?.[1] as OpenApiVersion | undefined
}

/** Reads every operation of a document, in order. */
export async function readOperations({
  source,
  ...options
}: ReadOptions & { readonly source: SourceFile }): Promise<
  ReadDocument & { readonly operations: readonly Operation[] }
> {
  const { document, problems } = await readDocument(source, options)
  if (document === undefined) return { operations: [], problems }
  const operations = listOperations(document)
  return { document, operations, problems: [...problems, ...(await checkPaths(document))] }
}
