// Finds references that a run would discover late: broken ones, cycles, and those in places where the standard allows
// none.

import {
  describeType,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  ownOf,
} from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "./document.ts"
import { escapePointer, objectMember, textMember } from "./located.ts"
import { messages, reasons } from "./messages.ts"
import { isMappedReference } from "./find-references.ts"
import { type Inner, innerOf, mayBeReference } from "./object-kinds.ts"
import { findReferenced, MAX_HOPS, type Part } from "./part.ts"
import { pathsOf } from "./operations.ts"
import { collectFindings, type Findings } from "./place-findings.ts"
import { ignoresFields, partsOf, type Visit, type Walked } from "./walk-document.ts"

/** Returns the paths with a broken reference. Their operations are missing from every list. */
export const checkPaths = (document: OpenApiDocument): Promise<readonly Problem[]> =>
  collectFindings(document, (findings) => {
    const { part, pointer } = pathsOf(document) ?? {}
    for (const [path, value] of Object.entries((part?.value() ?? {}) as JsonObject))
      if (isJsonObject(value) && !path.startsWith("x-"))
        checkReferences(findings, { kind: "pathItem", value, pointer: `${pointer}/${escapePointer(path)}` })
  })

/** Checks the references of an object. Returns their targets. */
export function checkReferences(findings: Findings, visit: Visit): readonly Walked[] {
  const { kind, value, pointer } = visit
  const parts: Walked[] = []
  if (mayBeReference(kind))
    for (const field of kind === "schema" ? ["$ref", "$dynamicRef"] : ["$ref"]) {
      const reference = textMember(value, field)
      const at = `${pointer}/${field}`
      if (reference === undefined) {
        if (Object.hasOwn(value, field))
          findings.add(at, notText(findings.document, ownOf(value, field) ?? null))
        continue
      }
      const site = { reference, holder: pointer, at, severity: "error" } as const
      parts.push(...follow(findings, { ...site, inner: { kind, as: "one" } }))
    }
  if (kind === "schema") parts.push(...checkMapping(findings, visit))
  if (!ignoresFields(visit, findings.document)) parts.push(...checkMisplaced(findings, visit))
  return parts
}

const notText = ({ version }: OpenApiDocument, value: JsonValue) =>
  messages["document-standard"].forbiddenValue(
    version,
    `expected a string, received ${describeTarget(value)}`,
  )

interface Site {
  readonly inner: Inner
  readonly reference: string
  readonly holder: string
  readonly at: string
  readonly severity: "error" | "warning"
}

function follow(findings: Findings, { inner, reference, holder, at, severity }: Site): readonly Walked[] {
  const { document, add, addInFile } = findings
  const found = findReferenced(document, reference, holder)
  const { brokenReference: broken } = messages["document-invalid"]
  if (found.ok) {
    const { value, pointer } = found.part
    if (isCircle(found.part)) add(at, { ...broken(reference, reasons.circle()), severity })
    else if (isExpected(value, inner, document)) return [...partsOf(inner, value, pointer)]
    else if (inner.kind !== "example")
      add(at, messages["document-standard"].wrongTarget(reference, inner.as, describeTarget(value)))
    return []
  }
  const { problem, inside = [], near } = found
  for (const one of inside) addInFile(one)
  const meant = near && findings.suggestions.left-- > 0 ? near() : undefined
  const { message, hint = problem.hint } = broken(reference, problem.message, meant)
  if (inside.length === 0) add(at, { ...problem, severity, message, hint })
  return []
}

function isExpected(value: JsonValue, { kind, as }: Inner, document: OpenApiDocument): boolean {
  if (as === "list") return isJsonArray(value)
  return isJsonObject(value) || (kind === "schema" && typeof value === "boolean" && !isOldDialect(document))
}

const describeTarget = (value: JsonValue): string =>
  value === null ? "nothing" : isJsonArray(value) ? "a list" : describeType(value)

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
function checkMapping(findings: Findings, { value, pointer }: Visit): readonly Walked[] {
  const parts: Walked[] = []
  const mapping = objectMember(objectMember(value, "discriminator"), "mapping")
  for (const [name, reference] of Object.entries(mapping ?? {})) {
    if (!isMappedReference(reference)) continue
    const at = `${pointer}/discriminator/mapping/${escapePointer(name)}`
    // Reports only a warning, because `oneOf` or `anyOf` lists the branches too.
    const site = { reference, holder: pointer, at, severity: "warning" } as const
    parts.push(...follow(findings, { ...site, inner: { kind: "schema", as: "one" } }))
  }
  return parts
}

/** Names the references that replace a whole field, such as `paths` or `properties`, and follows them. */
function checkMisplaced(findings: Findings, { kind, value, pointer }: Visit): readonly Walked[] {
  const parts: Walked[] = []
  for (const [field, holder] of Object.entries(value)) {
    const reference = textMember(holder, "$ref")
    const inner = reference === undefined ? undefined : innerOf(kind, field)
    if (reference === undefined || inner === undefined) continue
    if (inner.as === "one" && mayBeReference(inner.kind)) continue
    const at = `${pointer}/${escapePointer(field)}/$ref`
    const { version } = findings.document
    findings.add(at, messages["document-standard"].misplacedReference(version, field))
    const site = { reference, holder: pointer, at, severity: "error" } as const
    parts.push(...follow(findings, { ...site, inner }))
  }
  return parts
}
