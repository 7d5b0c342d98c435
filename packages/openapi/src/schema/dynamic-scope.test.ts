import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { complaintsOfBody } from "../testing/judge.ts"

const judged = (schemas: JsonObject, name: string, body: JsonValue) =>
  complaintsOfBody(
    { version: "3.1", schema: { $ref: `#/components/schemas/${name}` }, components: { schemas } },
    body,
  )

const notText = `/body/items/0: expected a string, received a number: 1`
const items = { type: "array", items: { $dynamicRef: "#item" } }

describe.each([
  ["with addresses", (name: string) => ({ $id: `https://example.com/${name}` }), "List"],
  ["without addresses", () => ({}), "#/components/schemas/List"],
])("$dynamicRef in templates %s", (_, names, list) => {
  const schemas = {
    List: { ...names("List"), properties: { items }, $defs: { item: { $dynamicAnchor: "item" } } },
    Texts: {
      ...names("Texts"),
      $ref: list,
      $defs: { item: { $dynamicAnchor: "item", type: "string" } },
    },
    Numbers: {
      ...names("Numbers"),
      $ref: list,
      $defs: { item: { $dynamicAnchor: "item", type: "number" } },
    },
  }

  it("resolves in the schema that refers to the template", async () => {
    expect(await judged(schemas, "Texts", { items: [1] })).toEqual([notText])
    expect(await judged(schemas, "Texts", { items: ["a"] })).toEqual([])
    expect(await judged(schemas, "Numbers", { items: [1] })).toEqual([])
    expect(await judged(schemas, "List", { items: [1, "a"] })).toEqual([])
  })

  it("may resolve differently on two paths in one value", async () => {
    const both = {
      ...schemas,
      Both: {
        properties: {
          texts: { $ref: "#/components/schemas/Texts" },
          numbers: { $ref: "#/components/schemas/Numbers" },
        },
      },
    }
    expect(await judged(both, "Both", { texts: { items: ["a"] }, numbers: { items: ["a"] } })).toEqual([
      `/body/numbers/items/0: expected a number, received a string: "a"`,
    ])
  })
})

describe("$dynamicRef", () => {
  it("keeps a tree strict at every level if a strict schema refers to it", async () => {
    const schemas = {
      Tree: {
        $id: "https://example.com/tree",
        $dynamicAnchor: "node",
        properties: { data: true, children: { items: { $dynamicRef: "#node" } } },
      },
      Strict: {
        $id: "https://example.com/strict",
        $dynamicAnchor: "node",
        $ref: "tree",
        unevaluatedProperties: false,
      },
    }
    const body = { children: [{ children: [{ daat: 1 }] }] }
    expect(await judged(schemas, "Strict", body)).toEqual([
      "/body/children/0/children/0/daat: unexpected property; the schema doesn't define it",
    ])
    expect(await judged(schemas, "Tree", body)).toEqual([])
  })

  it("is a plain reference if its first target has a plain anchor, or if it is not a name", async () => {
    const plain = (reference: string) => ({
      List: {
        $id: "https://example.com/list",
        items: { $dynamicRef: reference },
        $defs: { item: { $anchor: "item" } },
      },
      Texts: {
        $id: "https://example.com/texts",
        $ref: "list",
        $defs: { item: { $dynamicAnchor: "item", type: "string" } },
      },
    })
    expect(await judged(plain("#item"), "Texts", [1])).toEqual([])
    expect(await judged(plain("#/$defs/item"), "Texts", [1])).toEqual([])
  })

  it("applies together with a $ref next to it", async () => {
    const schemas = {
      Both: {
        $ref: "#/components/schemas/Text",
        $dynamicRef: "#short",
        $defs: { short: { $dynamicAnchor: "short", maxLength: 1 } },
      },
      Text: { type: "string" },
    }
    expect(await judged(schemas, "Both", 1)).toEqual(["/body: expected a string, received a number: 1"])
    expect(await judged(schemas, "Both", "ab")).toEqual([
      `/body: expected 1 character or less, received "ab"`,
    ])
  })

  it("that doesn't resolve is reported when a value reaches it", async () => {
    const [complaint] = await judged({ A: { items: { $dynamicRef: "#gone" } } }, "A", [1])
    expect(complaint).toContain(`/body/0: the document's own reference "#gone"`)
  })
})
