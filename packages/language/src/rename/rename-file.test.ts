import { describe, expect, it } from "vitest"
import { projectOf, type ProjectFiles } from "../testing/project-of.ts"
import type { NamedFile } from "../references/block-uses.ts"
import { renameFile } from "./rename-file.ts"

const request = { version: 1, method: "GET", path: "/" }
const apis = {
  shop: { requests: { "orders/mine": request, "order-items/list": request, "carts/all": request } },
  pay: { requests: { "orders/mine": request } },
}
const send = (id: string, target: object) => ({ id, type: "request", request: { api: "shop", ...target } })
const mine: NamedFile = { kind: "request", api: "shop", resource: "orders", request: "mine" }

function rename(
  blocks: readonly unknown[],
  file: NamedFile,
  to: NamedFile,
  more: Partial<ProjectFiles> = {},
) {
  const project = projectOf({ workflows: { flow: { version: 1, blocks } }, apis, ...more })
  const { texts, warnings } = renameFile(project, file, to)
  const [text] = texts
  return {
    blocks: text === undefined ? undefined : (JSON.parse(text.after) as { blocks: unknown[] }).blocks,
    texts,
    warnings: warnings.map(({ file: path, line, message }) => `${path}:${line}: ${message}`),
  }
}

it("leaves a half-written workflow as it is", () => {
  const half =
    '{\n  "version": 1\n  "blocks": [{ "id": "x", "type": "request", "request": { "api": "shop", "instance": "mine" } }]\n}'
  const { texts } = rename(
    [send("a", { instance: "mine" })],
    mine,
    { ...mine, request: "own" },
    {
      workflows: { flow: { version: 1, blocks: [send("a", { instance: "mine" })] }, half },
    },
  )
  expect(texts.map(({ file }) => file)).toEqual(["apis/workflow/flow.json"])
})

describe("a saved request with another name", () => {
  it("is renamed in every block that names it, and in no other", () => {
    const blocks = [
      send("a", { instance: "mine" }),
      send("b", { resource: "orders", instance: "mine" }),
      { id: "g", type: "group", blocks: [{ id: "l", type: "loop", mode: "times", count: 1, blocks: [send("c", { instance: "mine" })] }] },
      send("d", { api: "pay", instance: "mine" }),
      send("e", { operation: "mine" }),
      send("f", { resource: "carts", instance: "all" }),
    ]
    const { blocks: after, warnings } = rename(blocks, mine, { ...mine, request: "own" })
    expect(JSON.stringify(after)).toBe(
      JSON.stringify(blocks)
        .replace('"api":"shop","instance":"mine"', '"api":"shop","instance":"own"')
        .replace('"resource":"orders","instance":"mine"', '"resource":"orders","instance":"own"')
        .replace('"id":"c","type":"request","request":{"api":"shop","instance":"mine"', '"id":"c","type":"request","request":{"api":"shop","instance":"own"'),
    )
    expect(warnings).toEqual([])
  }) // oxfmt-ignore

  it("changes no other byte: escapes, whitespace, line endings, order", () => {
    const text =
      '{"version":1,\r\n\t"blocks" : [ {"type":"request", "request":{ "instance" : "m\\u0069ne","api":"shop"},"id":"\\u0061"}]\r\n}'
    const { texts } = rename([], mine, { ...mine, request: 'own "x"' }, { workflows: { flow: text } })
    expect(texts).toEqual([
      { file: "apis/workflow/flow.json", before: text, after: text.replace('"m\\u0069ne"', '"own \\"x\\""') },
    ])
  })

  it("updates the resource of blocks that state one, in any spelling", () => {
    const list: NamedFile = { kind: "request", api: "shop", resource: "order-items", request: "list" }
    const { blocks, warnings } = rename(
      [send("a", { resource: "Order Items", instance: "list" }), send("b", { instance: "list" })],
      list,
      { ...list, resource: "orders" },
    )
    expect(blocks).toEqual([
      send("a", { resource: "orders", instance: "list" }),
      send("b", { instance: "list" }),
    ])
    expect(warnings).toEqual([])
  })

  it("is distinguished from another request of the same name", () => {
    const blocks = [send("a", { instance: "mine" }), send("b", { instance: "all" })]
    const { texts } = rename(blocks, mine, { ...mine, request: "all" })
    expect(JSON.stringify(JSON.parse(texts[0]?.after ?? "")["blocks"])).toBe(
      JSON.stringify([
        send("a", { resource: "orders", instance: "all" }),
        send("b", { resource: "carts", instance: "all" }),
      ]),
    )
  })

  it("reports for review where tokens build the name, two requests share it, or an operation is also named", () => {
    const blocks = [
      send("a", { instance: "{{which}}" }),
      send("b", { instance: "mi{{x}}" }),
      send("c", { instance: "al{{x}}" }),
      send("d", { resource: "{{x}}", instance: "mine" }),
      send("e", { resource: "orders", operation: "listOrders", instance: "mine" }),
    ]
    const { warnings } = rename(blocks, mine, { ...mine, resource: "carts" })
    expect(warnings).toEqual([
      expect.stringMatching(/^apis\/workflow\/flow.json:\d+: this block may refer to the file/),
      expect.stringMatching(/:\d+: this block may refer to the file/),
      expect.stringMatching(/:\d+: this block may refer to the file/),
      expect.stringMatching(
        /:\d+: this block also sets "operation"; check that the operation belongs to the new resource/,
      ),
    ])
    const both = { shop: { requests: { "orders/mine": request, "carts/mine": request } } }
    const shared = rename(
      [send("a", { instance: "mine" })],
      mine,
      { ...mine, request: "own" },
      { apis: both },
    )
    expect([shared.texts, shared.warnings]).toEqual([
      [],
      [expect.stringContaining("this block may refer to the file")],
    ])
  })
})

describe("a script with another name", () => {
  const script = (name: string) => ({ script: { name, exportName: "run" } })
  const sum: NamedFile = { kind: "script", workflow: "flow", script: "sum" }

  it("is renamed in every kind of block of its workflow that calls it, and in no other workflow", () => {
    const blocks = [
      { id: "a", type: "assert", ...script("sum") },
      { id: "t", type: "transform", ...script("sum") },
      { id: "c", type: "condition", ...script("sum"), then: [{ id: "s", type: "script", ...script("sum") }] },
      { id: "l", type: "loop", mode: "until", ...script("sum"), blocks: [{ id: "o", type: "script", ...script("summary") }] },
      { id: "d", type: "script", description: "sum", ...script("lib/sum") },
    ]
    const workflow = { version: 1, blocks }
    const project = projectOf({ workflows: { flow: workflow, other: workflow } })
    const { texts, warnings } = renameFile(project, sum, { ...sum, script: "checks/total" })
    expect(texts.map(({ file }) => file)).toEqual(["apis/workflow/flow.json"])
    expect(texts[0]?.after).toBe(texts[0]?.before.replaceAll('"name": "sum"', '"name": "checks/total"'))
    expect(texts[0]?.after.split("checks/total")).toHaveLength(6)
    expect(warnings).toEqual([])
  }) // oxfmt-ignore

  it("reports for review where tokens build the name, and skips blocks with errors", () => {
    const blocks = [
      { id: "a", type: "script", ...script("s{{x}}") },
      { id: "b", type: "script", script: { name: "sum" } },
    ]
    const { texts, warnings } = rename(blocks, sum, { ...sum, script: "total" })
    expect([texts, warnings]).toEqual([[], [expect.stringContaining("this block may refer to the file")]])
  })
})
