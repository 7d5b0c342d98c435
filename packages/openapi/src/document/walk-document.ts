// Walks every object of a document and of the files it references, each once, without recursion.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownOf,
} from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "./document.ts"
import { escapePointer, textMember } from "./located.ts"
import { methods } from "./operations.ts"
import { schemaKeywords } from "./schema-keywords.ts"

export interface Walked {
  readonly kind: ObjectKind
  readonly value: JsonValue
  /** In the format of `Part.pointer`. */
  readonly pointer: string
}

export interface Visit extends Walked {
  readonly value: JsonObject
}

/** Calls `visit` with every object and also walks the parts that it returns. */
export function walkDocument(document: OpenApiDocument, visit: (object: Visit) => readonly Walked[]): void {
  // By kind, because a file may be referenced both as a schema and as a response.
  const seen = new Map<ObjectKind, Set<JsonObject>>()
  const work: Walked[] = [{ kind: "document", value: document.root, pointer: "" }]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    const { kind, value, pointer } = part
    if (!isJsonObject(value)) continue
    const ofKind = getOrCreate(seen, kind, () => new Set())
    if (ofKind.has(value)) continue
    ofKind.add(value)
    const object = { kind, value, pointer }
    for (const next of [...visit(object), ...innerParts(object, document)]) work.push(next)
  }
}

function* innerParts({ kind, value, pointer }: Visit, document: OpenApiDocument): Generator<Walked> {
  // The siblings of a reference are ignored, except in path items and, from 3.1 on, in schemas.
  const isIgnored = kind !== "pathItem" && (kind !== "schema" || isOldDialect(document))
  if (isIgnored && textMember(value, "$ref") !== undefined) return
  for (const [field, inner] of Object.entries(value)) {
    const known = innerOf(kind, field)
    if (known !== undefined) yield* partsOf(known, inner, `${pointer}/${escapePointer(field)}`)
  }
}

function* partsOf({ kind, as }: Inner, value: JsonValue, pointer: string): Generator<Walked> {
  if (isJsonArray(value)) {
    // Old schemas sometimes have a list in `items`. Any other list that isn't expected contains data.
    if (as !== "list" && kind !== "schema") return
    for (const [index, item] of value.entries()) yield { kind, value: item, pointer: `${pointer}/${index}` }
  } else if (as === "one") yield { kind, value, pointer }
  else if (as !== "list" && isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (as === "paths" && name.startsWith("x-")) continue
      yield { kind, value: item, pointer: `${pointer}/${escapePointer(name)}` }
    }
  }
}

type ObjectKind =
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
  /** May be a reference, and contains nothing else to walk. */
  | "leaf"

interface Inner {
  readonly kind: ObjectKind
  /** `map` has keys that the author chooses. `paths` is such a map, where `x-` starts an extension. */
  readonly as: "one" | "list" | "map" | "paths"
}

type Fields = Readonly<Record<string, Inner>>

const one = (kind: ObjectKind): Inner => ({ kind, as: "one" })
const list = (kind: ObjectKind): Inner => ({ kind, as: "list" })
const map = (kind: ObjectKind): Inner => ({ kind, as: "map" })
const paths = (kind: ObjectKind): Inner => ({ kind, as: "paths" })

const media: Fields = {
  schema: one("schema"),
  itemSchema: one("schema"),
  examples: map("leaf"),
  encoding: map("encoding"),
  itemEncoding: one("encoding"),
  prefixEncoding: list("encoding"),
}

const parameter: Fields = { ...media, items: one("schema"), content: map("media") }

/** The fields to walk in each kind of object: never data (`example`, `enum`, `const`, `default`) or extensions. */
const fieldsOf: Readonly<Record<ObjectKind, Fields>> = {
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
    ...Object.fromEntries([...methods].map((method) => [method, one("operation")])),
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

function innerOf(kind: ObjectKind, field: string): Inner | undefined {
  if (kind === "callback") return field.startsWith("x-") || field === "$ref" ? undefined : expression
  return ownOf(fieldsOf[kind], field)
}

export const mayBeReference = (kind: ObjectKind): boolean =>
  kind !== "document" && kind !== "components" && kind !== "operation" && kind !== "encoding"
