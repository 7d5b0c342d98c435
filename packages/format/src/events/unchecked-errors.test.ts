import { expect, it } from "vitest"
import type { BlockReport } from "./types.ts"
import { uncheckedErrors } from "./unchecked-errors.ts"

const answer = (id: string, status: number): BlockReport => ({
  id,
  type: "request",
  status: "passed",
  durationMs: 1,
  response: { status, durationMs: 1, sizeBytes: 0 },
})
const request = (id: string, overrides = {}) => ({ id, type: "request", request: { overrides } })
const check = (source: string) => ({
  type: "assert",
  id: "check",
  assertions: [{ source, operator: "exists" }],
})
const found = (blocks: readonly BlockReport[], written: readonly unknown[]): readonly string[] =>
  [...uncheckedErrors({ blocks: [...blocks] }, { version: 1, blocks: written } as never)].map(({ id }) => id)

it("finds error responses that no check names", () => {
  const written = [request("order"), request("late"), check("late.response.status")]
  expect(found([answer("order", 422), answer("late", 500)], written)).toEqual(["order"])
  expect(found([answer("order", 201), answer("late", 500)], written)).toEqual([])
})

it("finds one inside a loop, and takes neither a request nor a description for a check", () => {
  const loop: BlockReport = { id: "each", type: "loop", status: "passed", durationMs: 1 }
  loop.iterations = [{ index: 0, value: 0, status: "passed", blocks: [answer("get", 404)] }]
  const other = {
    ...request("next", { body: "{{get.response.body.id}}" }),
    description: "After get.response",
  }
  expect(found([loop], [{ id: "each", type: "loop", blocks: [request("get"), other] }])).toEqual(["get"])
})

it.each([
  ["condition", { id: "c", type: "condition", if: { source: "get.response.status" }, then: [] }],
  ["end of a loop", { id: "l", type: "loop", until: { source: 'get["response"].status' }, blocks: [] }],
  ["transform", { id: "t", type: "transform", transforms: { status: "get.response.status" } }],
  ["script", { id: "s", type: "script", script: { name: "x", exportName: "y" } }],
  ["script of an assert block", { id: "a", type: "assert", script: { name: "x", exportName: "y" } }],
])("takes a %s for a check", (_, block) => {
  expect(found([answer("get", 404)], [request("get"), block])).toEqual([])
})

it("can't tell of ids with placeholders", () => {
  expect(found([answer("get-0", 404)], [request("get-{{$index}}")])).toEqual([])
})
