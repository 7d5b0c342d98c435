import { describe, expect, it } from "vitest"
import { runCalls, runWords } from "./run-arguments.ts"
import { nodeId, testTree, type TestNode } from "./test-tree.ts"

const place = { line: 1, column: 1 }
const nodes = new Map(
  testTree({
    tests: [
      {
        workflow: "--odd",
        file: "apis/workflow/--odd.json",
        isHelper: true,
        blocks: [
          { id: "a", type: "group", ...place },
          { id: "b; rm -rf /", type: "script", in: "a", ...place },
        ],
      },
      { workflow: "two", file: "apis/workflow/two.json", blocks: [] },
      {
        suite: "nightly",
        file: "callsheet.json",
        ...place,
        entries: [
          { name: "first", workflow: "two", role: "before", ...place },
          { name: "each", workflow: "two", role: "main", rows: 2, ...place },
        ],
      },
    ],
  }).map((node) => [node.id, node]),
)
const entry = nodeId.entry("nightly", "main", "each")

function node(id: string): TestNode {
  const found = nodes.get(id)
  if (found === undefined) throw new Error(`there is no node ${id}`)
  return found
}

const calls = (...ids: readonly string[]) =>
  runCalls(ids.map(node)).map(({ options, workflows }) => [...options, ...workflows])

describe("the tree of tests", () => {
  it("has blocks below their blocks, and rows below their entries", () => {
    expect([...nodes.values()].map(({ label, description, parent }) => [label, description, parent])).toEqual(
      [
        ["--odd", "helper", undefined],
        ["a", "group", nodeId.workflow("--odd")],
        ["b; rm -rf /", "script", nodeId.block("--odd", "a")],
        ["two", undefined, undefined],
        ["nightly", "suite", undefined],
        ["first", "before, two", nodeId.suite("nightly")],
        ["each", "two", nodeId.suite("nightly")],
        ["row 1", undefined, entry],
        ["row 2", undefined, entry],
      ],
    )
  })
})

describe("the calls for chosen nodes", () => {
  it("run everything if nothing is chosen", () => {
    expect(runCalls(undefined)).toMatchObject([{ options: ["--all"], workflows: [] }])
  })

  it("run workflows together, and a block with those before it", () => {
    expect(calls(nodeId.workflow("--odd"), nodeId.workflow("two"))).toEqual([["--odd", "two"]])
    expect(calls(nodeId.block("--odd", "b; rm -rf /"), nodeId.block("--odd", "a"))).toEqual([
      ["--until=b; rm -rf /", "--odd"],
    ])
    expect(calls(nodeId.block("--odd", "a"), nodeId.workflow("--odd"))).toEqual([["--odd"]])
  })

  it("run the entry of a chosen row, and the whole suite for an entry that prepares it", () => {
    expect(calls(nodeId.row(entry, 2), nodeId.row(entry, 1))).toEqual([["--suite=nightly", "--grep=each"]])
    expect(calls(nodeId.entry("nightly", "before", "first"))).toEqual([["--suite=nightly"]])
    expect(calls(entry, nodeId.suite("nightly"))).toEqual([["--suite=nightly"]])
  })
})

describe("the words of a call", () => {
  const [call] = runCalls([node(nodeId.block("--odd", "b; rm -rf /"))])
  if (call === undefined) throw new Error("there is no call")

  it("are separate, so that a name can't become an option or a command", () => {
    expect(runWords(call, { environments: ["shop=local"] })).toEqual([
      "run",
      "--env=shop=local",
      "--reporter=ndjson",
      "--until=b; rm -rf /",
      "--",
      "--odd",
    ])
  })

  it("confirm production, debug and watch only if asked", () => {
    const choice = { environments: [], isConfirmed: true, isDebug: true, isContinuous: true }
    expect(runWords(call, choice).slice(1, 5)).toEqual([
      "--reporter=ndjson",
      "--yes",
      "--inspect-scripts=0",
      "--watch",
    ])
  })
})
