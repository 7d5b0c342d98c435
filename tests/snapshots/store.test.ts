// `run --snapshots update` and `new` store responses, and learn which values change.

import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { differencesOf, get, openSnapshotProject, workflow } from "./snapshot-project.ts"

describe("run --snapshots update", () => {
  it("stores the status, the content type and the body", async () => {
    const { run, snapshot } = await openSnapshotProject()
    const { exitCode, stderr } = await run("checkout --snapshots update")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "snapshots: 2 stored, 0 unchanged\n" })
    expect(await snapshot("checkout/create.json")).toEqual({
      version: 1,
      status: 200,
      contentType: "application/json",
      body: expect.objectContaining({ total: 10, state: "open" }),
    })
  })

  it("writes nothing if only noise differs", async () => {
    const { run, folder } = await openSnapshotProject()
    await run("checkout --snapshots update")
    const file = join(folder, "snapshots/checkout/create.json")
    const before = await readFile(file, "utf8")
    expect((await run("checkout --snapshots update")).stderr).toBe("snapshots: 0 stored, 2 unchanged\n")
    expect(await readFile(file, "utf8")).toBe(before)
  })

  it("keeps the places of changed values as noise, but not those of changed types", async () => {
    const { run, changes, snapshot } = await openSnapshotProject()
    await run("checkout --snapshots update")
    changes.set("create", ({ body }) => {
      body["total"] = 11
      body["state"] = 5
      body["items"] = [
        { sku: "Z*/~", amount: 1, "a*/~": 1 },
        { sku: "B-2", amount: 2 },
      ]
    })
    const { stderr } = await run("checkout --snapshots update")
    expect(stderr).toContain(
      "snapshots/checkout/create.json: differences at /body/total, /body/items/*/sku no longer count",
    )
    expect((await snapshot("checkout/create.json"))["noise"]).toEqual(["/body/items/*/sku", "/body/total"])
    changes.set("create", ({ body }) => {
      body["total"] = 12
      body["state"] = 6
      body["items"] = [
        { sku: "Y", amount: 1, "a*/~": 2 },
        { sku: "X", amount: 2 },
      ]
    })
    const { report } = await run("checkout --snapshots check --json")
    expect(differencesOf(report?.runs[0]?.blocks[0])).toEqual([
      ["create.response.body.state", 5, 6],
      ["create.response.body.items[0].a*/~", 1, 2],
    ])
    await run("checkout --snapshots update")
    expect((await snapshot("checkout/create.json"))["noise"]).toContain("/body/items/*/a~2~1~0")
  })

  it("keeps noise until its place is gone", async () => {
    const { run, changes, snapshot } = await openSnapshotProject()
    await run("checkout --snapshots update")
    changes.set("create", ({ body }) => (body["total"] = 11))
    await run("checkout --snapshots update")
    changes.set("create", ({ body }) => (body["note"] = "new"))
    await run("checkout --snapshots update")
    expect((await snapshot("checkout/create.json"))["noise"]).toEqual(["/body/total"])
    changes.set("create", ({ body }) => delete body["total"])
    await run("checkout --snapshots update")
    expect(await snapshot("checkout/create.json")).not.toHaveProperty("noise")
  })

  it("keeps the last attempt of repeats and retries", async () => {
    const { run, changes, snapshot } = await openSnapshotProject()
    let calls = 0
    changes.set("create", ({ body }) => (body["total"] = ++calls))
    await run("checkout --snapshots update --repeat 3")
    expect((await snapshot("checkout/create.json"))["body"]).toMatchObject({ total: 3 })
  })

  it("doesn't store a response that didn't arrive", async () => {
    const { run, folder, changes } = await openSnapshotProject()
    changes.set("create", ({ headers }) => (headers["content-encoding"] = "gzip"))
    expect((await run("checkout --snapshots update")).exitCode).toBe(1)
    expect(existsSync(join(folder, "snapshots"))).toBe(false)
  })

  it("writes exact big integers and a body of text", async () => {
    const { run, folder, changes } = await openSnapshotProject()
    const exact = '{"big": 12345678901234567890}'
    changes.set("create", (order) => Object.assign(order, { body: exact }))
    changes.set("pay", (order) =>
      Object.assign(order, { body: "ok", headers: { "content-type": "text/plain" } }),
    )
    await run("checkout --snapshots update")
    changes.set("create", (order) => Object.assign(order, { body: exact.replace("90}", "91}") }))
    const { report } = await run("checkout --snapshots check --json")
    expect(report?.runs[0]?.blocks[0]?.error?.code).toBe("snapshot-differs")
    expect(await readFile(join(folder, "snapshots/checkout/pay.json"), "utf8")).toContain('"body": "ok"')
  })
})

describe("run --snapshots new", () => {
  it("stores only what is missing", async () => {
    const { run, changes, snapshot, write } = await openSnapshotProject()
    await run("checkout --snapshots new")
    const before = await snapshot("checkout/create.json")
    changes.set("create", ({ body }) => (body["total"] = 11))
    await write({ "apis/workflow/checkout.json": workflow(get("create"), get("pay"), get("ship")) })
    const { exitCode, stderr } = await run("checkout --snapshots new")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "snapshots: 1 stored, 2 unchanged\n" })
    expect(await snapshot("checkout/create.json")).toEqual(before)
    expect(await snapshot("checkout/ship.json")).toMatchObject({ status: 200 })
  })
})

describe("in CI", () => {
  it.each(["update", "new"])("%s needs --force", async (mode) => {
    const { run, folder } = await openSnapshotProject()
    const env = { CI: "true" }
    const { exitCode, stderr } = await run(`checkout --snapshots ${mode}`, { env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`--snapshots ${mode} stores responses, which CI should only check`)
    expect(existsSync(join(folder, "snapshots"))).toBe(false)
    expect(await run(`checkout --snapshots ${mode} --force`, { env })).toMatchObject({ exitCode: 0 })
    expect(await run("checkout --snapshots check", { env })).toMatchObject({ exitCode: 0 })
  })
})

describe("the names of snapshots", () => {
  it("have the entry, the row, the expanded id, and a number for equal ids", async () => {
    const { run, folder } = await openSnapshotProject({
      "apis/workflow/checkout.json": {
        version: 1,
        inputs: { n: { type: "number", default: 0 } },
        blocks: [
          {
            id: "loop",
            type: "loop",
            mode: "times",
            count: 3,
            iteratorVar: "i",
            blocks: [get("get-{{i}}", 1), get("same", 1)],
          },
          get("a/b:c", 1),
          get("con", 1),
          get("Case", 1),
          get("case", 1),
        ],
      },
      "rows.json": [{ n: 1 }, { n: 2 }],
      "callsheet.json": {
        version: 1,
        suites: { all: { workflows: [{ workflow: "checkout", as: "first@1" }] } },
      },
    })
    const list = async (name: string) => (await readdir(join(folder, "snapshots", name))).sort()
    await run("--suite all --snapshots new")
    const names = [
      "%63ase.json",
      "%63on.json",
      "Case.json",
      "a%2Fb%3Ac.json",
      "get-0.json",
      "get-1.json",
      "get-2.json",
      "same.2.json",
      "same.3.json",
      "same.json",
    ]
    expect(await list("first%401")).toEqual(names)
    await run("checkout --data rows.json --snapshots new")
    expect(await list("checkout@1")).toEqual(names)
    expect(await list("checkout@2")).toEqual(names)
    for (const words of ["--suite all", "checkout --data rows.json"]) {
      const { exitCode, report } = await run(`${words} --snapshots check --json`)
      expect({ words, exitCode, warnings: report?.warnings }).toMatchObject({ exitCode: 0 })
      expect(report?.warnings?.filter(({ code }) => code === "snapshot-missing") ?? []).toEqual([])
    }
  })

  it("fit any disk, however long an id is", async () => {
    const ids = ["x".repeat(400), `${"x".repeat(399)}y`, "\u{1F600}".repeat(90)]
    const { run, folder } = await openSnapshotProject({
      "apis/workflow/checkout.json": workflow(...ids.map((id) => get(id, 1))),
    })
    await run("checkout --snapshots new")
    expect(await readdir(join(folder, "snapshots/checkout"))).toHaveLength(3)
    const { exitCode, stdout } = await run("checkout --snapshots check")
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain("snapshot-missing")
  })
})
