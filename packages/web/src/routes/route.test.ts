import { describe, expect, it } from "vitest"
import { blockOf, hashOf, hashOfBlock, routeOf, type Route } from "./route.ts"

const names = ["shop", "a/b", "../..", "100%", "#?&=", "ü 👍", "{id}", "__proto__"]

const routesNamed = (name: string): readonly Route[] => [
  { kind: "api", api: name },
  { kind: "operation", api: name, method: "GET", path: `/orders/${name}` },
  { kind: "environments", api: name },
  { kind: "environment", api: name, environment: name },
  { kind: "environment-text", api: name },
  { kind: "environment-text", api: name, environment: name },
  { kind: "request", api: name, resource: name, request: name },
  { kind: "workflow", workflow: name },
  { kind: "impact", api: name },
  { kind: "suite", suite: name },
  { kind: "script", workflow: name, script: name },
]

describe("a route in the address", () => {
  it("is read back as written, whatever its names contain", () => {
    const routes: readonly Route[] = [
      { kind: "overview" },
      { kind: "problems" },
      { kind: "settings" },
      { kind: "baseline" },
      ...names.flatMap(routesNamed),
    ]
    expect(routes.map((route) => routeOf(hashOf(route)))).toEqual(routes)
    expect(new Set(routes.map(hashOf)).size).toBe(routes.length)
  })

  it("may name a block of a workflow", () => {
    for (const name of names) {
      expect(blockOf(hashOfBlock("flow", name))).toBe(name)
      expect(routeOf(hashOfBlock(name, "one"))).toEqual({ kind: "workflow", workflow: name })
    }
    expect(blockOf("#/workflows/flow")).toBeUndefined()
  })

  it("may contain a lone surrogate", () => {
    expect(routeOf(hashOf({ kind: "workflow", workflow: "half \ud800" }))).toEqual({
      kind: "workflow",
      workflow: "half \ufffd",
    })
  })

  it("is the overview if it is unknown", () => {
    for (const hash of ["", "#", "#/", "#/nothing", "#/apis", "#/apis/", "#/%", "#link=x"]) {
      expect(routeOf(hash), hash).toEqual({ kind: "overview" })
    }
    expect(routeOf("#/apis/shop/requests/one")).toEqual({ kind: "api", api: "shop" })
  })
})
