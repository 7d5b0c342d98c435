import { rawBlocks, type JsonValue } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { renamedReferences } from "./rename-references.ts"

const rename = (blocks: JsonValue, names: Readonly<Record<string, string>>) =>
  renamedReferences({ version: 1, blocks }, new Map(Object.entries(names)))
    .map(({ pointer, value }) => [pointer.slice(1).join("/"), value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

describe("renamedReferences", () => {
  it("finds every reference to the name in every kind of block", () => {
    const blocks: JsonValue = [
      { id: "login", type: "request", request: { api: "shop", operation: "login" }, description: "as login" },
      {
        id: "list",
        type: "request",
        description: "for {{login.response.body.name}}",
        request: {
          api: "shop",
          operation: "list",
          overrides: {
            params: { header: { Authorization: "Bearer {{ login.response.body.token }}" } },
            body: { "a.b": ["{{login}}", { source: "login.response" }] },
          },
        },
      },
      {
        id: "branch",
        type: "condition",
        if: { source: "login.response.status", operator: "equals", value: "{{login.response.status}}" },
        then: [
          {
            id: "a",
            type: "assert",
            assertions: [{ source: 'login["response"].status', operator: "exists" }],
          },
        ],
        else: [
          { id: "t", type: "transform", transforms: { login: "login.response.body", b: "loginX.body" } },
        ],
      },
      { id: "loop", type: "loop", mode: "forEach", source: "login.response.body", blocks: [] },
      {
        id: "until",
        type: "loop",
        mode: "until",
        until: { source: '["login"].response', operator: "exists" },
      },
    ]
    expect(rename(blocks, { login: "signIn" })).toEqual([
      ["1/description", "for {{signIn.response.body.name}}"],
      ["1/request/overrides/body/a.b/0", "{{signIn}}"],
      ["1/request/overrides/params/header/Authorization", "Bearer {{ signIn.response.body.token }}"],
      ["2/else/0/transforms/login", "signIn.response.body"],
      ["2/if/source", "signIn.response.status"],
      ["2/if/value", "{{signIn.response.status}}"],
      ["2/then/0/assertions/0/source", 'signIn["response"].status'],
      ["3/source", "signIn.response.body"],
      ["4/until/source", '["signIn"].response'],
    ])
  })

  it("updates tokens within tokens and leaves other text unchanged", () => {
    const text = String.raw`\{{a.x}} {{b[{{a.x}}].y}} {{aa.x}} {{x.a}} a.x {{a-{{a.i}}.z}} \\{{a}}`
    expect(rename([{ id: "t", type: "group", description: text }], { a: "first" })).toEqual([
      [
        "0/description",
        String.raw`\{{a.x}} {{b[{{first.x}}].y}} {{aa.x}} {{x.a}} a.x {{a-{{first.i}}.z}} \\{{first}}`,
      ],
    ])
  })

  it("leaves a string with broken tokens unchanged", () => {
    expect(rename([{ id: "t", type: "group", description: "{{a.x}} {{a" }], { a: "b" })).toEqual([])
  })

  it("follows an id with tokens, both as written and as a loop iteration resolves it", () => {
    const blocks: JsonValue = [
      { id: "item-9", type: "group" },
      {
        id: "t",
        type: "transform",
        transforms: {
          one: "item-0.response",
          own: "item-9.x",
          other: "items-0.x",
          token: "item-{{index}}.response",
        },
      },
    ]
    expect(rename(blocks, { "item-{{index}}": "row-{{index}}!" })).toEqual([
      ["1/transforms/one", "row-0!.response"],
      ["1/transforms/token", "row-{{index}}!.response"],
    ])
  })

  it("renames an iterator in ids too, but only within its loop", () => {
    const value: JsonValue = {
      blocks: [
        { id: "l", type: "loop", blocks: [{ id: "x-{{i}}", type: "group", description: "{{i}}" }] },
        { id: "d", type: "group", description: "{{i}}" },
      ],
    }
    expect(renamedReferences(value, new Map([["i", "n"]]), ["blocks", 0, "blocks"])).toEqual([
      { pointer: ["blocks", 0, "blocks", 0, "id"], value: "x-{{n}}" },
      { pointer: ["blocks", 0, "blocks", 0, "description"], value: "{{n}}" },
    ])
  })

  it("swaps two names at once", () => {
    expect(rename([{ id: "t", type: "group", description: "{{a}} {{b}}" }], { a: "b", b: "a" })).toEqual([
      ["0/description", "{{b}} {{a}}"],
    ])
  })
})

describe("rawBlocks", () => {
  it("returns every object of the lists in file order, whatever it is", () => {
    const blocks: JsonValue = [null, { then: [{}], else: [{ blocks: 1 }], blocks: [{ id: 3 }] }, "text", {}]
    expect([...rawBlocks({ blocks })].map(({ pointer }) => pointer().join("/"))).toEqual([
      "blocks/1",
      "blocks/1/then/0",
      "blocks/1/else/0",
      "blocks/1/blocks/0",
      "blocks/3",
    ])
    expect([...rawBlocks(3)]).toEqual([])
  })
})
