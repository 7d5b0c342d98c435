// The keywords that contain schemas, and what those describe. Every walk over schemas uses this table.

export interface SchemaKeyword {
  /** `map` has keys that the author chooses. */
  readonly as: "one" | "list" | "map"
  /** `value`: the value itself. `case`: the value in some cases. `part`: a part of it. `nothing`: only what references it. */
  readonly describes: "value" | "case" | "part" | "nothing"
  /** Known only to drafts before 2019-09: values are not checked against it. */
  readonly isOld?: true
}

const entry = (as: SchemaKeyword["as"], describes: SchemaKeyword["describes"]): SchemaKeyword => ({
  as,
  describes,
})

export const schemaKeywords: Readonly<Record<string, SchemaKeyword>> = {
  allOf: entry("list", "value"),
  anyOf: entry("list", "case"),
  oneOf: entry("list", "case"),
  not: entry("one", "case"),
  if: entry("one", "case"),
  then: entry("one", "case"),
  else: entry("one", "case"),
  dependentSchemas: entry("map", "case"),
  dependencies: { ...entry("map", "case"), isOld: true },
  properties: entry("map", "part"),
  patternProperties: entry("map", "part"),
  additionalProperties: entry("one", "part"),
  unevaluatedProperties: entry("one", "part"),
  propertyNames: entry("one", "part"),
  items: entry("one", "part"),
  prefixItems: entry("list", "part"),
  additionalItems: { ...entry("one", "part"), isOld: true },
  contains: entry("one", "part"),
  unevaluatedItems: entry("one", "part"),
  contentSchema: entry("one", "nothing"),
  $defs: entry("map", "nothing"),
  definitions: entry("map", "nothing"),
}
