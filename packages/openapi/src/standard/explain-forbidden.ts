// Explains which fields of an object the standard forbids. Only this module needs ajv.

import type { JsonValue } from "@callsheet/format"
import type { Findings } from "../document/place-findings.ts"
import type { Visit } from "../document/walk-document.ts"
import { narrowViolations } from "../schema/validate/narrow-violations.ts"
import type { PlainSchema } from "../schema/validate/plain-schema.ts"
import { createValidator } from "../schema/validate/validator.ts"
import { describeForbidden } from "./describe-forbidden.ts"
import type { MetaSchema } from "./meta-schema.ts"

/** The maximum number of steps per object. */
const MAX_STEPS = 1_000_000

export function explainForbidden(findings: Findings, meta: MetaSchema, visits: readonly Visit[]): void {
  const budget = { left: 0 }
  const { schemaOf } = meta
  const search = createValidator({ isSearching: true, schemaOf, budget })
  const violationsOf = (schema: PlainSchema, value: JsonValue) => search.validate(schema, value)
  for (const visit of visits) {
    budget.left = MAX_STEPS
    const found = violationsOf(meta.schemaOfKind(visit.kind) ?? true, visit.value)
    for (const violation of narrowViolations(found, { schemaOf, violationsOf })) {
      const described = describeForbidden(findings.document, visit, violation)
      if (described !== undefined) findings.add(described.at, described.finding)
    }
  }
}
