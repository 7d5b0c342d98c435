import { describe, expect, it } from "vitest"
import { checkWorkflow, type JsonValue, type RequestBlock } from "@callsheet/format"
import { findValueFlows } from "./value-flows.ts"

function flowsOf(blocks: readonly JsonValue[]) {
  const { readable } = checkWorkflow({ file: "w.json", text: JSON.stringify({ version: 1, blocks }) })
  return findValueFlows(readable?.workflow ?? { version: 1, blocks: [] }).map(
    ({ writer, reader, paths }) => `${writer} > ${reader}: ${paths.join(", ")}`,
  )
}
const request = (id: string, body?: JsonValue): JsonValue => ({
  id,
  type: "request",
  request: { api: "shop", operation: "o", ...(body === undefined ? {} : { overrides: { body } }) },
})

describe("the flows of values", () => {
  it("lead from a result to the blocks that read it, in tokens and in paths", () => {
    const assertions = [
      { source: "pay.response.status", operator: "equals", value: 200 },
      { source: "pay.response.body.id", operator: "equals", value: "{{order.response.body.id}}" },
    ]
    expect(
      flowsOf([
        request("order"),
        request("pay", {
          order: "{{order.response.body.id}}",
          note: "{{missing.x}} {{order.response.body.id}}",
        }),
        { id: "check", type: "assert", assertions },
      ]),
    ).toEqual([
      "order > pay: order.response.body.id",
      "pay > check: pay.response.status, pay.response.body.id",
      "order > check: order.response.body.id",
    ])
  })

  it("lead to the blocks whose saved requests read a result", () => {
    const saved = { id: "pay", type: "request", request: { api: "shop", resource: "r", instance: "i" } }
    const text = JSON.stringify({ version: 1, blocks: [request("order"), saved] })
    const { workflow } = checkWorkflow({ file: "w.json", text }).readable ?? {}
    const strings = ({ request: { instance } }: RequestBlock) =>
      instance === undefined ? [] : ["{{order.response.body.id}}"]
    expect(workflow && findValueFlows(workflow, strings)).toEqual([
      { writer: "order", reader: "pay", paths: ["order.response.body.id"] },
    ])
  })

  it("meet ids with placeholders", () => {
    const loop = {
      id: "all",
      type: "loop",
      mode: "count",
      count: 2,
      iteratorVar: "i",
      blocks: [request("ship-{{i}}")],
    }
    expect(
      flowsOf([loop, { id: "t", type: "transform", transforms: { a: "ship-1.response.body.id" } }]),
    ).toEqual(["ship-{{i}} > t: ship-1.response.body.id"])
  })
})
