import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isEqual,
  isJsonArray,
  isJsonObject,
  kindOf,
  type JsonObject,
  type JsonValue,
  type ValueType,
} from "@callsheet/format"
import type { OpenApiDocument } from "../../document/document.ts"
import { member, objectMember } from "../../document/located.ts"
import { type Part, WrittenPart } from "../../document/part.ts"
import { readDocument } from "../../document/read-document.ts"
import { describedPart, type Judge } from "../../testing/described-parts.ts"
import { documentOf, type Version } from "../../testing/document-of.ts"
import { chanceOf, disturb, makeValue } from "../../testing/make-value.ts"
import { createSchemaStore } from "../validate/schema-checker.ts"
import { createEvaluator } from "../validate/evaluate-schema.ts"
import { schemaType } from "./schema-type.ts"

interface Walked {
  readonly type: ValueType
  readonly value: JsonValue
  /** The schemas that describe the value and accept it. */
  readonly schemas: readonly Part[]
}

/** Returns the wrong claims of a type about a valid value. */
function falseClaims(judge: Judge, walked: Walked, path = ""): readonly string[] {
  const { type, value, schemas } = walked
  const wrong: string[] = []
  if (type.kinds?.has(kindOf(value)) === false)
    wrong.push(`${path} is ${kindOf(value)}, not ${[...type.kinds].join()}`)
  if (type.values?.some((one) => isEqual(one, value)) === false)
    wrong.push(`${path} is not one of its values`)
  if (isJsonObject(value)) {
    const missing = type.required().filter((name) => !Object.hasOwn(value, name))
    if (missing.length > 0) wrong.push(`${path} has no ${missing.join()}`)
  }
  if (typeof value !== "object" || value === null) return wrong
  for (const [segment, part] of Object.entries(value)) {
    const described = describedPart(judge, { schemas, value }, segment)
    if (described.length === 0) continue
    const step = type.step(segment)
    if (step.leads === "nowhere") wrong.push(`${path}.${segment} doesn't resolve`)
    if (step.leads !== "to") continue
    wrong.push(
      ...falseClaims(judge, { type: step.type, value: part, schemas: described }, `${path}.${segment}`),
    )
  }
  return wrong
}

/** Checks random values that are valid against a schema. */
function examine(
  judge: Judge,
  schema: Part,
  { seed, tries }: { readonly seed: number; readonly tries: number },
) {
  const type = schemaType(schema, "response")
  const chance = chanceOf(seed)
  let valid = 0
  const wrong: string[] = []
  for (let round = 0; round < tries; round++) {
    const made = makeValue(judge.document, schema.value, chance)
    const value = round % 2 === 0 ? made : disturb(made, chance, [...names, ...type.names()])
    if (!judge.holds(schema, value)) continue
    valid++
    const found = falseClaims(judge, { type, value, schemas: [schema] })
    wrong.push(...found.map((untruth) => `${untruth}: ${JSON.stringify(value)}`))
  }
  return { valid, wrong }
}

function judgeOf(document: OpenApiDocument): Judge {
  const normalizedOf = createSchemaStore("response")
  const evaluator = createEvaluator({ left: Infinity })
  const holds = (schema: Part, value: JsonValue): boolean => {
    try {
      return evaluator.isValid(normalizedOf(schema), value)
    } catch (error) {
      // V8 throws one of these at the end of its stack: a schema that includes itself accepts nothing.
      if (error instanceof RangeError || error instanceof TypeError) return false
      throw error
    }
  }
  return { document, holds }
}

const names = ["a", "b", "c", "d", "x-a"]

/** Removes patterns, which don't affect types and for which texts are hard to generate. */
const withoutPatterns = (value: JsonValue): JsonValue =>
  isJsonArray(value)
    ? value.map(withoutPatterns)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, inner]) =>
            key === "pattern" && typeof inner === "string" ? [] : [[key, withoutPatterns(inner)]],
          ),
        )
      : value

describe("types of real-world documents", () => {
  const folder = fileURLToPath(new URL("../../../../../", import.meta.url))
  it.each([
    "examples/shop/apis/shop/openapi.json",
    "examples/shop/apis/payments/openapi.yaml",
    "tests/endurance/corpus/apis/store/openapi.json",
  ])("make no false claim about valid values: %s", async (file) => {
    const { document } = await readDocument({ file, text: readFileSync(folder + file, "utf8") })
    const plain = { ...document!, root: withoutPatterns(document!.root) as JsonObject }
    const judge = judgeOf(plain)
    const schemas = objectMember(member(plain.root, "components"), "schemas") ?? {}
    let valid = 0
    for (const [name, value] of Object.entries(schemas)) {
      const outcome = examine(judge, new WrittenPart(judge.document, value, `/components/schemas/${name}`), {
        seed: 7,
        tries: 40,
      })
      expect(outcome.wrong, name).toEqual([])
      if (outcome.valid > 0) valid++
    }
    expect(valid).toBeGreaterThan(Object.keys(schemas).length * 0.8)
  })
})

const schemaNames = ["S0", "S1", "S2"]

/** Generates schemas that have a `type`, as most do in documents. */
function schemaArbitrary(version: Version): fc.Arbitrary<JsonObject> {
  const isNew = version !== "3.0"
  const name = fc.constantFrom(...names)
  const { schema } = fc.letrec<Record<"schema" | "object" | "joined", JsonObject>>((tie) => {
    const scalar = fc.constantFrom<JsonObject>(
      { type: "string" },
      { type: "integer" },
      { type: "boolean" },
      { type: "string", enum: ["a", "text"] },
      { enum: [1, "a"] },
      {},
      isNew ? { type: ["string", "null"] } : { type: "string", nullable: true },
      isNew ? { const: "a" } : { enum: ["a"] },
    )
    const reference = fc.constantFrom(...schemaNames).map((to) => ({ $ref: `#/components/schemas/${to}` }))
    const further = fc.option(fc.oneof(fc.boolean(), tie("schema")), { nil: undefined })
    const part = (keyword: string, value: JsonValue | undefined): JsonObject =>
      value === undefined ? {} : { [keyword]: value }
    const objectOf = (pattern: fc.Arbitrary<JsonObject | undefined>) =>
      fc
        .record({
          properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          further,
          pattern,
        })
        .map(({ properties, required, further: more, pattern: matched }) => ({
          type: "object",
          properties: properties as JsonObject,
          required: required.filter((one) => Object.hasOwn(properties, one)),
          ...part("additionalProperties", more),
          ...part("patternProperties", matched === undefined ? undefined : { "^x-": matched }),
        }))
    const object = objectOf(isNew ? fc.option(tie("schema"), { nil: undefined }) : fc.constant(undefined))
    const array = fc
      .tuple(tie("schema"), fc.array(tie("schema"), { maxLength: isNew ? 2 : 0 }))
      .map(([items, prefixItems]) => ({
        type: "array",
        items,
        ...part("prefixItems", prefixItems.length === 0 ? undefined : prefixItems),
      }))
    const joined = fc
      .tuple(
        fc.constantFrom("allOf", "oneOf", "anyOf"),
        fc.array(fc.oneof(tie("object"), tie("schema")), { minLength: 1, maxLength: 3 }),
        fc.oneof(fc.constant({}), object),
      )
      .map(([keyword, list, own]) => ({ ...own, [keyword]: list }))
    const conditional = fc
      .tuple(tie("object"), tie("object"), object)
      .map(([condition, then, own]) => ({ ...own, if: condition, then }))
    const kinds = [scalar, reference, tie("object"), array, tie("joined")]
    return {
      schema: fc.oneof({ depthSize: "small" }, ...kinds, ...(isNew ? [conditional] : [])),
      object,
      joined,
    }
  })
  return schema
}

describe.each<Version>(["3.0", "3.1"])("types of arbitrary schemas of %s", (version) => {
  it("make no false claim about valid values", async () => {
    let valid = 0
    const schema = schemaArbitrary(version)
    await fc.assert(
      fc.asyncProperty(fc.tuple(schema, schema, schema), fc.nat(), async (list, seed) => {
        const schemas = Object.fromEntries(schemaNames.map((one, at) => [one, list[at]!]))
        const judge = judgeOf(await documentOf({ version, components: { schemas } }))
        for (const [name, value] of Object.entries(schemas)) {
          const outcome = examine(
            judge,
            new WrittenPart(judge.document, value, `/components/schemas/${name}`),
            { seed, tries: 10 },
          )
          valid += outcome.valid
          expect(outcome.wrong, `${name} of ${JSON.stringify(schemas)}`).toEqual([])
        }
      }),
      { numRuns: 60, seed: 20_261_121 },
    )
    expect(valid).toBeGreaterThan(200)
  })
})
