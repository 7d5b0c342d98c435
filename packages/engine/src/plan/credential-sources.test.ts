import type { Workflow } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { findCredentialSources } from "./credential-sources.ts"

const request = (id: string, token?: string) => ({
  id,
  type: "request",
  request: { api: "shop", instance: token ?? "" },
})
const transform = (id: string, transforms: Readonly<Record<string, string>>) => ({
  id,
  type: "transform",
  transforms,
})
const forEach = (iteratorVar: string, source: string, ...blocks: object[]) => ({
  id: `each ${iteratorVar}`,
  type: "loop",
  mode: "forEach",
  source,
  iteratorVar,
  blocks,
})

/** Returns the fields as paths. The `instance` of a request contains the values that it uses as credentials. */
function sourcesOf(...blocks: readonly object[]): readonly string[] {
  const workflow = { version: 1, blocks } as unknown as Workflow
  const found = findCredentialSources(workflow, ({ request }) => [request.instance ?? ""])
  return [...found].flatMap(([id, paths]) => paths.map((path) => [id, ...path].join("."))).sort()
}

describe("fields that become credentials", () => {
  it.each<[string, readonly object[], readonly string[]]>([
    ["one", [request("a"), request("b", "Bearer {{a.response.body.token}}")], ["a.response.body.token"]],
    [
      "several",
      [request("a"), request("b", "{{a.response.body.x}}:{{ a.response.body.y }}")],
      ["a.response.body.x", "a.response.body.y"],
    ],
    [
      "of a transform",
      [request("a"), transform("t", { k: "a.response.body" }), request("b", "{{t.k.token}}")],
      ["a.response.body.token"],
    ],
    [
      "of a transform of a transform",
      [
        request("a"),
        transform("t", { k: "u.l.m" }),
        transform("u", { l: "{{a.response.body}}" }),
        request("b", "{{t.k}}"),
      ],
      ["a.response.body.m"],
    ],
    [
      "of a loop",
      [request("a"), forEach("u", "a.response.body.users", request("b", "{{u.key}}"))],
      ["a.response.body.users.*.key"],
    ],
    [
      "of nested loops",
      [request("a"), forEach("u", "a.response.body", forEach("v", "u.keys", request("b", "{{v}}")))],
      ["a.response.body.*.keys.*"],
    ],
    ["none if a script decides", [request("a"), request("b", "{{s.token}}{{env.shop.key}}{{input}}")], []],
    [
      "none if a token decides",
      [request("a"), request("n"), request("b", "{{a.response.body.{{n.response.body.x}}}}")],
      [],
    ],
    ["none for malformed paths", [request("a"), request("b", "{{a..b}} {{")], []],
    [
      "none in a cycle",
      [transform("t", { k: "t.k.k" }), forEach("u", "u.u", request("b", "{{t.k}}{{u}}"))],
      [],
    ],
  ])("%s", (_, blocks, paths) => {
    expect(sourcesOf(...blocks)).toEqual(paths)
  })

  it("are found in ten thousand requests at once", () => {
    const blocks = Array.from({ length: 10_000 }, (_, at) =>
      request(`r${at}`, `{{r${at - 1}.response.body.token}}`),
    )
    expect(sourcesOf(...blocks)).toHaveLength(9_999)
  })
})
