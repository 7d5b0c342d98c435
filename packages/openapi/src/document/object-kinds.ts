// The kinds of objects in a document, and where each kind contains others. Never data (`example`, `enum`, `const`,
// `default`) or extensions.

import { ownOf } from "@callsheet/format"
import { methods } from "./operations.ts"
import { schemaKeywords } from "./schema-keywords.ts"

export type ObjectKind =
  | "document"
  | "components"
  | "paths"
  | "pathItem"
  | "operation"
  | "callback"
  | "parameter"
  /** The items of a parameter or header in 2.0. */
  | "item"
  | "body"
  | "responses"
  | "response"
  | "header"
  | "media"
  | "encoding"
  | "schema"
  | "discriminator"
  | "securityScheme"
  | "server"
  | "serverVariable"
  | "example"
  | "link"

export interface Inner {
  readonly kind: ObjectKind
  /** The structure of the field. The author chooses the keys of a `map`. */
  readonly as: "one" | "list" | "map"
}

type Fields = Readonly<Record<string, Inner>>

const one = (kind: ObjectKind): Inner => ({ kind, as: "one" })
const list = (kind: ObjectKind): Inner => ({ kind, as: "list" })
const map = (kind: ObjectKind): Inner => ({ kind, as: "map" })

const media: Fields = {
  schema: one("schema"),
  itemSchema: one("schema"),
  examples: map("example"),
  encoding: map("encoding"),
  itemEncoding: one("encoding"),
  prefixEncoding: list("encoding"),
}

const parameter: Fields = { ...media, items: one("item"), content: map("media") }

const fieldsOf: Readonly<Record<ObjectKind, Fields>> = {
  document: {
    servers: list("server"),
    paths: one("paths"),
    webhooks: map("pathItem"),
    components: one("components"),
    definitions: map("schema"),
    parameters: map("parameter"),
    responses: map("response"),
    securityDefinitions: map("securityScheme"),
  },
  components: {
    schemas: map("schema"),
    responses: map("response"),
    parameters: map("parameter"),
    examples: map("example"),
    requestBodies: map("body"),
    headers: map("header"),
    securitySchemes: map("securityScheme"),
    links: map("link"),
    callbacks: map("callback"),
    pathItems: map("pathItem"),
    mediaTypes: map("media"),
  },
  // The keys of these three are paths, expressions and statuses. See `innerOf`.
  paths: {},
  callback: {},
  responses: {},
  pathItem: {
    servers: list("server"),
    parameters: list("parameter"),
    additionalOperations: map("operation"),
    ...Object.fromEntries([...methods].map((method) => [method, one("operation")])),
  },
  operation: {
    servers: list("server"),
    parameters: list("parameter"),
    requestBody: one("body"),
    responses: one("responses"),
    callbacks: map("callback"),
  },
  parameter,
  item: { items: one("item") },
  header: parameter,
  body: { content: map("media") },
  response: {
    headers: map("header"),
    content: map("media"),
    links: map("link"),
    schema: one("schema"),
  },
  media,
  encoding: {
    headers: map("header"),
    encoding: map("encoding"),
    itemEncoding: one("encoding"),
    prefixEncoding: list("encoding"),
  },
  schema: {
    ...Object.fromEntries(
      Object.entries(schemaKeywords).map(([keyword, { as }]) => [keyword, { kind: "schema", as } as const]),
    ),
    discriminator: one("discriminator"),
  },
  discriminator: {},
  securityScheme: {},
  server: { variables: map("serverVariable") },
  serverVariable: {},
  example: {},
  link: { server: one("server") },
}

/** The kinds of objects whose fields all have names that the author chooses. */
const namedFields: Partial<Readonly<Record<ObjectKind, Inner>>> = {
  paths: one("pathItem"),
  callback: one("pathItem"),
  responses: one("response"),
}

/** Returns what a field contains. Undefined if it contains data, an extension or the address of a reference. */
export function innerOf(kind: ObjectKind, field: string): Inner | undefined {
  const inner = namedFields[kind]
  if (inner === undefined) return ownOf(fieldsOf[kind], field)
  return field.startsWith("x-") || field === "$ref" ? undefined : inner
}

const neverReferences: ReadonlySet<ObjectKind> = new Set([
  "document",
  "components",
  "paths",
  "operation",
  "responses",
  "encoding",
  "item",
  "discriminator",
  "server",
  "serverVariable",
])

/** Returns whether a reference may replace an object of this kind. */
export const mayBeReference = (kind: ObjectKind): boolean => !neverReferences.has(kind)
