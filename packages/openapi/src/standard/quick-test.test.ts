import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import type { OpenApiVersion } from "../document/document.ts"
import type { ObjectKind } from "../document/object-kinds.ts"
import { createValidator } from "../schema/validate/validator.ts"
import { loadMetaSchema } from "./meta-schema.ts"

const value = fc.constantFrom<JsonValue>(
  "string",
  "query",
  "path",
  "header",
  "http",
  "apiKey",
  "oauth2",
  "form",
  "simple",
  "true",
  "",
  "body",
  "array",
  true,
  false,
  null,
  0,
  1,
  -1,
  1.5,
  5,
  [],
  ["a"],
  [1],
  {},
  { a: 1 },
  { a: {} },
  { $ref: "#/x" },
  { url: "/" },
  ["a", {}],
  { password: { tokenUrl: "u", scopes: {} } },
  { implicit: {} },
  [{ a: [] }],
  [{ a: "x" }],
)

const versions: readonly OpenApiVersion[] = ["2.0", "3.0", "3.1", "3.2"]

const kinds: readonly ObjectKind[] = [
  "document",
  "components",
  "paths",
  "pathItem",
  "operation",
  "callback",
  "parameter",
  "item",
  "body",
  "responses",
  "response",
  "header",
  "media",
  "encoding",
  "schema",
  "discriminator",
  "securityScheme",
  "server",
  "serverVariable",
  "example",
  "link",
]

describe.each(versions)("the quick test of the standard %s", (version) => {
  it.each(kinds)("agrees with ajv about every %s", async (kind) => {
    const meta = await loadMetaSchema(version)
    const schema = meta.schemaOfKind(kind)
    if (schema === undefined) return
    const names = [...(meta.fieldsOf(kind)?.names ?? []), "200", "default", "/x", "x-a", "get", "$ref"]
    const budget = { left: 0 }
    const { validate } = createValidator({ isSearching: false, schemaOf: meta.schemaOf, budget })
    let refused = 0
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), (object) => {
        budget.left = 1_000_000
        const isAllowed = validate(schema, object).length === 0
        expect(meta.allows(kind, object as JsonObject)).toBe(isAllowed)
        if (!isAllowed) refused++
      }),
      { numRuns: 300, seed: 1 },
    )
    if (kind !== "callback" && kind !== "example" && kind !== "link") expect(refused).toBeGreaterThan(0)
  })
})
