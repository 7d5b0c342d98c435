// For tests: the type of one schema, and its type at a path.

import { parsePath, type JsonObject, type JsonValue, type ValueType } from "@callsheet/format"
import { partAt } from "../document/part.ts"
import type { Direction } from "../schema/types/answers.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import { documentOf, type Version } from "./document-of.ts"

export interface Described {
  readonly version?: Version
  readonly schema: JsonValue
  /** The other schemas in the components. */
  readonly others?: JsonObject
  readonly direction?: Direction
}

export async function typeOf({
  version = "3.1",
  schema,
  others = {},
  direction = "response",
}: Described): Promise<ValueType> {
  const components = { schemas: { Subject: schema, ...others } }
  const document = await documentOf({ version, components })
  const pointer = version === "2.0" ? "/definitions/Subject" : "/components/schemas/Subject"
  return schemaType(partAt(document, pointer)!, direction)
}

/** Describes the type at a path: `nowhere`, `perhaps`, `unknown`, or its kinds and values. */
export function said(type: ValueType, path: string): string {
  let here = type
  const parsed = parsePath(path === "" ? "$" : path)
  if (!parsed.ok) throw new Error(parsed.message)
  for (const segment of path === "" ? [] : parsed.segments) {
    const step = here.step(segment)
    if (step.leads !== "to") return step.leads
    here = step.type
  }
  if (here.kinds === undefined) return "unknown"
  const values = here.values?.map((value) => JSON.stringify(value)).join(" ")
  return [...here.kinds].sort().join("|") + (values === undefined ? "" : `: ${values}`)
}
