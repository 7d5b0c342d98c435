// Finds document errors that a run would discover late: broken references and unusable patterns. Walks every object of
// the document and its referenced files once, without recursion.

import {
  attempt,
  type Finding,
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownOf,
  type Problem,
  problemsAtOffsets,
} from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import { isOldDialect, type OpenApiDocument, openPlace } from "./document.ts"
import { escapePointer, objectMember, pointerSteps, textMember } from "./located.ts"
import { findReferenced, MAX_HOPS, type Part } from "./part.ts"
import { createTextReader, isYaml } from "./read-text-file.ts"
import { messages, reasons } from "./messages.ts"
import { methods } from "./operations.ts"
import { schemaKeywords } from "./schema-keywords.ts"

/** Returns the problems of a document and everything it references, including files that can't be parsed. */
export const checkDocument = (document: OpenApiDocument): Promise<readonly Problem[]> =>
  collect(document, (check) =>
    walkDocument(document, (visit) => {
      if (visit.kind === "schema") checkPatterns(check, visit)
      return checkReferences(check, visit)
    }),
  )

/** Returns the paths with a broken reference. Their operations are missing from every list. */
export const checkPaths = (document: OpenApiDocument): Promise<readonly Problem[]> =>
  collect(document, (check) => {
    for (const [path, value] of Object.entries(objectMember(document.root, "paths") ?? {})) {
      const pointer = `/paths/${escapePointer(path)}`
      if (isJsonObject(value) && !path.startsWith("x-"))
        checkReferences(check, { kind: "pathItem", value, pointer })
    }
  })

async function collect(document: OpenApiDocument, run: (check: Check) => void): Promise<readonly Problem[]> {
  const findings: PlacedFinding[] = []
  const inFiles = new Set<Problem>()
  run({
    document,
    add: (pointer, finding) => findings.push({ pointer, finding }),
    addInFile: (problem) => inFiles.add(problem),
  })
  return [...inFiles, ...(await placeFindings(document, findings))]
}

interface Check {
  readonly document: OpenApiDocument
  readonly add: (pointer: string, finding: Finding) => void
  readonly addInFile: (problem: Problem) => void
}

function checkReferences(check: Check, visit: Visit): readonly Walked[] {
  const { kind, value, pointer } = visit
  if (!mayBeReference(kind)) return []
  const parts: Walked[] = []
  for (const field of kind === "schema" ? ["$ref", "$dynamicRef"] : ["$ref"]) {
    const reference = textMember(value, field)
    if (reference === undefined) continue
    const at = `${pointer}/${field}`
    parts.push(...follow(check, { kind, reference, holder: pointer, at, severity: "error" }))
  }
  if (kind === "schema") parts.push(...checkMapping(check, visit))
  return parts
}

interface Site {
  readonly kind: Walked["kind"]
  readonly reference: string
  readonly holder: string
  readonly at: string
  readonly severity: "error" | "warning"
}

function follow(check: Check, { kind, reference, holder, at, severity }: Site): readonly Walked[] {
  const found = findReferenced(check.document, reference, holder)
  const { brokenReference: broken } = messages["document-invalid"]
  if (found.ok) {
    const { value, pointer } = found.part
    if (!isCircle(found.part)) return [{ kind, value, pointer }]
    check.add(at, { ...broken(reference, reasons.circle()), severity })
    return []
  }
  const { problem, inside = [] } = found
  for (const one of inside) check.addInFile(one)
  const { message } = broken(reference, problem.message)
  if (inside.length === 0) check.add(at, { ...problem, severity, message })
  return []
}

/** Returns whether a chain of references never ends. A broken reference does end it and has its own problem. */
function isCircle(part: Part): boolean {
  let here = part
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const next = here.reference()
    if (next === undefined || next === "broken") return false
    here = next
  }
  return true
}

/** Checks the `mapping` values that are references. The others are schema names. */
function checkMapping(check: Check, { value, pointer }: Visit): readonly Walked[] {
  const parts: Walked[] = []
  const mapping = objectMember(objectMember(value, "discriminator"), "mapping")
  for (const [name, reference] of Object.entries(mapping ?? {})) {
    if (typeof reference !== "string" || !/^[.#]|\.(?:json|ya?ml)(?:#|$)/i.test(reference)) continue
    const at = `${pointer}/discriminator/mapping/${escapePointer(name)}`
    // Reports only a warning, because `oneOf` or `anyOf` lists the branches too.
    parts.push(...follow(check, { kind: "schema", reference, holder: pointer, at, severity: "warning" }))
  }
  return parts
}

function checkPatterns({ add }: Check, { value, pointer }: Visit): void {
  const check = (pattern: string, at: string): void => {
    // JSON Schema requires the flag `u`, but many patterns have unnecessary escapes, which only work without it.
    if (["u", ""].some((flags) => attempt(() => new RegExp(pattern, flags)) !== undefined)) return
    add(at, messages["document-invalid"].badPattern(shorten(pattern)))
  }
  const pattern = textMember(value, "pattern")
  if (pattern !== undefined) check(pattern, `${pointer}/pattern`)
  for (const name of Object.keys(objectMember(value, "patternProperties") ?? {}))
    check(name, `${pointer}/patternProperties/${escapePointer(name)}`)
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

interface PlacedFinding {
  readonly pointer: string
  readonly finding: Finding
}

/**
 * The maximum number of problems to locate per file, because each location in YAML costs a read of the file. The rest
 * are only counted.
 */
const MAX_PER_FILE = 100

async function placeFindings(document: OpenApiDocument, findings: readonly PlacedFinding[]) {
  const byFile = new Map<DocumentFile, PlacedFinding[]>()
  for (const { pointer, finding } of findings) {
    const place = openPlace(document, pointer)
    if (place !== undefined)
      getOrCreate(byFile, place.file, () => []).push({ pointer: place.pointer, finding })
  }
  const problems: Problem[] = []
  for (const [file, list] of byFile) problems.push(...(await placeInFile(file, list)))
  return problems
}

async function placeInFile({ source, root }: DocumentFile, findings: readonly PlacedFinding[]) {
  const parsed = (await createTextReader(isYaml(source)))(source)
  const placed = findings
    .toSorted(errorsFirst)
    .slice(0, MAX_PER_FILE)
    .map(({ pointer, finding }) => {
      const offset = parsed.ok ? parsed.locate(pointerSteps(root, pointer)) : 0
      return { ...finding, message: `#${pointer}: ${finding.message}`, offset }
    })
  const rest = findings.length - placed.length
  const more = { ...messages["document-invalid"].more(rest), offset: 0 }
  return problemsAtOffsets(source, rest > 0 ? [...placed, more] : placed)
}

const errorsFirst = (a: PlacedFinding, b: PlacedFinding): number =>
  Number(a.finding.severity === "warning") - Number(b.finding.severity === "warning")

interface Walked {
  readonly kind: ObjectKind
  readonly value: JsonValue
  /** The location, in the format of `Part.pointer`. */
  readonly pointer: string
}

interface Visit extends Walked {
  readonly value: JsonObject
}

/** Calls `visit` with every object, then walks the parts that `visit` returns. */
function walkDocument(document: OpenApiDocument, visit: (object: Visit) => readonly Walked[]): void {
  // Keeps a set per kind, because a document may reference one file both as a schema and as a response.
  const seen = new Map<ObjectKind, Set<JsonObject>>()
  const work: Walked[] = [{ kind: "document", value: document.root, pointer: "" }]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    const { kind, value, pointer } = part
    if (!isJsonObject(value)) continue
    const ofKind = getOrCreate(seen, kind, () => new Set())
    if (ofKind.has(value)) continue
    ofKind.add(value)
    const object = { kind, value, pointer }
    for (const next of [...visit(object), ...innerParts(object, document)]) work.push(next)
  }
}

function* innerParts({ kind, value, pointer }: Visit, document: OpenApiDocument): Generator<Walked> {
  // The keywords beside a reference are ignored, except in path items and, from 3.1 on, in schemas.
  const isIgnored = kind !== "pathItem" && (kind !== "schema" || isOldDialect(document))
  if (isIgnored && textMember(value, "$ref") !== undefined) return
  for (const [field, inner] of Object.entries(value)) {
    const known = innerOf(kind, field)
    if (known !== undefined) yield* partsOf(known, inner, `${pointer}/${escapePointer(field)}`)
  }
}

function* partsOf({ kind, as }: Inner, value: JsonValue, pointer: string): Generator<Walked> {
  if (isJsonArray(value)) {
    // Old schemas may have a list in `items`. Anywhere else, an unexpected list is data.
    if (as !== "list" && kind !== "schema") return
    for (const [index, item] of value.entries()) yield { kind, value: item, pointer: `${pointer}/${index}` }
  } else if (as === "one") yield { kind, value, pointer }
  else if (as !== "list" && isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (as === "paths" && name.startsWith("x-")) continue
      yield { kind, value: item, pointer: `${pointer}/${escapePointer(name)}` }
    }
  }
}

type ObjectKind =
  | "document"
  | "components"
  | "pathItem"
  | "operation"
  | "callback"
  | "parameter"
  | "body"
  | "response"
  | "header"
  | "media"
  | "encoding"
  | "schema"
  /** An object that may be a reference but has no other objects to walk. */
  | "leaf"

interface Inner {
  readonly kind: ObjectKind
  /** The structure of the field. The author chooses the keys of a `map`. `paths` is a map that may have `x-` extensions. */
  readonly as: "one" | "list" | "map" | "paths"
}

type Fields = Readonly<Record<string, Inner>>

const one = (kind: ObjectKind): Inner => ({ kind, as: "one" })
const list = (kind: ObjectKind): Inner => ({ kind, as: "list" })
const map = (kind: ObjectKind): Inner => ({ kind, as: "map" })
const paths = (kind: ObjectKind): Inner => ({ kind, as: "paths" })

const media: Fields = {
  schema: one("schema"),
  itemSchema: one("schema"),
  examples: map("leaf"),
  encoding: map("encoding"),
  itemEncoding: one("encoding"),
  prefixEncoding: list("encoding"),
}

const parameter: Fields = { ...media, items: one("schema"), content: map("media") }

/** The fields to walk in each kind of object: never data (`example`, `enum`, `const`, `default`) or extensions. */
const fieldsOf: Readonly<Record<ObjectKind, Fields>> = {
  document: {
    paths: paths("pathItem"),
    webhooks: map("pathItem"),
    components: one("components"),
    definitions: map("schema"),
    parameters: map("parameter"),
    responses: map("response"),
  },
  components: {
    schemas: map("schema"),
    responses: map("response"),
    parameters: map("parameter"),
    examples: map("leaf"),
    requestBodies: map("body"),
    headers: map("header"),
    securitySchemes: map("leaf"),
    links: map("leaf"),
    callbacks: map("callback"),
    pathItems: map("pathItem"),
    mediaTypes: map("media"),
  },
  pathItem: {
    parameters: list("parameter"),
    additionalOperations: map("operation"),
    ...Object.fromEntries([...methods].map((method) => [method, one("operation")])),
  },
  operation: {
    parameters: list("parameter"),
    requestBody: one("body"),
    responses: paths("response"),
    callbacks: map("callback"),
  },
  // The keys of a callback are expressions. See `innerOf`.
  callback: {},
  parameter,
  header: parameter,
  body: { content: map("media") },
  response: {
    headers: map("header"),
    content: map("media"),
    links: map("leaf"),
    schema: one("schema"),
  },
  media,
  encoding: {
    headers: map("header"),
    encoding: map("encoding"),
    itemEncoding: one("encoding"),
    prefixEncoding: list("encoding"),
  },
  schema: Object.fromEntries(
    Object.entries(schemaKeywords).map(([keyword, { as }]) => [keyword, { kind: "schema", as }]),
  ),
  leaf: {},
}

const expression: Inner = one("pathItem")

function innerOf(kind: ObjectKind, field: string): Inner | undefined {
  if (kind === "callback") return field.startsWith("x-") || field === "$ref" ? undefined : expression
  return ownOf(fieldsOf[kind], field)
}

const mayBeReference = (kind: ObjectKind): boolean =>
  kind !== "document" && kind !== "components" && kind !== "operation" && kind !== "encoding"
