// Finds document errors that a run would discover late or never: broken references, values that the standard forbids,
// and schemas that check nothing. Walks every object of the document and its referenced files once, without recursion.

import type { Problem } from "@callsheet/format"
import { checkReferences } from "../document/check-references.ts"
import type { OpenApiDocument } from "../document/document.ts"
import { textMember } from "../document/located.ts"
import { messages } from "../document/messages.ts"
import { collectFindings } from "../document/place-findings.ts"
import { ignoresFields, type Visit, type Walked, walkDocument } from "../document/walk-document.ts"
import { addInclusions, findCircles, type InclusionGraph } from "../schema/find-circles.ts"
import { createEvaluator } from "../schema/validate/evaluate-schema.ts"
import { narrowViolations } from "../schema/validate/narrow-violations.ts"
import { checkNames } from "./check-names.ts"
import { describeForbidden } from "./describe-forbidden.ts"
import { loadMetaSchema } from "./meta-schema.ts"
import { checkByRules } from "./rules.ts"

/** The maximum number of objects to explain. Generators repeat a mistake thousands of times. */
const MAX_EXPLAINED = 1_000

/** Returns the problems of a document and everything it references, including files that can't be parsed. */
export async function checkDocument(document: OpenApiDocument): Promise<readonly Problem[]> {
  const meta = await loadMetaSchema(document.version)
  return collectFindings(document, async (findings) => {
    const graph: InclusionGraph = new Map()
    const forbidden: Visit[] = []
    const { isValid, violations } = createEvaluator({ left: Infinity })
    walkDocument(document, (visit: Visit) => {
      const targets = checkReferences(findings, visit)
      if (visit.kind === "schema") addInclusions(graph, visit, targetOf(visit, targets))
      checkByRules(findings, visit)
      if (ignoresFields(visit, document)) return targets
      const known = meta.fieldsOf(visit.kind)
      if (known !== undefined) checkNames(findings, known, visit)
      if (!isValid(meta.schemaOf(visit.kind), visit.value)) forbidden.push(visit)
      return targets
    })
    for (const { at, names } of findCircles(graph))
      findings.add(at, messages["document-standard"].circle(names))
    for (const visit of forbidden.slice(0, MAX_EXPLAINED))
      for (const violation of narrowViolations(violations(meta.schemaOf(visit.kind), visit.value))) {
        const described = describeForbidden(document, visit, violation)
        if (described !== undefined) findings.add(described.at, described.finding)
      }
    const [first] = forbidden.slice(MAX_EXPLAINED)
    const rest = forbidden.length - MAX_EXPLAINED
    if (first !== undefined) findings.add(first.pointer, messages["document-standard"].unexplained(rest))
  })
}

/** Returns the target of a schema's reference, which comes before those of other keywords. */
const targetOf = ({ value }: Visit, targets: readonly Walked[]) =>
  textMember(value, "$ref") === undefined ? undefined : targets[0]?.value
