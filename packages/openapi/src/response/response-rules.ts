// Lists the places of a response that its contract judges, with the rules that judge them: what a violation can name.

import { ANY_KEY, escapeKey, isJsonObject } from "@callsheet/format"
import { readPartName } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { responseContract } from "./response-contract.ts"

export interface ResponseRule {
  /** A pointer into the response, with `*` for every index. */
  readonly path: string
  /** The document's file that contains the rule. */
  readonly file: string
  /** The pointer to the keyword in that file. */
  readonly pointer: string
}

/** The most rules that are listed, because schemas may contain themselves. */
const MAX_RULES = 1_000

/** The keywords that a value can violate itself. Others apply further schemas. */
const judging: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "not",
  "oneOf",
  "anyOf",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "required",
  "dependentRequired",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "additionalProperties",
  "unevaluatedProperties",
  "additionalItems",
  "unevaluatedItems",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
])

interface Judged {
  readonly path: string
  readonly schema: Part
}

/** Returns the rules for a response with a status. Empty if the status isn't documented. */
export function responseRules(operation: Operation, status: number): readonly ResponseRule[] {
  const contract = responseContract(operation, status)
  if (contract.status !== "found") return []
  const work: Judged[] = [
    ...contract.content.flatMap(({ schema }) => (schema === undefined ? [] : [{ path: "/body", schema }])),
    ...contract.headers.flatMap(({ path, judged }) =>
      judged === undefined ? [] : [{ path, schema: judged.schema }],
    ),
  ]
  const found: ResponseRule[] = []
  // This loop also visits the schemas that it adds, those near the root first.
  for (const { path, schema } of work) {
    if (found.length >= MAX_RULES || work.length >= MAX_RULES) break
    const target = schema.dereference()
    if (target === undefined) continue
    found.push(...rulesOf(path, target))
    work.push(...innerSchemas(path, target))
  }
  return found
}

function rulesOf(path: string, schema: Part): readonly ResponseRule[] {
  const { file = schema.document.source.file, pointer } = readPartName(schema.pointer)
  const keywords = isJsonObject(schema.value) ? Object.keys(schema.value) : []
  return keywords
    .filter((name) => judging.has(name))
    .flatMap((name) =>
      judgedBy(name, { path, schema }).map((at) => ({ path: at, file, pointer: `${pointer}/${name}` })),
    )
}

/** A missing property is a violation at the property's path. */
const judgedBy = (keyword: string, { path, schema }: Judged): readonly string[] =>
  keyword === "required"
    ? schema.list(keyword).flatMap((name) => (typeof name === "string" ? [`${path}/${escapeKey(name)}`] : []))
    : [path]

const innerSchemas = (path: string, schema: Part): readonly Judged[] => [
  ...["allOf", "oneOf", "anyOf"]
    .flatMap((keyword) => schema.items(keyword))
    .map((part) => ({ path, schema: part })),
  ...schema
    .entries("properties")
    .map(([name, part]) => ({ path: `${path}/${escapeKey(name)}`, schema: part })),
  ...[...schema.items("prefixItems"), ...[schema.inside("items") ?? []].flat()].map((part) => ({
    path: `${path}/${ANY_KEY}`,
    schema: part,
  })),
]
