import { arrayType, objectType, scalarType, type ValueType } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { noSecrets } from "../secrets/secrets-masker.ts"
import { scriptTypesView } from "./read-script-types.ts"

const text = scalarType("string")
const wide = (fields: number): ValueType =>
  objectType(Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, text])))
const call = { context: "AssertContext", block: "check", script: "a", exportName: "b", names: ["x"] } as const
const viewOf = (names: ReadonlyMap<string, ValueType>, calls = [call]) =>
  scriptTypesView(
    {
      names,
      calls,
      inputs: new Map([["sku", text]]),
      environments: new Map([["shop", new Map([["url", text]])]]),
    },
    noSecrets,
  )

describe("what scripts can read, as sent to the page", () => {
  it("is a tree of fields, with inputs, variables and calls", () => {
    const view = viewOf(new Map([["list", arrayType(objectType({ id: text }))]]))
    expect(view).toMatchObject({
      names: [{ name: "list", kinds: ["array"], items: { fields: [{ name: "id", words: "string" }] } }],
      inputs: [{ name: "sku", words: "string" }],
      environments: [{ name: "shop", fields: [{ name: "url" }] }],
      calls: [call],
    })
  })

  it("is bounded, with a share for each name", () => {
    const { names, calls } = viewOf(
      new Map([
        ["a", wide(15_000)],
        ["b", wide(15_000)],
        ["c", wide(3)],
      ]),
      Array.from({ length: 5_000 }, () => call),
    )
    expect(names.map(({ fields = [], isCut = false }) => [fields.length, isCut])).toEqual([
      [6666, true],
      [6666, true],
      [3, false],
    ])
    expect(calls).toHaveLength(2_000)
  })

  it("is empty if the workflow cannot be read", () => {
    expect(scriptTypesView(undefined, noSecrets)).toEqual({
      names: [],
      inputs: [],
      environments: [],
      calls: [],
    })
  })
})
