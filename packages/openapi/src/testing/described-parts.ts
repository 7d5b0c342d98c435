// For tests: finds the schemas that describe a part of a valid value. Asks the checker which branches accept the value.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import type { Part } from "../document/part.ts"

export interface Judge {
  readonly document: OpenApiDocument
  readonly holds: (schema: Part, value: JsonValue) => boolean
}

/** Returns the schema and all schemas of the same value that it satisfies. */
function acceptingSchemas(judge: Judge, schema: Part, value: JsonValue): readonly Part[] {
  const found = new Map<string, Part>()
  const work: (Part | undefined)[] = [schema]
  for (let next = work.pop(); work.length > 0 || next !== undefined; next = work.pop()) {
    const here = next === undefined ? undefined : next.dereference()
    if (here === undefined || found.has(here.pointer) || !isJsonObject(here.value)) continue
    found.set(here.pointer, here)
    work.push(...here.items("allOf"))
    work.push(
      ...[...here.items("oneOf"), ...here.items("anyOf")].filter((branch) => judge.holds(branch, value)),
    )
    const condition = here.inside("if")
    if (condition === undefined) continue
    if (judge.holds(condition, value)) work.push(condition, here.inside("then"))
    else work.push(here.inside("else"))
  }
  return [...found.values()]
}

/** Returns the schemas of one part of a valid value. Empty for an additional part. */
export function describedPart(
  judge: Judge,
  { schemas, value }: { readonly schemas: readonly Part[]; readonly value: JsonValue },
  segment: string,
): readonly Part[] {
  const applied = schemas.flatMap((schema) => acceptingSchemas(judge, schema, value))
  return applied.flatMap((schema) =>
    (isJsonObject(value) ? ofProperty(schema, segment) : ofItem(schema, Number(segment))).filter(
      (part) => part !== undefined,
    ),
  )
}

function ofProperty(schema: Part, name: string): readonly (Part | undefined)[] {
  const patterns = Object.keys(schema.object("patternProperties") ?? {})
  const named = [
    ...(schema.inside("properties", name) === undefined ? [] : [schema.inside("properties", name)]),
    ...patterns
      .filter((pattern) => new RegExp(pattern, "u").test(name))
      .map((pattern) => schema.inside("patternProperties", pattern)),
  ]
  if (named.length > 0) return named
  const further = schema.member("additionalProperties")
  return isJsonObject(further) && isNotEmpty(further) ? [schema.inside("additionalProperties")] : []
}

const isNotEmpty = (schema: JsonObject): boolean => Object.keys(schema).length > 0

function ofItem(schema: Part, index: number): readonly (Part | undefined)[] {
  const first = schema.list("prefixItems")
  return index < first.length ? [schema.inside("prefixItems", index)] : [schema.inside("items")]
}
