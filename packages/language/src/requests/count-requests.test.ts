import type { Block, Blocks, JsonValue } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { addCounts, countRequests } from "./count-requests.ts"

let made = 0
/** Creates a request block. The operation is its method, or a placeholder. */
const send = (operation: string, api = "shop"): Block => ({
  id: `r${made++}`,
  type: "request",
  request: { api, operation },
})
const times = (count: number, ...blocks: Blocks): Block => ({
  id: `l${made++}`,
  type: "loop",
  mode: "times",
  count,
  blocks,
})
const forEach = (source: string, iteratorVar: string, ...blocks: Blocks): Block => ({
  id: `l${made++}`,
  type: "loop",
  mode: "forEach",
  source,
  iteratorVar,
  blocks,
})
const until = (...blocks: Blocks): Block => ({
  id: `l${made++}`,
  type: "loop",
  mode: "until",
  until: { source: "x", operator: "exists" },
  maxIterations: 9,
  blocks,
})
const either = (then: Blocks, otherwise?: Blocks): Block => ({
  id: `c${made++}`,
  type: "condition",
  if: { source: "x", operator: "exists" },
  then,
  ...(otherwise === undefined ? {} : { else: otherwise }),
})
const group = (...blocks: Blocks): Block => ({ id: `g${made++}`, type: "group", blocks })

const countAll = (blocks: Blocks, inputs: Readonly<Record<string, JsonValue>> = {}) =>
  countRequests({
    blocks,
    inputs: new Map(Object.entries(inputs)),
    methodOf: ({ request: { operation = "" } }) => (operation.includes("{{") ? undefined : operation),
  })

/** Formats the counts of the API "shop": `5: GET 3, POST 2`. */
function counted(blocks: Blocks, inputs?: Readonly<Record<string, JsonValue>>): string {
  const { atLeast, methods } = countAll(blocks, inputs).get("shop") ?? { atLeast: "none", methods: [] }
  return `${atLeast}: ${methods.map(({ method = "?", atLeast: least }) => `${method} ${least}`).join(", ")}`
}

describe("the minimum number of requests", () => {
  it.each<[string, Blocks, string]>([
    ["counts each request once", [send("GET"), send("POST"), send("GET")], "3: GET 2, POST 1"],
    ["includes nested groups", [group(group(send("GET")), send("PUT"))], "2: GET 1, PUT 1"],
    [
      "counts a loop as often as it runs",
      [times(3, send("GET"), times(2, send("POST")))],
      "9: GET 3, POST 6",
    ],
    ["counts an until loop once", [until(send("GET"))], "1: GET 1"],
    ["omits the content of a loop with no iterations", [send("GET"), times(0, send("DELETE"))], "1: GET 1"],
    [
      "counts the smaller branch of a condition, and keeps the methods of both",
      [either([send("GET"), send("GET")], [send("GET"), send("DELETE"), send("PUT")])],
      "2: GET 1, PUT 0, DELETE 0",
    ],
    ["counts a condition without else as zero", [either([send("POST")])], "0: POST 0"],
    [
      "counts one request if branches differ only in its method",
      [times(2, either([send("GET")], [send("POST")]))],
      "2: GET 0, POST 0",
    ],
    ["reports a method that a token decides", [send("{{o}}"), send("POST")], "2: POST 1, ? 1"],
    ["has no entry if nothing is sent", [group()], "none: "],
    [
      "orders methods: reading ones first, then unknown names",
      [send("X"), send("DELETE"), send("POST"), send("HEAD"), send("GET")],
      "5: GET 1, HEAD 1, POST 1, DELETE 1, X 1",
    ],
  ])("%s", (_, blocks, text) => {
    expect(counted(blocks)).toBe(text)
  })

  it.each<[string, string, string]>([
    ["an input", "ids", "3: GET 3"],
    ["a member of an input", "more.ids", "2: GET 2"],
    ["an empty input", "none", "none: "],
    ["a value that is not an array", "text", "0: GET 0"],
    ["a value from the run", "list.response.body", "0: GET 0"],
    ["a source with a token", "{{text}}", "0: GET 0"],
    ["an invalid path", "ids..", "0: GET 0"],
  ])("in a loop over %s", (_, source, text) => {
    const inputs = { ids: [1, 2, 3], more: { ids: [1, 2] }, none: [], text: "ids" }
    expect(counted([forEach(source, "id", send("GET"))], inputs)).toBe(text)
  })

  it("doesn't mistake an iterator for an input of the same name", () => {
    const loop = forEach("lists", "ids", forEach("ids", "id", send("GET")))
    expect(counted([loop], { lists: [[1]], ids: [1, 2, 3] })).toBe("0: GET 0")
  })

  it("stays a finite number at any depth", () => {
    let loops: Block = send("POST")
    let conditions: Block = send("POST")
    for (let depth = 0; depth < 10_000; depth++) {
      loops = times(9, group(loops))
      conditions = either([conditions], [send("POST")])
    }
    expect(counted([loops])).toBe(`${Number.MAX_SAFE_INTEGER}: POST ${Number.MAX_SAFE_INTEGER}`)
    expect(counted([conditions])).toBe("1: POST 1")
  })

  it("counts per API", () => {
    const counts = countAll([send("GET"), times(2, send("POST", "pay"))])
    expect([...counts].map(([api, { atLeast }]) => [api, atLeast])).toEqual([
      ["shop", 1],
      ["pay", 2],
    ])
  })

  it("adds up across workflows", () => {
    const one = countAll([send("POST"), send("{{o}}")]).get("shop")
    const two = countAll([send("GET"), either([send("POST"), send("DELETE")])]).get("shop")
    expect(addCounts([one, two].flatMap((count) => count ?? []))).toEqual({
      atLeast: 3,
      methods: [
        { method: "GET", atLeast: 1 },
        { method: "POST", atLeast: 1 },
        { method: "DELETE", atLeast: 0 },
        { atLeast: 1 },
      ],
    })
    expect(addCounts([])).toEqual({ atLeast: 0, methods: [] })
  })
})
