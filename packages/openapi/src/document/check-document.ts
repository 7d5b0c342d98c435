// Finds document errors that a run would otherwise discover late: broken references and unusable patterns.

import { type Finding, getOrCreate, isJsonObject, type Problem, problemsAtOffsets } from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import { type OpenApiDocument, openPlace } from "./document.ts"
import { escapePointer, objectMember, pointerSteps, textMember } from "./located.ts"
import { findReferenced, MAX_HOPS, type Part } from "./part.ts"
import { createTextReader, isYaml } from "./read-text-file.ts"
import { mayBeReference, type Visit, walkDocument, type Walked } from "./walk-document.ts"
import { messages, reasons } from "./messages.ts"

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

/** A chain that breaks off is not a cycle. The place where it breaks is reported separately. */
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
    // Only a warning, because the branches are also in `oneOf` or `anyOf`.
    parts.push(...follow(check, { kind: "schema", reference, holder: pointer, at, severity: "warning" }))
  }
  return parts
}

function checkPatterns({ add }: Check, { value, pointer }: Visit): void {
  const check = (pattern: string, at: string): void => {
    if (isPattern(pattern)) return
    add(at, messages["document-invalid"].badPattern(shorten(pattern)))
  }
  const pattern = textMember(value, "pattern")
  if (pattern !== undefined) check(pattern, `${pointer}/pattern`)
  for (const name of Object.keys(objectMember(value, "patternProperties") ?? {}))
    check(name, `${pointer}/patternProperties/${escapePointer(name)}`)
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** Tries the `u` flag that JSON Schema requires, then no flag: many patterns escape characters that need no escape. */
const isPattern = (text: string): boolean =>
  ["u", ""].some((flags) => {
    try {
      return Boolean(new RegExp(text, flags))
    } catch {
      return false
    }
  })

interface PlacedFinding {
  readonly pointer: string
  readonly finding: Finding
}

/** More problems in one file are only counted: locating one in a YAML file takes time proportional to the file's size. */
const MAX_PER_FILE = 100

async function placeFindings(
  document: OpenApiDocument,
  findings: readonly PlacedFinding[],
): Promise<readonly Problem[]> {
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

async function placeInFile(
  { source, root }: DocumentFile,
  findings: readonly PlacedFinding[],
): Promise<readonly Problem[]> {
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
