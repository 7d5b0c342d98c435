import { describe, expect, it } from "vitest"
import type { JsonValue } from "../json/value.ts"
import {
  arrayType,
  kindOf,
  literalType,
  objectType,
  scalarType,
  unionType,
  uniteSteps,
  unknownType,
  type ValueType,
} from "./value-type.ts"

/** Returns the type after a step that resolves. */
function behind(type: ValueType, segment: string): ValueType {
  const step = type.step(segment)
  if (step.leads !== "to") throw new Error(`${segment} leads ${step.leads}`)
  return step.type
}

const leads = (type: ValueType, segment: string): string => type.step(segment).leads

describe("types of one kind", () => {
  it("knows nothing about the content of unknown", () => {
    expect(unknownType.kinds).toBeUndefined()
    expect(behind(unknownType, "a").kinds).toBeUndefined()
    expect(unknownType.names()).toEqual([])
  })

  it("finds nothing in a scalar", () => {
    expect(leads(scalarType("string", "null"), "length")).toBe("nowhere")
    expect([...scalarType("string", "null").kinds!]).toEqual(["string", "null"])
  })

  it("accepts only an index as a step into an array", () => {
    const type = arrayType(scalarType("number"))
    expect(behind(type, "12").kinds).toEqual(new Set(["number"]))
    expect(["01", "-1", "length", ""].map((segment) => leads(type, segment))).toEqual(
      Array(4).fill("nowhere"),
    )
  })

  it("knows only own properties", () => {
    const type = objectType({ a: scalarType("string") })
    expect(leads(type, "a")).toBe("to")
    expect([leads(type, "b"), leads(type, "constructor"), leads(type, "__proto__")]).toEqual(
      Array(3).fill("nowhere"),
    )
    expect([type.names(), type.required()]).toEqual([["a"], ["a"]])
  })
})

describe("literals", () => {
  it.each<[value: JsonValue, kind: string]>([
    [null, "null"],
    [true, "boolean"],
    [1.5, "number"],
    [9007199254740993n, "number"],
    ["", "string"],
    [[], "array"],
    [{}, "object"],
  ])("names the kind of %o", (value, kind) => {
    expect(kindOf(value)).toBe(kind)
    expect(literalType(value).kinds).toEqual(new Set([kind]))
    expect(literalType(value).values).toEqual([value])
  })

  it("steps into their members and no further", () => {
    const type = literalType({ a: [{ b: null }] })
    expect(behind(behind(behind(type, "a"), "0"), "b").values).toEqual([null])
    expect(leads(behind(type, "a"), "1")).toBe("nowhere")
    expect(leads(type, "c")).toBe("nowhere")
    expect(leads(literalType("text"), "0")).toBe("nowhere")
  })
})

describe("one of several types", () => {
  const left = objectType({ a: scalarType("string"), id: scalarType("number") })
  const right = objectType({ b: scalarType("null"), id: scalarType("string") })

  it("is of every one of their kinds", () => {
    expect(unionType([scalarType("string"), left]).kinds).toEqual(new Set(["string", "object"]))
    expect(unionType([left, unknownType]).kinds).toBeUndefined()
    expect(unionType([])).toBe(unknownType)
    expect(unionType([left, left])).toBe(left)
  })

  it("has the values of all if all have some", () => {
    expect(unionType([literalType("a"), literalType(1)]).values).toEqual(["a", 1])
    expect(unionType([literalType("a"), scalarType("string")]).values).toBeUndefined()
  })

  it("accepts a step if any of them does", () => {
    const type = unionType([left, right])
    expect(behind(type, "a").kinds).toEqual(new Set(["string"]))
    expect(behind(type, "id").kinds).toEqual(new Set(["number", "string"]))
    expect(leads(type, "c")).toBe("nowhere")
  })

  it("lists properties that any of them has, and requires those that all require", () => {
    expect(unionType([left, right]).names()).toEqual(["a", "id", "b"])
    expect(unionType([left, right]).required()).toEqual(["id"])
  })

  it("says nothing certain about a part that may be unknown", () => {
    const to = { leads: "to", type: scalarType("string") } as const
    const step = uniteSteps([to, { leads: "perhaps" }, { leads: "nowhere" }])
    expect(step.leads === "to" && step.type.kinds).toBeUndefined()
    expect(uniteSteps([{ leads: "perhaps" }, { leads: "nowhere" }])).toEqual({ leads: "perhaps" })
    expect(uniteSteps([])).toEqual({ leads: "nowhere" })
  })

  it("resolves its members only when needed", () => {
    const untouchable: ValueType = {
      get kinds(): never {
        throw new Error("looked at")
      },
      step: () => ({ leads: "nowhere" }),
      names: () => [],
      required: () => [],
    }
    expect(leads(unionType([untouchable, left]), "a")).toBe("to")
  })
})
