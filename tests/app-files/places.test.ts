// files.places: the places that use an operation, a saved request, a script or a variable.

import { describe, expect, it } from "vitest"
import type { UseSubject } from "../../packages/server/src/calls/index.ts"
import { openFiles } from "./open-files.ts"

const send = (id: string, request: object) => ({ id, type: "request", request: { api: "shop", ...request } })

const files = {
  "apis/shop/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/orders": {
        get: { operationId: "listOrders", tags: ["orders"], responses: {} },
        post: { operationId: "createOrder", tags: ["orders"], responses: {} },
      },
    },
  }),
  "apis/shop/environments/schema.json": JSON.stringify({
    version: 1,
    variables: { region: { type: "string", required: false }, unused: { type: "string", required: false } },
  }),
  "apis/shop/environments/local.json": "{}",
  "apis/shop/requests/orders/mine.json": JSON.stringify({
    version: 1,
    operation: "listOrders",
    params: { query: { region: "{{region}}" } },
  }),
  "apis/workflow/flow.json": JSON.stringify({
    version: 1,
    inputs: { which: { type: "string", required: true } },
    blocks: [
      send("direct", { operation: "listOrders", overrides: { params: { query: { q: "{{region}} now" } } } }),
      {
        id: "group",
        type: "group",
        blocks: [send("saved", { instance: "mine" }), send("open", { instance: "{{which}}" })],
      },
      { id: "check", type: "assert", script: { name: "checks/total", exportName: "total" } },
      send("other", { operation: "createOrder" }),
    ],
  }),
  "apis/workflow/scripts/flow/checks/total.ts": "export const total = () => undefined",
}

describe("files.places", () => {
  it("lists blocks and saved requests by their positions, and those that may use it", async () => {
    const { calls } = await openFiles(files)
    const placesOf = async (of: UseSubject) => {
      const { places, omitted } = await calls["files.places"]({ of })
      expect(omitted).toBe(0)
      return places.map(({ file, block, isSure, column }) => {
        const path = file.kind === "workflow" ? files["apis/workflow/flow.json"] : ""
        const text = path.slice(column - 1, column + 9)
        return [file.kind, block, ...(isSure ? [] : ["perhaps"]), text].filter(Boolean).join(" ")
      })
    }
    expect(await placesOf({ kind: "operation", api: "shop", method: "GET", path: "/orders" })).toEqual([
      'workflow direct "listOrder',
      'workflow saved "mine"}},{',
      "request",
    ])
    expect(await placesOf({ kind: "request", api: "shop", resource: "orders", request: "mine" })).toEqual([
      'workflow saved "mine"}},{',
      'workflow open perhaps "{{which}}',
    ])
    expect(await placesOf({ kind: "script", workflow: "flow", script: "checks/total" })).toEqual([
      'workflow check "checks/to',
    ])
    expect(await placesOf({ kind: "variable", api: "shop", name: "region" })).toEqual([
      'workflow direct "{{region}',
      "request",
    ])
    expect(await placesOf({ kind: "variable", api: "shop", name: "unused" })).toEqual([])
    expect(await placesOf({ kind: "operation", api: "gone", method: "GET", path: "/orders" })).toEqual([])
  })
})
