// What writes `callsheet.baseline.json`, and what is wrong with the file.

import { mkdir, rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { jsonSchemaOf } from "@callsheet/format"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { BASELINE, broken, openProject, price, schemas, total, type TestProject } from "./baseline-project.ts"

let project: TestProject
beforeEach(async () => {
  project = await openProject()
})
afterEach(() => project.close())

const blank = ({ reason: _, expires: __, ...entry }: typeof total) => ({ ...entry, reason: "" })

interface Problem {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly hint?: string
}

async function problems(): Promise<readonly Problem[]> {
  const { stdout } = await project.call(["validate", "--json"])
  return (JSON.parse(stdout) as { problems: readonly Problem[] }).problems
}

describe("run --update-baseline", () => {
  it("writes an entry per violation, doesn't fail because of them, and says what it added", async () => {
    const { exitCode, report, stderr } = await project.run("--update-baseline")
    expect(exitCode).toBe(0)
    expect(report.runs[0]?.blocks[0]?.contract?.status).toBe("known")
    expect(await project.entries()).toEqual([blank(price), blank(total)])
    expect(stderr).toContain("callsheet.baseline.json: added 2 violations, now 2 known")
    expect(stderr).toContain("GET /orders  200  /body/items/*/price  type")
    expect((await project.run()).exitCode).toBe(0)
  })

  it("keeps the entries, reasons and days of what it doesn't see, and refreshes pointers", async () => {
    const gone = { ...total, path: "/body/gone", reason: "kept", expires: "2099-01-31" }
    const moved = { ...price, schema: `${schemas}/Old/properties/price/type`, reason: "mine" }
    await project.baseline(gone, moved)
    await project.run("--update-baseline")
    expect(await project.entries()).toEqual([gone, { ...price, reason: "mine" }, blank(total)])
  })

  it("still fails because of an expired entry and of anything else", async () => {
    await project.baseline({ ...total, expires: "2020-01-31" })
    expect((await project.run("--update-baseline")).exitCode).toBe(1)
    expect(await project.entries()).toHaveLength(2)
    project.answer({}, { headers: { "content-type": "application/json", "content-length": "9" } })
    expect((await project.run("--update-baseline")).exitCode).toBe(1)
  })

  it("needs --force in CI, where it would otherwise accept everything", async () => {
    const inCi = { env: { CI: "true" } }
    const refused = await project.call(["run", "--all", "--update-baseline"], inCi)
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("needs --force in CI") })
    expect(await project.text()).toBeUndefined()
    const forced = await project.call(["run", "--all", "--update-baseline", "--force"], inCi)
    expect(forced.exitCode).toBe(0)
    expect(await project.entries()).toHaveLength(2)
    expect((await project.call(["run", "--all", "--force"])).exitCode).toBe(2)
    expect((await project.call(["run", "--all", "--update-baseline", "--watch"])).exitCode).toBe(2)
  })

  it("writes nothing if nothing is wrong, and says so if nothing is checked", async () => {
    project.answer({ total: 3 })
    expect((await project.run("--update-baseline")).stderr).toContain("nothing to add")
    expect(await project.text()).toBeUndefined()
    const block = { id: "a", type: "request", request: { api: "shop", operation: "ping" } }
    await project.write({ "apis/workflow/all.json": { version: 1, blocks: [block] } })
    expect((await project.run("--update-baseline")).stderr).toContain(
      "no workflow of the run has validateContracts",
    )
  })

  it("writes undocumented statuses, media types and missing bodies with their own places", async () => {
    project.ping({ status: 418 })
    project.answer("<p>", { headers: { "content-type": "text/html" } })
    await project.run("--update-baseline")
    expect(
      (await project.entries()).map(({ operation, status, path, schema }) => [
        operation,
        status,
        path,
        schema,
      ]),
    ).toEqual([
      ["GET /orders", 200, "/headers/content-type", "openapi.json#/paths/~1orders/get/responses/200/content"],
      ["GET /ping", 418, "/status", "openapi.json#/paths/~1ping/get/responses"],
    ])
  })
})

describe("callsheet baseline", () => {
  it("update adds what records contain, and only once", async () => {
    await project.call(["run", "--all", "--record=a"])
    const { exitCode, stderr } = await project.call(["baseline", "update", "a", "a"])
    expect(exitCode).toBe(0)
    expect(stderr).toContain("added 2 violations")
    expect(await project.entries()).toEqual([blank(price), blank(total)])
    const before = await project.text()
    expect((await project.call(["baseline", "update", "a"])).stderr).toContain(
      "nothing to add, 2 known violations",
    )
    expect(await project.text()).toBe(before)
  })

  it("status tells known, stale, expired and unreached entries apart", async () => {
    const gone = { ...total, path: "/body/gone" }
    const expired = { ...price, expires: "2020-01-31" }
    const never = { ...total, operation: "GET /never" }
    await project.baseline(total, gone, expired, never)
    await project.call(["run", "--all", "--record=a"])
    const { exitCode, stdout } = await project.call(["baseline", "status", "a", "--json"])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      known: [total],
      stale: [gone],
      expired: [expired],
      unreached: [never],
    })
    const { stdout: text } = await project.call(["baseline", "status", "a"])
    expect(text).toContain("callsheet.baseline.json: 1 known, 1 stale, 1 expired, 1 unreached")
  })

  it("prune removes what a record proves stale, and nothing that an empty list hides", async () => {
    await project.baseline(total, price, { ...total, operation: "GET /never" })
    project.answer({ total: 3, items: [] })
    await project.call(["run", "--all", "--record=a"])
    const { stderr } = await project.call(["baseline", "prune", "a"])
    expect(stderr).toContain("removed 1 stale violation")
    expect((await project.entries()).map(({ operation, path }) => [operation, path])).toEqual([
      ["GET /orders", "/body/items/*/price"],
      ["GET /never", "/body/total"],
    ])
    expect((await project.call(["baseline", "prune", "a"])).stderr).toContain("nothing to remove")
  })

  it("prunes nothing by a record that was cut, or by one shard of several", async () => {
    await project.baseline({ ...total, path: "/body/gone" })
    await project.call(["run", "--all", "--record=a"])
    const { readFile, writeFile } = await import("node:fs/promises")
    const bytes = await readFile(join(project.folder, "a"))
    await writeFile(join(project.folder, "cut"), bytes.subarray(0, bytes.length - 20))
    const cut = await project.call(["baseline", "prune", "cut"])
    expect(cut).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("record-invalid") })
    await project.call(["run", "--all", "--shard=1/2", "--record=shard"])
    expect((await project.call(["baseline", "status", "shard"])).exitCode).toBe(2)
    expect(await project.entries()).toHaveLength(1)
    expect((await project.call(["baseline", "update", "cut"])).exitCode).toBe(2)
  })

  it("needs a record, and completes its names", async () => {
    expect(await project.call(["baseline", "update"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("<record> is missing"),
    })
    const { stdout } = await project.call(["completion", "fish", "--", "baseline", ""])
    expect(stdout).toMatch(/^update\t[^]*^status\t[^]*^prune\t/m)
    expect((await project.call(["baseline", "prune", "--help"])).stdout).toContain(
      "Remove entries of the baseline",
    )
  })
})

describe("secrets and names that a server chose", () => {
  it("never reach the file, and still match in the next run", async () => {
    const generated = "sk_live_51HxAbCdEf0123456789"
    const closed = { type: "object", additionalProperties: { type: "integer" } }
    await project.write({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: {
          "/orders": {
            get: {
              operationId: "listOrders",
              responses: { 200: { description: "", content: { "application/json": { schema: closed } } } },
            },
          },
          "/ping": { get: { operationId: "ping", responses: { 200: { description: "" } } } },
        },
      },
    })
    project.answer({
      "s3cret-token-canary": "x",
      [generated]: "y",
      "a/b~c": "z",
      "\u202eevil\u001b[2J": "w",
      __proto__x: "v",
    })
    expect((await project.run("--update-baseline")).exitCode).toBe(0)
    const text = (await project.text()) ?? ""
    expect(text).not.toContain("s3cret")
    expect(text).not.toContain(generated)
    expect(text).not.toMatch(/[\u202e\u001b]/)
    expect(text).toContain("\\u202eevil\\u001b[2J")
    expect((await project.entries()).map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/body/***", "/body/a~1b~0c", "/body/\u202eevil\u001b[2J"]),
    )
    expect((await project.run()).exitCode).toBe(0)
  })

  it("can't fill the file: a thousand violations per response become known, and the rest fails", async () => {
    await project.write({
      "apis/shop/openapi.json": (await import("node:fs"))
        .readFileSync(join(project.folder, "apis/shop/openapi.json"), "utf8")
        .replace('"#/components/schemas/Page"', '"#/components/schemas/Closed"'),
    })
    project.answer(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`p${at}`, 1])))
    const { exitCode, stderr } = await project.run("--update-baseline")
    expect(exitCode).toBe(1)
    expect(stderr).toContain("1 response had violations that could not be added")
    expect(await project.entries()).toHaveLength(1000)
    project.answer({ ["n".repeat(3000)]: 1 })
    await project.run("--update-baseline")
    expect(await project.entries()).toHaveLength(1000)
  })
})

describe("the file", () => {
  it("is checked by validate: reasons, days, names and twins are warnings with a line and a hint", async () => {
    const lines = [
      { ...total, reason: "" },
      { ...price, expires: "2020-01-31" },
      { ...price, api: "shp" },
      { ...price, operation: "GET /order" },
      price,
    ]
    await project.baseline(...lines)
    const found = await problems()
    expect(found.every(({ file, severity }) => file === BASELINE && severity === "warning")).toBe(true)
    expect(found.map(({ line, code }) => [line, code])).toEqual([
      [10, "baseline-reason"],
      [19, "baseline-expired"],
      [22, "api-unknown"],
      [31, "operation-unknown"],
      [37, "id-duplicate"],
    ])
    expect(found.map(({ hint }) => hint)).toEqual([
      expect.stringContaining("reason"),
      expect.stringContaining("later day"),
      'did you mean "shop"?',
      'did you mean "GET /orders"?',
      "remove one of them",
    ])
    const sarif = await project.call(["validate", "--format=sarif"])
    expect(sarif.stdout).toContain('"baseline-reason"')
    expect(sarif.stdout).toContain(BASELINE)
    await project.baseline(total, price)
    expect(await problems()).toEqual([])
  })

  const faults: readonly (readonly [string, unknown, string, RegExp])[] = [
    ["is not JSON", '{ "version": 1, "violations": [', "json-syntax", /:1:\d+: /],
    ["has a key twice", '{ "version": 1, "violations": [], "violations": [] }', "json-syntax", /violations/],
    ["is a list", [], "field-type", /expected an object/],
    ["is of a newer version", { version: 2, violations: [] }, "version-invalid", /version/],
    ["has no list", { version: 1 }, "field-missing", /violations/],
    [
      "has a status as text",
      { version: 1, violations: [{ ...total, status: "200" }] },
      "field-type",
      /status/,
    ],
    ["has another field", { version: 1, violations: [{ ...total, paths: "" }] }, "field-unknown", /paths/],
    [
      "has no pointer",
      { version: 1, violations: [{ ...total, path: "body.total" }] },
      "field-value",
      /JSON pointer/,
    ],
    [
      "has an operationId",
      { version: 1, violations: [{ ...total, operation: "listOrders" }] },
      "field-value",
      /method and a path/,
    ],
    [
      "has a day that doesn't exist",
      { version: 1, violations: [{ ...total, expires: "2027-02-30" }] },
      "field-value",
      /not a day/,
    ],
    [
      "has a time",
      { version: 1, violations: [{ ...total, expires: "2027-02-01T00:00:00Z" }] },
      "field-value",
      /not a day/,
    ],
    ["has conflict markers", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n", "file-conflict", /conflict/],
    ["is empty", "", "json-syntax", /empty/],
  ]
  it.each(faults)(
    "stops runs that check contracts if it %s, and stays as it is",
    async (_, content, code, message) => {
      await project.write({ [BASELINE]: content })
      const before = await project.text()
      expect(await problems()).toContainEqual(
        expect.objectContaining({ file: BASELINE, code, severity: "error" }),
      )
      const run = await project.call(["run", "--all", "--update-baseline"])
      expect(run.exitCode).toBe(2)
      expect(run.stderr).toMatch(/^callsheet\.baseline\.json/m)
      expect(run.stderr).toMatch(message)
      expect(await project.text()).toBe(before)
    },
  )

  it("is not read by a run that checks no contract", async () => {
    const block = { id: "a", type: "request", request: { api: "shop", operation: "ping" } }
    await project.write({ [BASELINE]: "{", "apis/workflow/all.json": { version: 1, blocks: [block] } })
    expect((await project.run()).exitCode).toBe(0)
  })

  it("may be a link within the project, but not one that leads out or a directory", async () => {
    await project.baseline(total, price)
    const path = join(project.folder, BASELINE)
    const { rename } = await import("node:fs/promises")
    await rename(path, join(project.folder, "known.json"))
    await symlink("known.json", path)
    expect((await project.run("--update-baseline")).exitCode).toBe(0)
    await rm(path)
    await symlink("/etc/hostname", path)
    const out = await project.call(["run", "--all", "--update-baseline"])
    expect(out).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("link-outside") })
    await rm(path)
    await mkdir(path)
    const folder = await project.call(["run", "--all"])
    expect(folder).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("file-unreadable") })
  })

  it("stays fast with 10,000 entries", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ ...total, path: `/body/p${at}` }))
    await project.baseline(total, price, ...many)
    const start = performance.now()
    const { exitCode, report } = await project.run()
    expect(exitCode).toBe(0)
    expect(report.warnings).toHaveLength(21)
    expect(await problems()).toEqual([])
    await project.run("--update-baseline")
    expect(await project.entries()).toHaveLength(10_002)
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it("has a JSON Schema that callsheet schema prints", async () => {
    const { stdout } = await project.call(["schema", "baseline"])
    expect(JSON.parse(stdout)).toEqual(jsonSchemaOf("baseline"))
    expect(broken).toBeDefined()
  })
})
