import { fileURLToPath } from "node:url"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { makeFolder, openProject } from "./open-project.ts"
import { document, shop, workflow } from "./shop.ts"

describe("project.read", () => {
  it("lists everything in a project, without values", async () => {
    const { read } = await openProject(shop)
    const view = await read()
    expect(view).toEqual({
      revision: 1,
      name: expect.stringMatching(/^callsheet-app-/),
      apis: [
        {
          name: "shop",
          document: { file: "apis/shop/openapi.json" },
          environments: [
            { name: "live", level: "production", extends: "local" },
            { name: "local", level: "local" },
          ],
          requests: [
            { resource: "orders", name: "mine", description: "Mine", target: "listOrders" },
            { resource: "orders", name: "raw", target: "GET /orders" },
          ],
        },
      ],
      workflows: [{ name: "checkout", apis: ["shop"], blocks: 3 }],
    })
    expect(JSON.stringify(view)).not.toMatch(/s3cr3t|127\.0\.0\.1|callsheet-app-[^"]*\//)
  })

  it("shows what it can from broken files", async () => {
    const { read } = await openProject({
      ...shop,
      "apis/shop/openapi.json": "{",
      "apis/shop/environments/local.json": "{",
      "apis/shop/environments/live.secrets.env": "no assignment\n",
      "apis/shop/requests/orders/mine.json": "",
      "apis/workflow/checkout.json": '{"version": 1, "blocks": [{"id": "a", ',
    })
    const view = await read()
    expect(view.apis[0]?.environments).toHaveLength(2)
    expect(view.apis[0]?.requests[0]).toEqual({ resource: "orders", name: "mine" })
    expect(view.workflows).toEqual([{ name: "checkout", apis: [] }])
  })

  it("works for an empty project", async () => {
    const { read, problems } = await openProject({ "apis/.keep": "" })
    expect(await read()).toMatchObject({ apis: [], workflows: [] })
    expect(await problems()).toEqual([])
  })

  it("reads once for all callers, and again when files have changed", async () => {
    const { read, put, until } = await openProject(shop)
    const [first, second] = await Promise.all([read(), read()])
    expect(second).toBe(first)
    expect(await read()).toBe(first)
    const changed = until(async () => (await read()).workflows.length === 2)
    await put({ "apis/workflow/refund.json": workflow("one") })
    const revisions = await changed
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
    expect((await read()).revision).toBe(revisions.at(-1))
    expect(revisions[0]).toBe(2)
  })

  it("reports without a path that the project was removed", async () => {
    const root = await makeFolder(shop)
    const { read, problems, operations } = await openProject(join(root, "gone"))
    for (const call of [read(), problems(), operations("shop")]) {
      const error: unknown = await call.catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: "project-missing" })
      expect(JSON.stringify([String(error), error])).not.toContain(root)
    }
  })
})

describe("problems.read", () => {
  it("returns the same as callsheet validate", async () => {
    const files = {
      ...shop,
      "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1", bseUrl: "x" },
      "apis/shop/requests/lost.json": {},
      "apis/workflow/checkout.json": workflow("one", "one"),
      "apis/workflow/refund.json": {
        version: 1,
        blocks: [
          { id: "a", type: "script", script: { name: "gone", exportName: "x" } },
          { id: "b", type: "script", script: { name: "here", exportName: "missing" } },
        ],
      },
      "apis/workflow/scripts/refund/here.ts": "export const present = () => undefined\n",
      "apis/workflow/scripts/refnd/here.ts": "",
      "apis/UPPER/openapi.json": document,
    }
    const { root, problems } = await openProject(files)
    const found = await problems()
    const { stdout } = await callsheet(["validate", "--format", "json"], { folder: root })
    // The command reports the start of the file if there is no better position.
    expect(found.map((problem) => ({ line: 1, column: 1, ...problem }))).toEqual(JSON.parse(stdout).problems)
    expect(new Set(found.map(({ code }) => code)).size).toBe(5)
  })

  it("finds no problem in the sample project", async () => {
    const root = await makeFolder({})
    await cp(fileURLToPath(new URL("../../examples/shop", import.meta.url)), root, { recursive: true })
    const { problems, read } = await openProject(root)
    expect(await problems()).toEqual([])
    expect((await read()).workflows.length).toBeGreaterThan(3)
  })

  it("reports that the system allows no more watches, and continues", async () => {
    const open = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" })
    }
    const { problems, put, read, until } = await openProject(shop, { watch: { open, everyMs: 20 } })
    expect(await problems()).toMatchObject([{ code: "watch-limit", severity: "warning" }])
    const changed = until(async () => (await read()).workflows.length === 2)
    await put({ "apis/workflow/refund.json": workflow("one") })
    await changed
    expect(await problems()).toMatchObject([{ code: "watch-limit" }])
  })
})

describe("operations.list", () => {
  it("lists the operations of a document", async () => {
    const { operations } = await openProject(shop)
    expect(await operations("shop")).toEqual({
      version: "3.1",
      title: "Shop",
      operations: [
        { name: "listOrders", method: "GET", path: "/orders", resources: ["orders"], summary: "All orders" },
        { name: "createOrder", method: "POST", path: "/orders", resources: ["orders"], deprecated: true },
        { name: "GET /orders/{id}", method: "GET", path: "/orders/{id}", resources: ["orders"] },
      ],
      problems: [],
    })
  })

  it("reports what is wrong with an unreadable document", async () => {
    const { operations, put, until } = await openProject({ ...shop, "apis/shop/openapi.json": "{" })
    expect(await operations("shop")).toMatchObject({ operations: [], problems: [{ code: "json-syntax" }] })
    const fixed = until(async () => (await operations("shop")).operations.length === 3)
    await put({ "apis/shop/openapi.json": document })
    await fixed
  })

  it("is empty for an API without a document", async () => {
    const { operations } = await openProject({ "apis/bare/environments/local.json": {} })
    expect(await operations("bare")).toEqual({ operations: [], problems: [] })
  })

  it("accepts names of the project's APIs, and nothing else", async () => {
    const root = await makeFolder({
      "inside/apis/shop/openapi.json": document,
      "apis/shop/openapi.json": document,
    })
    const { operations } = await openProject(join(root, "inside"))
    const names = [
      "..",
      ".",
      "",
      "../..",
      "../../apis/shop",
      "shop/",
      "shop/../shop",
      "Shop",
      "shop\0",
      "shop.",
    ]
    const strange = [
      "%2e%2e",
      "..\\..",
      "/etc",
      "constructor",
      "__proto__",
      "workflow",
      "\\\\?\\C:\\",
      "shop ",
      "NUL",
    ]
    for (const name of [...names, ...strange]) {
      await expect(operations(name), JSON.stringify(name)).rejects.toMatchObject({ code: "api-unknown" })
    }
    expect((await operations("shop")).operations).toHaveLength(3)
  })
})
