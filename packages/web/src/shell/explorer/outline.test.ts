import { describe, expect, it } from "vitest"
import type { OperationView, ProjectView } from "@callsheet/server/calls"
import { hashOf, type Route } from "../../routes/route.ts"
import {
  operationsRowId,
  outlineRows,
  showsOperations,
  workflowGroupId,
  type OutlineSource,
} from "./outline.ts"

const operations = (number: number): readonly OperationView[] =>
  Array.from({ length: number }, (_, index) => ({
    name: `read${index}`,
    method: "GET",
    path: `/things/${index}`,
    resources: index === 0 ? [] : ["things", "others"],
  }))

const projectOf = (apis: number): ProjectView => ({
  revision: 1,
  name: "webshop",
  workflows: [{ name: "checkout", apis: [] }],
  apis: Array.from({ length: apis }, (_, index) => ({
    name: `api-${index}`,
    document: { file: `apis/api-${index}/openapi.json` },
    environments: [{ name: "local", level: "local" as const }],
    requests: [],
  })),
})

const failed = { status: "failed", isEdited: false, startedAt: "2026-01-01T00:00:00Z" } as const

const sourceOf = (changes: Partial<OutlineSource>): OutlineSource => ({
  project: projectOf(1),
  operations: new Map(),
  chosen: new Map(),
  outcomes: new Map(),
  unsaved: new Map(),
  changes: new Map(),
  ...changes,
})

const unsaved = (...routes: readonly Route[]): OutlineSource["unsaved"] =>
  new Map(routes.map((route) => [hashOf(route), route]))

const read = (number: number, apis = 1): OutlineSource["operations"] =>
  new Map(
    Array.from({ length: apis }, (_, index) => [
      `api-${index}`,
      { api: `api-${index}`, hasFailed: false, view: { operations: operations(number), problems: [] } },
    ]),
  )

const labels = (source: OutlineSource): readonly string[] =>
  outlineRows(source).map(({ depth, label }) => `${"-".repeat(depth)} ${label}`)

describe("the outline", () => {
  it("marks unsaved changes", () => {
    const rows = outlineRows(sourceOf({ unsaved: unsaved({ kind: "workflow", workflow: "checkout" }) }))
    expect(rows.filter(({ isUnsaved }) => isUnsaved === true).map(({ label }) => label)).toEqual(["checkout"])
  })

  it("keeps a deleted file with unsaved changes, and no other deleted file", () => {
    const rows = outlineRows(
      sourceOf({
        operations: read(1),
        unsaved: unsaved(
          { kind: "workflow", workflow: "refund" },
          { kind: "workflow", workflow: "checkout" },
          { kind: "request", api: "api-0", resource: "orders", request: "gift" },
          { kind: "request", api: "nowhere", resource: "orders", request: "lost" },
        ),
      }),
    )
    expect(rows.filter(({ isGone }) => isGone === true).map(({ label }) => label)).toEqual(["refund", "gift"])
    expect(rows.filter(({ isUnsaved }) => isUnsaved === true).map(({ label }) => label)).toEqual([
      "checkout",
      "refund",
      "gift",
    ])
  })

  it("lists saved requests above operations, in folders, with their methods", () => {
    const project = projectOf(1)
    const requests = [
      { resource: "orders", name: "gift", target: "read1" },
      { resource: "orders", name: "raw", target: "PUT /things" },
      { resource: "parcels", name: "small", target: "unknown" },
    ]
    const apis = project.apis.map((api) => ({ ...api, requests }))
    const rows = outlineRows(sourceOf({ project: { ...project, apis }, operations: read(2) }))
    const shown = rows.flatMap(({ depth, label, method, count }) =>
      depth < 3 ? [] : [[depth, label, method ?? count]],
    )
    expect(shown.slice(2, 10)).toEqual([
      [3, "Saved requests", 3],
      [4, "orders", 2],
      [5, "gift", "GET"],
      [5, "raw", "PUT"],
      [4, "parcels", 1],
      [5, "small", undefined],
      [3, "Operations", 2],
      [4, "No resource", 1],
    ])
  })

  it("lists callsheet.json, also if it was deleted and has unsaved changes", () => {
    const settings = (source: OutlineSource) =>
      outlineRows(source).flatMap(({ id, kind, label, isGone }) =>
        id === "#/settings" ? [[kind, label, isGone]] : [],
      )
    const project = { ...projectOf(1), suites: ["smoke"] }
    expect(settings(sourceOf({ project }))).toEqual([["leaf", "callsheet.json", undefined]])
    expect(settings(sourceOf({}))).toEqual([])
    expect(settings(sourceOf({ unsaved: unsaved({ kind: "settings" }) }))).toEqual([
      ["leaf", "callsheet.json", true],
    ])
  })

  it("lists the suites with the outcome of their last run", () => {
    const project = { ...projectOf(1), suites: ["checkout", "smoke"] }
    const outcomes = new Map([["suite/checkout", failed]])
    const rows = outlineRows(sourceOf({ project, outcomes }))
    expect(rows.flatMap(({ id, outcome }) => (id.startsWith("#/suites/") ? [[id, outcome]] : []))).toEqual([
      ["#/suites/checkout", failed],
      ["#/suites/smoke", undefined],
    ])
    expect(rows.find(({ id }) => id === "#/workflows/checkout")?.outcome).toBeUndefined()
  })

  it("groups three or more workflows with the same prefix, unless all have it", () => {
    const names = ["cart-add", "cart-empty", "cart-pay", "cartoon", "login-a", "login-b", "x"]
    const withNames = (workflows: readonly string[]) => ({
      ...projectOf(0),
      workflows: workflows.map((name) => ({ name, apis: [] })),
    })
    const rows = (changes: Partial<OutlineSource>) =>
      outlineRows(sourceOf(changes))
        .filter(({ id }) => id.startsWith("#/workflows/") || id.startsWith("workflows/"))
        .map(({ depth, label }) => `${"-".repeat(depth)} ${label}`)
        .slice(0, -1)
    const project = withNames(names)
    expect(rows({ project })).toEqual([
      "-- cart-…",
      ...names.slice(0, 3).map((name) => `--- ${name}`),
      ...names.slice(3).map((name) => `-- ${name}`),
    ])
    const chosen = new Map([[workflowGroupId("cart-pay"), false]])
    expect(rows({ project, chosen })[1]).toBe("-- cartoon")
    expect(rows({ project: withNames(names.slice(0, 3)) })).toEqual(
      names.slice(0, 3).map((name) => `-- ${name}`),
    )
  })

  it("marks files that differ from the last commit", () => {
    const changes = new Map([["#/workflows/checkout", "new"] as const])
    expect(
      outlineRows(sourceOf({ changes })).flatMap(({ label, change }) => (change ? [label] : [])),
    ).toEqual(["checkout"])
  })

  it("opens a small project, with operations up to their first resource", () => {
    expect(labels(sourceOf({ operations: read(3) }))).toEqual([
      "- Workflows",
      "-- checkout",
      "-- New workflow…",
      "- Suites",
      "-- New suite…",
      "- APIs",
      "-- api-0",
      "--- Environments",
      "---- local",
      "--- Operations",
      "---- No resource",
      "----- /things/0",
      "---- things",
      "----- /things/1",
      "----- /things/2",
      "-- Add an OpenAPI document…",
      "-- Import requests…",
    ])
  })

  it("marks workflows with the outcome of their last run", () => {
    const rows = outlineRows(sourceOf({ outcomes: new Map([["checkout", failed]]) }))
    expect(rows.flatMap(({ label, outcome }) => (outcome === undefined ? [] : [[label, outcome]]))).toEqual([
      ["checkout", failed],
    ])
  })

  it("keeps resources with many operations, and the APIs of a large project, closed", () => {
    const rows = outlineRows(sourceOf({ operations: read(500) }))
    expect(rows.map(({ label, isOpen }) => [label, isOpen])).toContainEqual(["things", false])
    const large = sourceOf({ project: projectOf(20) })
    expect(outlineRows(large).filter(({ kind }) => kind === "api")).toHaveLength(20)
    expect(outlineRows(large).filter(({ isOpen }) => isOpen)).toHaveLength(3)
    expect(showsOperations(large, "api-0")).toBe(false)
  })

  it("follows the user's choice over its defaults", () => {
    const chosen = new Map([[operationsRowId("api-0"), false]])
    expect(labels(sourceOf({ chosen, operations: read(3) }))).not.toContain("---- things")
    expect(showsOperations(sourceOf({ chosen }), "api-0")).toBe(false)
    expect(showsOperations(sourceOf({}), "api-0")).toBe(true)
  })

  it("shows that operations are loading or could not be read", () => {
    expect(labels(sourceOf({}))).toContain("---- Loading…")
    const failed = new Map([["api-0", { api: "api-0", hasFailed: true, view: undefined }]])
    expect(labels(sourceOf({ operations: failed }))).toContain("---- Could not be read")
  })

  it("ends at operations that are still loading, so that nothing below them moves", () => {
    const apis = (source: OutlineSource) =>
      outlineRows(source)
        .filter(({ kind }) => kind === "api")
        .map(({ label }) => label)
    const project = projectOf(3)
    expect(apis(sourceOf({ project, operations: read(2) }))).toEqual(["api-0", "api-1"])
    expect(labels(sourceOf({ project, operations: read(2) })).at(-1)).toBe("---- Loading…")
    expect(apis(sourceOf({ project, operations: read(2, 3) }))).toEqual(["api-0", "api-1", "api-2"])
    const chosen = new Map([[operationsRowId("api-1"), true]])
    expect(apis(sourceOf({ project, chosen, operations: read(2) }))).toEqual(["api-0", "api-1", "api-2"])
  })

  it("numbers every row among its siblings, and gives no two the same id", () => {
    const rows = outlineRows(sourceOf({ project: projectOf(3), operations: read(9, 3) }))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(
      rows.filter(({ kind }) => kind === "api").map(({ position, siblings }) => [position, siblings]),
    ).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
    ])
  })
})
