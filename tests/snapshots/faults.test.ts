// Snapshots that are broken, unused, or would contain a secret.

import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { get, openSnapshotProject, workflow } from "./snapshot-project.ts"

const secretFile = { "apis/shop/environments/local.secrets.env": "key=s3cr3t-of-the-shop\n" }

async function allSnapshots(folder: string): Promise<string> {
  const names = await readdir(join(folder, "snapshots"), { recursive: true })
  const files = names.filter((name) => name.endsWith(".json"))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, "snapshots", name), "utf8")))
  return [...names, ...texts].join("\n")
}

describe("secrets", () => {
  it("are masked in snapshots, and a masked value has no difference", async () => {
    const { run, changes, folder } = await openSnapshotProject(secretFile)
    changes.set("create", ({ body, headers }) => {
      body["key"] = "s3cr3t-of-the-shop"
      body["s3cr3t-of-the-shop"] = 1
      body["note"] = "the key is s3cr3t-of-the-shop!"
      headers["content-type"] = "application/json; key=s3cr3t-of-the-shop"
    })
    expect(await run("checkout --snapshots update --verify-no-leak")).toMatchObject({ exitCode: 0 })
    const stored = await allSnapshots(folder)
    expect(stored).toContain('"the key is ***!"')
    expect(stored).not.toContain("s3cr3t")
    expect(await run("checkout --snapshots check")).toMatchObject({ exitCode: 0 })
  })

  it("are masked in snapshots even if a script declares them later, in other blocks", async () => {
    const script = { id: "learn", type: "script", script: { name: "learn", exportName: "learn" } }
    const { run, changes, folder } = await openSnapshotProject({
      "apis/workflow/checkout.json": workflow(get("create"), script, get("pay")),
      "apis/workflow/scripts/checkout/learn.ts":
        'export const learn = (ctx: any) => { ctx.secret(ctx.get("create.response.body.ticket")) }\n',
    })
    let tickets = 0
    for (const id of ["create", "pay"])
      changes.set(id, ({ body }) => (body["ticket"] = `ticket-number-${Math.floor(tickets++ / 2)}`))
    const { exitCode, stdout } = await run("checkout --snapshots update")
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
    expect(await allSnapshots(folder)).not.toContain("ticket-number")
    // The first response isn't masked yet when it is compared.
    const checked = await run("checkout --snapshots check")
    expect(checked).toMatchObject({ exitCode: 0 })
    changes.set("create", ({ body }) => (body["ticket"] = null))
    expect((await run("checkout --snapshots check")).stdout).toContain("snapshot-differs")
  })

  it("never name a file", async () => {
    const loop = {
      id: "loop",
      type: "loop",
      mode: "forEach",
      source: "create.response.body.keys",
      iteratorVar: "key",
      blocks: [get("use-{{key}}", 1)],
    }
    const { run, changes, folder } = await openSnapshotProject({
      ...secretFile,
      "apis/workflow/checkout.json": workflow(get("create"), loop),
    })
    changes.set("create", ({ body }) => (body["keys"] = ["s3cr3t-of-the-shop"]))
    expect(await run("checkout --snapshots update")).toMatchObject({ exitCode: 0 })
    expect(await allSnapshots(folder)).not.toContain("s3cr3t")
    expect((await run("checkout --snapshots check")).stdout).not.toContain("snapshot-missing")
  })

  it("must be guessed while responses are stored", async () => {
    const { run } = await openSnapshotProject()
    const { exitCode, stderr } = await run("checkout --snapshots update --no-guess-secrets")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--snapshots update can't be used with --no-guess-secrets")
  })
})

const broken: readonly (readonly [what: string, text: string, problem: RegExp])[] = [
  ["is not JSON", '{\n  "version": 1,\n  oops', /:3:3: .*\(json-syntax\)/],
  ["is cut", '{ "version": 1, "status"', /create\.json:1:\d+: .*\(json-syntax\)/],
  ["has another version", '{ "version": 2, "status": 200 }', /:1:14: .*\(version-invalid\)/],
  ["has no status", '{ "version": 1 }', /"status".*\(field-missing\)/],
  ["has another status", '{ "version": 1, "status": "200" }', /:1:27: status is a string.*\(field-type\)/],
  ["has an unknown field", '{ "version": 1, "status": 200, "extra": 1 }', /"extra".*\(field-unknown\)/],
  [
    "has a broken place",
    '{ "version": 1, "status": 200, "noise": ["total"] }',
    /:1:42: noise\[0\]: "total" is not a place in a body \(field-value\)/,
  ],
  ["has conflict markers", "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", /:1:1: .*\(file-conflict\)/],
]

describe("a snapshot that", () => {
  it.each(broken)("%s keeps a run from starting, and keeps its text", async (_what, text, problem) => {
    const { run, folder } = await openSnapshotProject({ "snapshots/checkout/create.json": text })
    for (const mode of ["check", "update", "new"]) {
      const { exitCode, stderr, stdout } = await run(`checkout --snapshots ${mode}`)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toMatch(problem)
      expect(stderr).toContain("snapshots/checkout/create.json")
    }
    const validated = await callsheet(["validate"], { folder })
    expect(validated.exitCode).toBe(1)
    expect(validated.stdout).toMatch(problem)
    expect(await readFile(join(folder, "snapshots/checkout/create.json"), "utf8")).toBe(text)
  })

  it("is too large keeps a run from starting", async () => {
    const { run, folder } = await openSnapshotProject({ "snapshots/checkout/x.json": "{}" })
    await writeFile(join(folder, "snapshots/checkout/create.json"), Buffer.alloc(65 * 1024 * 1024, " "))
    await rm(join(folder, "snapshots/checkout/x.json"))
    const { exitCode, stderr } = await run("checkout --snapshots check")
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/snapshots\/checkout\/create\.json: .*64 MiB.*\(file-unreadable\)/)
  })

  it("is a link out of the project is neither read nor written", async () => {
    const { run, folder } = await openSnapshotProject()
    await mkdir(join(folder, "snapshots"))
    await symlink("/tmp", join(folder, "snapshots/checkout"))
    for (const mode of ["check", "update"]) {
      const { exitCode, stderr } = await run(`checkout --snapshots ${mode}`)
      expect(exitCode).toBe(2)
      expect(stderr).toContain("link-outside")
    }
  })

  it("another workflow has doesn't concern a run", async () => {
    const { run } = await openSnapshotProject({ "snapshots/other/create.json": "oops" })
    expect(await run("checkout --snapshots check")).toMatchObject({ exitCode: 0 })
  })
})

describe("validate", () => {
  it("warns about snapshots that nothing uses", async () => {
    const file = { version: 1, status: 200 }
    const { folder } = await openSnapshotProject({
      "apis/workflow/checkout.json": workflow(get("create"), {
        id: "loop",
        type: "loop",
        mode: "times",
        count: 20,
        iteratorVar: "i",
        blocks: [get("item-{{i}}", 1)],
      }),
      "callsheet.json": {
        version: 1,
        suites: { all: { workflows: [{ workflow: "checkout", as: "twice" }] } },
      },
      "snapshots/checkout/create.json": file,
      "snapshots/checkout/create.2.json": file,
      "snapshots/checkout@3/item-10.json": file,
      "snapshots/twice/create.json": file,
      "snapshots/checkout/gone.json": file,
      "snapshots/removed/create.json": file,
      "snapshots/README.md": "Stored responses\n",
    })
    const { exitCode, stdout } = await callsheet(["validate", "--json"], { folder })
    const { problems } = JSON.parse(stdout) as { problems: { code: string; file: string; message: string }[] }
    expect(exitCode).toBe(0)
    expect(problems.map(({ code, file, message }) => [code, file, message])).toEqual([
      [
        "snapshot-unused",
        "snapshots/checkout/gone.json",
        'checkout has no request block "gone", so nothing uses this snapshot',
      ],
      [
        "snapshot-unused",
        "snapshots/removed/create.json",
        'no workflow and no entry of a suite is named "removed", so nothing uses this snapshot',
      ],
    ])
    expect((await callsheet(["validate", "checkout", "--json"], { folder })).stdout).not.toContain("removed")
  })
})
