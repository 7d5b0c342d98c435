// Values against schemas, in each way in which they may be read; the checker of schemas is loaded when some value needs it.

import type { JsonValue } from "@callsheet/format"
import type { Located } from "../document/located.ts"
import type { SchemaChecker } from "../schema/validate/schema-checker.ts"
import type { Complaint } from "./checked-request.ts"

/** Good where any reading is; else the first one says what is wrong. */
export type Judge = (schema: Located, readings: readonly JsonValue[], path: string) => readonly Complaint[]

export const judgeBy =
  (schemas: SchemaChecker): Judge =>
  (schema, readings, path) => {
    let first: readonly Complaint[] | undefined
    for (const reading of readings) {
      const problems = schemas.check(schema, reading, path)
      if (problems.length === 0) return problems
      first ??= problems
    }
    return first ?? []
  }
