import {
  projectFileShape,
  savedRequestShape,
  workflowShape,
  type JsonValue,
  type Shape,
} from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { fieldAt, fieldsToAdd, shapesAt, valuesOf } from "./shapes-at.ts"

const namesIn = (
  shape: Shape,
  pointer: readonly (string | number)[],
  value: JsonValue,
  taken: readonly string[],
) =>
  fieldsToAdd(shape, pointer, { value, taken: new Set(taken) }).map(
    ({ name, isRequired }) => `${name}${isRequired ? "!" : ""}`,
  )

describe("the fields to add", () => {
  it("are those of the block's kind", () => {
    const value = { blocks: [{ type: "group" }, {}] }
    expect(namesIn(workflowShape, ["blocks", 0], value, ["type"])).toEqual(["id!", "description", "blocks!"])
    expect(namesIn(workflowShape, ["blocks", 1], value, [])).toEqual(
      expect.arrayContaining(["id!", "type!", "request", "if", "mode"]),
    )
  })

  it("follow the rules about which fields go together", () => {
    const loop = (mode: string) => ({ blocks: [{ type: "loop", mode }] })
    const own = ["id", "type", "mode", "blocks", "description", "iteratorVar"]
    expect(namesIn(workflowShape, ["blocks", 0], loop("times"), own)).toEqual(["count!", "execution"])
    expect(namesIn(workflowShape, ["blocks", 0], loop("until"), [...own, "until"])).toEqual([
      "maxIterations",
      "delayMs",
      "timeoutMs",
    ])
    expect(
      namesIn(workflowShape, ["blocks", 0], { blocks: [{ type: "transform" }] }, [
        "id",
        "type",
        "description",
        "script",
      ]),
    ).toEqual(["timeoutMs"])
    const request = [
      "$schema",
      "version",
      "description",
      "params",
      "body",
      "bodyType",
      "timeoutMs",
      "followRedirects",
    ]
    expect(namesIn(savedRequestShape, [], {}, request)).toEqual(["operation!", "method", "path"])
    expect(namesIn(savedRequestShape, [], {}, [...request, "operation"])).toEqual([])
    expect(namesIn(savedRequestShape, [], {}, [...request, "path"])).toEqual(["method!"])
  })

  it("include the expected value only if the operator takes one", () => {
    const value = (operator: string) => ({ blocks: [{ type: "condition", if: { operator } }] })
    expect(namesIn(workflowShape, ["blocks", 0, "if"], value("equals"), ["operator", "source"])).toEqual([
      "value!",
    ])
    expect(namesIn(workflowShape, ["blocks", 0, "if"], value("exists"), ["operator", "source"])).toEqual([])
  })

  it("are found in lists of lists, and nowhere else", () => {
    expect(namesIn(projectFileShape, ["suites", "a", "workflows", 0, "finally", 1], {}, [])).toContain(
      "workflow!",
    )
    expect(namesIn(projectFileShape, ["version"], {}, [])).toEqual([])
    expect(namesIn(projectFileShape, ["nope", "constructor"], {}, [])).toEqual([])
  })
})

it("lists the values of enums and booleans", () => {
  const values = (pointer: readonly (string | number)[], value: JsonValue) =>
    shapesAt(workflowShape, pointer, value)
      .flatMap(valuesOf)
      .map((one) => one.value)
  expect(values(["onFailure"], {})).toEqual(["halt", "continue"])
  expect(values(["validateContracts"], {})).toEqual([true, false])
  expect(values(["blocks", 0, "execution"], { blocks: [{ type: "loop" }] })).toEqual([
    "sequential",
    "parallel",
  ])
  expect(values(["blocks", 0, "id"], { blocks: [{ type: "loop" }] })).toEqual([])
})

it("finds the field of a key", () => {
  expect(fieldAt(workflowShape, ["onFailure"], {})?.default).toBe("halt")
  expect(fieldAt(workflowShape, ["toString"], {})).toBeUndefined()
})
