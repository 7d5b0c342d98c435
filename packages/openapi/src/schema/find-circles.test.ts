import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { complaintsOfBody } from "../testing/judge.ts"
import { componentsOf, problemsIn } from "../testing/problems-in.ts"
import { addInclusions, findCircles, type InclusionGraph } from "./find-circles.ts"

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const circles: readonly (readonly [what: string, schemas: JsonObject, names: string])[] = [
  ["allOf of two", { A: { allOf: [to("B")] }, B: { allOf: [to("A")] } }, "→"],
  ["allOf of itself", { A: { type: "object", allOf: [to("A")] } }, "A → A"],
  ["three", { A: { allOf: [to("B")] }, B: { allOf: [to("C")] }, C: { allOf: [to("A")] } }, "→"],
  ["a reference and allOf", { A: to("B"), B: { allOf: [to("A")] } }, "→"],
  [
    "oneOf and the base of a branch",
    { A: { oneOf: [to("B")] }, B: { allOf: [to("A"), { required: ["x"] }] } },
    "→",
  ],
  ["anyOf of itself", { A: { anyOf: [{ type: "string" }, to("A")] } }, "A → A"],
  ["not", { A: { not: to("A") } }, "A → A"],
  ["allOf inside allOf", { A: { allOf: [{ allOf: [to("A")] }] } }, "A → A"],
]

describe("a schema that includes itself", () => {
  it.each(circles)("by %s is a warning that names the circle", async (_, schemas, names) => {
    for (const version of ["3.0.3", "3.1.0"]) {
      const said = await problemsIn(componentsOf(schemas, version), {}, "a.json")
      expect(said).toHaveLength(1)
      expect(said[0]).toMatch(/^warning: a\.json:\d+:\d+: .*includes itself without end/)
      expect(said[0]).toContain(names)
    }
  })

  it.each(circles)("by %s is the reason why a response is not checked", async (_, schemas, names) => {
    const response = { properties: { item: { type: "array", items: to("A") } } }
    const [said, ...others] = await complaintsOfBody(
      { schema: response, components: { schemas } },
      { item: [{}] },
    )
    expect(said).toContain("the schema includes itself without end")
    expect(said).toContain(names)
    expect(others).toEqual([])
  })

  it("may do so for its parts", async () => {
    const Tree = {
      properties: { left: to("Tree"), more: { type: "array", items: to("Tree") } },
      additionalProperties: { allOf: [to("Tree")] },
    }
    const Pet = { properties: { kind: {}, friend: to("Cat") } }
    const Cat = { allOf: [to("Pet"), { properties: { enemy: to("Pet") } }] }
    expect(await problemsIn(componentsOf({ Tree, Pet, Cat }))).toEqual([])
  })

  it("through another file is named by the file that closes the circle", async () => {
    const files = { "apis/shop/b.yaml": "allOf:\n  - $ref: openapi.json#/components/schemas/A\n" }
    const said = await problemsIn(
      componentsOf({ A: { allOf: [{ $ref: "b.yaml" }] } }),
      files,
      "apis/shop/openapi.json",
    )
    expect(said).toHaveLength(1)
    expect(said[0]).toContain("includes itself without end")
  })

  it("is found in a chain of 20,000 schemas without a stack overflow", async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `S${index}`,
        { allOf: [to(`S${(index + 1) % 20_000}`)] },
      ]),
    )
    const said = await problemsIn(componentsOf(chain), {}, "a.json")
    expect(said).toHaveLength(1)
    expect(said[0]?.length).toBeLessThan(500)
  })
})

/** Returns the graph of a chain of schemas that all include the first one, too. */
function chainOf(length: number): InclusionGraph {
  const schemas = Array.from({ length }, (): Record<"allOf", JsonObject[]> => ({ allOf: [] }))
  const graph: InclusionGraph = new Map()
  for (const [index, schema] of schemas.entries()) {
    for (const target of [schemas[0], schemas[index + 1]]) if (target !== undefined) schema.allOf.push(target)
    addInclusions(graph, { value: schema, pointer: `/components/schemas/S${index}` }, undefined)
  }
  return graph
}

describe("findCircles", () => {
  it("takes linear time for thousands of circles with one long path", () => {
    const [first, second, ...others] = [...findCircles(chainOf(30_000))].map(({ names }) => names.join(" "))
    expect([first, second]).toEqual(["S0 S0", "S0 S1 S0"])
    expect(others).toHaveLength(29_998)
  })
})
