// `run --snapshots check` finds every change of a response that isn't noise.

import { describe, expect, it } from "vitest"
import { differencesOf, get, openSnapshotProject, workflow, type Order } from "./snapshot-project.ts"

type Case = readonly [
  what: string,
  change: (order: Order) => void,
  place: string,
  expected?: unknown,
  received?: unknown,
]

const real: readonly Case[] = [
  ["a status", (one) => (one.status = 201), "response.status", 200, 201],
  [
    "a content type",
    (one) => (one.headers["content-type"] = "application/json; charset=utf-8"),
    "response.headers.content-type",
    "application/json",
    "application/json; charset=utf-8",
  ],
  ["a value", (one) => (one.body["total"] = 11), "response.body.total", 10, 11],
  ["a type", (one) => (one.body["total"] = "10"), "response.body.total", 10, "10"],
  ["a vanished field", (one) => delete one.body["state"], "response.body.state", "open", undefined],
  ["an added field", (one) => (one.body["note"] = 1), "response.body.note", undefined, 1],
  [
    "an added item",
    (one) => (one.body["items"] as object[]).push({ sku: "C" }),
    "response.body.items[2]",
    undefined,
    { sku: "C" },
  ],
  ["a vanished id", (one) => delete one.body["id"], "response.body.id", expect.any(String), undefined],
  ["an id that isn't a UUID", (one) => (one.body["id"] = "x"), "response.body.id", expect.any(String), "x"],
  ["a null", (one) => (one.body["createdAt"] = null), "response.body.createdAt", expect.any(String), null],
]

describe("run --snapshots check", () => {
  it("passes while only values differ that the contract calls ids, times or read-only", async () => {
    const { run } = await openSnapshotProject()
    expect(await run("checkout --snapshots new")).toMatchObject({ exitCode: 0 })
    const { exitCode, report } = await run("checkout --snapshots check --json")
    expect({ exitCode, warnings: report?.warnings }).toEqual({ exitCode: 0, warnings: undefined })
  })

  it("finds each change", async () => {
    const { run, changes } = await openSnapshotProject()
    await run("checkout --snapshots new")
    for (const [what, change, place, expected, received] of real) {
      changes.set("create", change)
      const { exitCode, report } = await run("checkout --snapshots check --json")
      const [block] = report?.runs[0]?.blocks ?? []
      expect({ what, exitCode, code: block?.error?.code, differences: differencesOf(block) }).toEqual({
        what,
        exitCode: 1,
        code: "snapshot-differs",
        differences: [[`create.${place}`, expected, received]],
      })
      const message = `the response differs from snapshots/checkout/create.json: ${place} (to accept it`
      expect(block?.error?.message).toContain(message)
    }
  })

  it("says where the snapshot has the value, in every reporter", async () => {
    const { run, changes, folder } = await openSnapshotProject()
    await run("checkout --snapshots new")
    changes.set("create", ({ body }) => {
      body["total"] = 11
      body["state"] = "paid"
    })
    const names = ["pretty", "junit", "ctrf", "github", "html"]
    const { stdout } = await run(
      `checkout --snapshots check --json ${names.map((name) => `--reporter ${name}=out.${name}`).join(" ")}`,
    )
    const { readFile } = await import("node:fs/promises")
    const texts = await Promise.all(names.map((name) => readFile(`${folder}/out.${name}`, "utf8")))
    for (const text of [stdout, ...texts]) expect(text).toContain("snapshots/checkout/create.json")
    for (const text of [stdout, texts[0], texts[1], texts[4]]) expect(text).toContain("snapshot-differs")
    expect(texts[0]).toContain("create.response.body.total equals  snapshots/checkout/create.json:9:14")
    expect(texts[0]).toMatch(/expected {2}10\n {8}received {2}11/)
    expect(texts[4]).toContain("create.response.body.state")
  })

  it("warns about a response without a snapshot, and not about a branch that isn't taken", async () => {
    const branch = {
      id: "choice",
      type: "condition",
      if: { source: "create.response.body.total", operator: "equals", value: 10 },
      then: [get("taken")],
      else: [get("other")],
    }
    const { run } = await openSnapshotProject({
      "apis/workflow/checkout.json": workflow(get("create"), branch),
    })
    const { exitCode, report } = await run("checkout --snapshots check --json")
    expect(exitCode).toBe(0)
    const code = "snapshot-missing"
    const taken = 'the response of "taken" has no snapshot (snapshots/checkout/taken.json)'
    expect(report?.warnings).toEqual([
      expect.objectContaining({ code, file: "apis/workflow/checkout.json", line: 7 }),
      expect.objectContaining({ code, message: expect.stringContaining(taken) as string }),
    ])
  })

  it("retries a difference like any failure", async () => {
    const { run, changes } = await openSnapshotProject()
    await run("checkout --snapshots new")
    let calls = 0
    changes.set("create", ({ body }) => (body["total"] = calls++ === 0 ? 11 : 10))
    const { exitCode, report } = await run("checkout --snapshots check --retries 1 --json")
    expect(exitCode).toBe(0)
    expect(report?.runs.map(({ status, flaky }) => [status, flaky])).toEqual([
      ["failed", undefined],
      ["passed", true],
    ])
  })

  it("ignores the places of callsheet.json, but no changed type and no vanished field", async () => {
    const { run, changes } = await openSnapshotProject({
      "callsheet.json": { version: 1, snapshots: { ignore: ["/body/items", "/body/total"] } },
    })
    await run("checkout --snapshots new")
    changes.set("create", ({ body }) => {
      body["total"] = 12
      body["items"] = [{ sku: "Z", amount: 9 }]
    })
    expect(await run("checkout --snapshots check")).toMatchObject({ exitCode: 0 })
    changes.set("create", ({ body }) => {
      body["total"] = "12"
      body["items"] = [{ sku: "Z" }]
    })
    const { report } = await run("checkout --snapshots check --json")
    expect(differencesOf(report?.runs[0]?.blocks[0])).toEqual([
      ["create.response.body.total", 10, "12"],
      ["create.response.body.items[0].amount", 1, undefined],
    ])
  })

  it("refuses a place that isn't in a body", async () => {
    const { run } = await openSnapshotProject({
      "callsheet.json": { version: 1, snapshots: { ignore: ["items.0.id"] } },
    })
    const { exitCode, stderr } = await run("checkout --snapshots check")
    expect(exitCode).toBe(2)
    expect(stderr).toContain('"items.0.id" is not a place in a body')
  })
})
