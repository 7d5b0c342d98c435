// Finds the fields of an object that the standard doesn't know, because they are misspelled or from another version.

import { createSuggester, memo, ownOf } from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "../document/document.ts"
import { escapePointer } from "../document/located.ts"
import { messages } from "../document/messages.ts"
import { mayBeReference, type ObjectKind } from "../document/object-kinds.ts"
import { methods } from "../document/operations.ts"
import type { Findings } from "../document/place-findings.ts"
import type { Visit } from "../document/walk-document.ts"
import { isSchemaKeyword } from "../schema/validate/normalize-schema.ts"
import type { FieldNames } from "./meta-schema.ts"

/** Adds a finding for each field that the standard doesn't know. */
export function checkNames({ document, add }: Findings, known: FieldNames, visit: Visit): void {
  const { kind, value, pointer } = visit
  for (const name of Object.keys(value)) {
    if (known.names.has(name) || name.startsWith("x-") || isUnderstood(document, kind, name)) continue
    if (known.patterns.some((pattern) => pattern.test(name))) continue
    const hint = adviceForName(document, kind, name) ?? suggesterOf(known)(name)
    // JSON Schema allows any keyword, so only names that resemble a keyword are mistakes.
    if (known.isOpen && hint === undefined) continue
    const { unknownField } = messages["document-standard"]
    add(`${pointer}/${escapePointer(name)}`, unknownField(document.version, name, hint))
  }
}

const suggesterOf = memo((known: FieldNames) => createSuggester(known.names))

/** Returns whether callsheet understands a field that the standard doesn't define here, or has its own check for it. */
function isUnderstood(document: OpenApiDocument, kind: ObjectKind, name: string): boolean {
  if (name === "$ref")
    return mayBeReference(kind) || kind === "operation" || kind === "paths" || kind === "responses"
  if (kind !== "schema") return false
  return isSchemaKeyword(name) || annotations.has(name) || (name === "nullable" && !isOldDialect(document))
}

/** Keywords of JSON Schema and of other versions that only inform readers. */
const annotations = new Set(
  "$schema $id id $comment $anchor $dynamicAnchor $dynamicRef $recursiveRef $recursiveAnchor $vocabulary $defs definitions dependencies additionalItems title description default example examples deprecated readOnly writeOnly xml externalDocs discriminator contentEncoding contentMediaType contentSchema format".split(
    " ",
  ),
)

/** The fields that other versions of OpenAPI have in the same place. */
const moved: { readonly [K in ObjectKind]?: Readonly<Record<string, string>> } = {
  document: {
    definitions: 'move it to "components": { "schemas": … }',
    host: 'write the base URL in "servers"',
    basePath: 'write the base URL in "servers"',
    schemes: 'write the base URL in "servers"',
    consumes: 'write the media types in "content"',
    produces: 'write the media types in "content"',
    parameters: 'move it to "components"',
    responses: 'move it to "components"',
    securityDefinitions: 'move it to "components": { "securitySchemes": … }',
    components: 'Swagger 2.0 has "definitions", "parameters", "responses" and "securityDefinitions"',
    servers: 'Swagger 2.0 has "host", "basePath" and "schemes"',
    webhooks: "webhooks are new in OpenAPI 3.1",
  },
  operation: {
    consumes: 'write the media types in "requestBody": { "content": … }',
    produces: 'write the media types in "content" of the responses',
    schemes: 'write the base URL in "servers"',
    requestBody: 'Swagger 2.0 has a parameter with "in": "body"',
  },
  body: { schema: 'move it to "content": { "application/json": { "schema": … } }' },
  response: {
    schema: 'move it to "content": { "application/json": { "schema": … } }',
    content: 'Swagger 2.0 has "schema", and the media types in "produces"',
    examples: 'move them to "content"',
  },
}

/** The fields that belong into the schema of a parameter, header or media type. */
const ofSchema = new Set(
  "type format items properties required enum default minimum maximum minLength maxLength pattern allOf anyOf oneOf".split(
    " ",
  ),
)

const holdsSchema: ReadonlySet<ObjectKind> = new Set<ObjectKind>(["parameter", "header", "media"])

function adviceForName({ version }: OpenApiDocument, kind: ObjectKind, name: string): string | undefined {
  if (holdsSchema.has(kind) && version !== "2.0" && ofSchema.has(name)) return 'move it to "schema"'
  if (kind === "schema" && version === "2.0" && name === "nullable") return 'write "x-nullable"'
  if (kind === "pathItem" && methods.has(name.toLowerCase())) return `write "${name.toLowerCase()}"`
  if (kind === "paths") return "paths start with a slash"
  if (kind === "responses")
    return 'statuses are three digits, such as "200", a range such as "2XX", or "default"'
  return ownOf(moved[kind] ?? {}, name)
}
