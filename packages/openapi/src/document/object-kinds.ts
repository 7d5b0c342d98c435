// The objects that OpenAPI documents of all versions are made of, as far as references or schemas stand in them.

import { schemaKeywords } from "./schema-keywords.ts"

export type ObjectKind =
  | "document"
  | "components"
  | "pathItem"
  | "operation"
  | "callback"
  | "parameter"
  | "body"
  | "response"
  | "header"
  | "media"
  | "encoding"
  | "schema"
  /** What may be a reference, and has nothing else in it that is looked at. */
  | "leaf"

export interface Inner {
  readonly kind: ObjectKind
  /** `map`: by names of the author's choice. `paths`: such a map, in which `x-` begins an extension. */
  readonly as: "one" | "list" | "map" | "paths"
}

type Fields = Readonly<Record<string, Inner>>

const one = (kind: ObjectKind): Inner => ({ kind, as: "one" })
const list = (kind: ObjectKind): Inner => ({ kind, as: "list" })
const map = (kind: ObjectKind): Inner => ({ kind, as: "map" })
const paths = (kind: ObjectKind): Inner => ({ kind, as: "paths" })

const each = (names: readonly string[], inner: Inner): Fields =>
  Object.fromEntries(names.map((name) => [name, inner]))

const media: Fields = {
  schema: one("schema"),
  itemSchema: one("schema"),
  examples: map("leaf"),
  encoding: map("encoding"),
  itemEncoding: one("encoding"),
  prefixEncoding: list("encoding"),
}

const parameter: Fields = { ...media, items: one("schema"), content: map("media") }

/** What is looked at in an object of each kind: never data (`example`, `enum`, `const`, `default`), never extensions. */
export const fieldsOf: Readonly<Record<ObjectKind, Fields>> = {
  document: {
    paths: paths("pathItem"),
    webhooks: map("pathItem"),
    components: one("components"),
    definitions: map("schema"),
    parameters: map("parameter"),
    responses: map("response"),
  },
  components: {
    schemas: map("schema"),
    responses: map("response"),
    parameters: map("parameter"),
    examples: map("leaf"),
    requestBodies: map("body"),
    headers: map("header"),
    securitySchemes: map("leaf"),
    links: map("leaf"),
    callbacks: map("callback"),
    pathItems: map("pathItem"),
    mediaTypes: map("media"),
  },
  pathItem: {
    parameters: list("parameter"),
    additionalOperations: map("operation"),
    ...each(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"], one("operation")),
  },
  operation: {
    parameters: list("parameter"),
    requestBody: one("body"),
    responses: paths("response"),
    callbacks: map("callback"),
  },
  // Its fields are expressions: see `innerOf`.
  callback: {},
  parameter,
  header: parameter,
  body: { content: map("media") },
  response: {
    headers: map("header"),
    content: map("media"),
    links: map("leaf"),
    schema: one("schema"),
  },
  media,
  encoding: {
    headers: map("header"),
    encoding: map("encoding"),
    itemEncoding: one("encoding"),
    prefixEncoding: list("encoding"),
  },
  schema: Object.fromEntries(
    Object.entries(schemaKeywords).map(([keyword, { as }]) => [keyword, { kind: "schema", as }]),
  ),
  leaf: {},
}

const expression: Inner = one("pathItem")

/** What stands at a field of an object, where that is looked at. */
export function innerOf(kind: ObjectKind, field: string): Inner | undefined {
  if (kind === "callback") return field.startsWith("x-") || field === "$ref" ? undefined : expression
  return Object.hasOwn(fieldsOf[kind], field) ? fieldsOf[kind][field] : undefined
}

/** Objects instead of which a reference may stand. */
export const mayBeReference = (kind: ObjectKind): boolean =>
  kind !== "document" && kind !== "components" && kind !== "operation" && kind !== "encoding"
