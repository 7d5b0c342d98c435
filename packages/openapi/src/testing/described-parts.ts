// For tests: which schemas describe a part of a valid value, found by asking ajv of each branch whether it holds.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { dereference, type OpenApiDocument } from "../document/document.ts"
import { inside, listMember, type Located, member, objectMember } from "../document/located.ts"

export interface Judge {
  readonly document: OpenApiDocument
  /** Whether a value is valid. */
  readonly holds: (schema: Located, value: JsonValue) => boolean
}

/** The schema and all that speak of the same value and hold for it. */
function holding(judge: Judge, schema: Located, value: JsonValue): readonly Located[] {
  const found = new Map<string, Located>()
  const work: (Located | undefined)[] = [schema]
  for (let next = work.pop(); work.length > 0 || next !== undefined; next = work.pop()) {
    const here = next === undefined ? undefined : dereference(judge.document, next)
    if (here === undefined || found.has(here.pointer) || !isJsonObject(here.value)) continue
    found.set(here.pointer, here)
    const list = (keyword: string) =>
      listMember(here.value, keyword).map((_, index) => inside(here, keyword, index)!)
    work.push(...list("allOf"))
    work.push(...[...list("oneOf"), ...list("anyOf")].filter((branch) => judge.holds(branch, value)))
    const condition = inside(here, "if")
    if (condition === undefined) continue
    if (judge.holds(condition, value)) work.push(condition, inside(here, "then"))
    else work.push(inside(here, "else"))
  }
  return [...found.values()]
}

/** The schemas that describe one part of a valid value; none where it is an additional one. */
export function describedPart(
  judge: Judge,
  { schemas, value }: { readonly schemas: readonly Located[]; readonly value: JsonValue },
  segment: string,
): readonly Located[] {
  const applied = schemas.flatMap((schema) => holding(judge, schema, value))
  return applied.flatMap((schema) =>
    (isJsonObject(value) ? ofProperty(schema, segment) : ofItem(schema, Number(segment))).filter(
      (part) => part !== undefined,
    ),
  )
}

function ofProperty(schema: Located, name: string): readonly (Located | undefined)[] {
  const patterns = Object.keys(objectMember(schema.value, "patternProperties") ?? {})
  const named = [
    ...(member(objectMember(schema.value, "properties"), name) === undefined
      ? []
      : [inside(schema, "properties", name)]),
    ...patterns
      .filter((pattern) => new RegExp(pattern, "u").test(name))
      .map((pattern) => inside(schema, "patternProperties", pattern)),
  ]
  if (named.length > 0) return named
  const further = member(schema.value, "additionalProperties")
  return isJsonObject(further) && saysSomething(further) ? [inside(schema, "additionalProperties")] : []
}

const saysSomething = (schema: JsonObject): boolean => Object.keys(schema).length > 0

function ofItem(schema: Located, index: number): readonly (Located | undefined)[] {
  const first = listMember(schema.value, "prefixItems")
  return index < first.length ? [inside(schema, "prefixItems", index)] : [inside(schema, "items")]
}
