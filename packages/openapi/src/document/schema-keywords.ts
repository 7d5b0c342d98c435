// The keywords that contain schemas, and which values those schemas describe. Every walk over schemas uses this table.

export interface SchemaKeyword {
  /** The structure of the keyword's value. The author chooses the keys of a `map`. */
  readonly as: "one" | "list" | "map"
  /**
   * The subject of the inner schemas: the same value, the same value in some cases, a part of the value, or nothing.
   */
  readonly describes: "value" | "case" | "part" | "nothing"
  /** True for a keyword of drafts before 2019-09. Values aren't validated against its schemas. */
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
