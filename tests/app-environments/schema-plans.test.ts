// Checks `schemas.plan` and `plans.apply`: a change is written exactly as previewed, all or nothing, and shows no
// secrets.

import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import type { SchemaChange } from "@callsheet/server/calls"
import {
  countCalls,
  diskError,
  dyingDisk,
  faultyDisk,
} from "../../packages/project/src/testing/faulty-disk.ts"
import { recoverProject } from "@callsheet/project"
import type { Files } from "../app-project/open-project.ts"
import { folder, openEnvironments } from "./open-environments.ts"

const CANARY = "S3CR3T-canary"

const shop: Files = {
  [`${folder}/schema.json`]: {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      port: { type: "string", required: false },
      apiKey: { type: "string", required: true, secret: true },
    },
  },
  [`${folder}/dev.json`]: { baseUrl: "http://127.0.0.1:1", port: `${CANARY}-port` },
  [`${folder}/dev.secrets.env`]: `# ${CANARY} of old\napiKey=${CANARY}\n`,
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-key" } } },
    paths: { "/orders": { get: { operationId: "listOrders", responses: {} } } },
  },
  "apis/shop/requests/orders/mine.json":
    '{ "version": 1, "method": "GET", "path": "/{{port}}",\r\n"params": {"query": {"k": "{{apiKey}}"}} }',
  "apis/workflow/flow.json": {
    version: 1,
    blocks: [
      {
        id: "one",
        type: "request",
        description: `{{apiKey}} is not ${CANARY}`,
        request: {
          api: "shop",
          operation: "listOrders",
          overrides: { params: { query: { q: "{{apiKey}}" } } },
        },
      },
      { id: "two", type: "script", script: { name: "wait", exportName: "wait" } },
    ],
  },
  "apis/workflow/broken.json": '{ "blocks": [ "{{apiKey}}" ',
  "apis/workflow/scripts/flow/wait.ts":
    'export const wait = (ctx) => {\n  ctx.log(ctx.env("shop").apiKey)\n}\n',
  ".gitignore": "*.secrets.env\n",
}

type Opened = Awaited<ReturnType<typeof openEnvironments>>

const plan = ({ call }: Opened, change: SchemaChange) => call("schemas.plan", { api: "shop", change })
const apply = ({ call }: Opened, name: string) => call("plans.apply", { plan: name })

const filesOf = async (root: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && !entry.name.startsWith(".callsheet-"))
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name)
          return [path.slice(root.length + 1), await readFile(path, "utf8")] as const
        }),
    ),
  )

const toSecret: SchemaChange = {
  do: "change",
  name: "port",
  declaration: { type: "string", required: false, secret: true },
}
const toToken: SchemaChange = { do: "rename", name: "apiKey", to: "token" }

describe("schemas.plan", () => {
  it("shows every file of a rename before and after, and writes nothing", async () => {
    const opened = await openEnvironments(shop)
    const before = await filesOf(opened.root)
    const { files, notes } = await plan(opened, toToken)
    expect(files.map(({ path }) => path)).toEqual([
      `${folder}/schema.json`,
      `${folder}/dev.secrets.env`,
      "apis/workflow/flow.json",
      "apis/shop/requests/orders/mine.json",
    ])
    expect(files[1]).toMatchObject({ before: "apiKey=***\n", after: "token=***\n" })
    expect(files[2]?.after).toContain("{{token}} is not ***")
    expect(notes.join("\n")).toMatch(/broken\.json:1:18: this file has errors, so "apiKey"/)
    expect(notes.join("\n")).toMatch(/scripts\/flow\/wait\.ts:2:27: callsheet doesn't change "apiKey"/)
    expect(notes.join("\n")).toContain('security scheme "apiKey"')
    expect(notes.join("\n")).toContain("CALLSHEET_VAR__SHOP__API_KEY")
    expect(await filesOf(opened.root)).toEqual(before)
  })

  it.each<[string, SchemaChange]>([
    ["renames", toToken],
    ["becomes a secret", toSecret],
    ["deletes", { do: "delete", name: "apiKey" }],
    [
      "stops being a secret",
      { do: "change", name: "apiKey", declaration: { type: "string", required: true }, secretValues: "move" },
    ],
    [
      "declares",
      { do: "add", name: "more", declaration: { type: "string", required: false, description: CANARY } },
    ],
  ])("shows no value of a secret if it %s, nor of one that was or will be one", async (_, change) => {
    const opened = await openEnvironments(shop)
    const text = JSON.stringify(await plan(opened, change))
    expect(text).not.toContain(CANARY)
    expect(text).toContain("***")
  })

  it("shows no short value either", async () => {
    const opened = await openEnvironments({
      ...shop,
      [`${folder}/dev.json`]: { baseUrl: "http://x", port: "7q" },
    })
    const { plan: _random, ...shown } = await plan(opened, toSecret)
    expect(JSON.stringify(shown)).not.toContain("7q")
  })

  it("shows neither true nor a list in place of a secret in a value file", async () => {
    const variables = {
      flag: { type: "boolean", required: false, secret: true },
      list: { type: "string", required: false, secret: true },
    }
    const opened = await openEnvironments({
      [`${folder}/schema.json`]: { version: 1, variables },
      [`${folder}/dev.json`]: { flag: true, list: ["odd"] },
    })
    const { files } = await plan(opened, { do: "rename", name: "flag", to: "toggle" })
    const values = files.find(({ path }) => path.endsWith("dev.json"))
    expect([values?.before, values?.after].map((text) => JSON.parse(text ?? "") as unknown)).toEqual([
      { flag: "***", list: "***" },
      { toggle: "***", list: "***" },
    ])
  })

  it("lists the first twenty of many positions, and how many more there are", async () => {
    const line = 'ctx.log(ctx.env("shop").apiKey, ctx.env("shop").apiKey)\n'
    const opened = await openEnvironments({
      ...shop,
      "apis/workflow/scripts/flow/wait.ts": `export const wait = (ctx) => {\n${line.repeat(15)}}\n`,
      "apis/workflow/scripts/flow/more.ts": `// env\n${"apiKey ".repeat(100_000)}\n${line.repeat(8)}`,
    })
    const { notes } = await plan(opened, toToken)
    const ofScripts = notes.filter((note) => note.endsWith("in scripts."))
    expect(ofScripts).toHaveLength(20)
    expect(new Set(ofScripts).size).toBe(20)
    expect(notes).toContain("4 more places not shown.")
  })

  it("lists where a deleted variable is used", async () => {
    const opened = await openEnvironments(shop)
    const { notes } = await plan(opened, { do: "delete", name: "port" })
    expect(notes).toContain('apis/shop/requests/orders/mine.json:1:42: the variable "port" is read here.')
  })

  it("responds 422 with the positions of values that do not fit, and shows none of them", async () => {
    const opened = await openEnvironments(shop)
    const change: SchemaChange = {
      do: "change",
      name: "port",
      declaration: { type: "number", required: false },
    }
    const failure: unknown = await plan(opened, change).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      status: 422,
      code: "variable-type",
      details: { problems: [{ file: `${folder}/dev.json`, line: 3 }] },
    })
    expect(JSON.stringify(failure)).not.toContain(CANARY)
  })

  it("reads a text as the declared type", async () => {
    const opened = await openEnvironments(shop)
    const declaration = { type: "number", required: false, default: "12345678901234567890" } as const
    const { files } = await plan(opened, { do: "add", name: "n", declaration })
    expect(files[0]?.after).toContain('"default": 12345678901234567890')
    const wrong: SchemaChange = { do: "add", name: "n", declaration: { ...declaration, default: "many" } }
    await expect(plan(opened, wrong)).rejects.toMatchObject({ status: 422, code: "variable-type" })
  })

  it("shows as many and as large files as a user can read, lists the others, and writes all of them", async () => {
    const environments = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        `${folder}/e${String(index).padStart(3, "0")}.json`,
        `{"port": "p", "baseUrl": "${"x".repeat(index === 7 ? 300_000 : 17_000)}"}`,
      ]),
    )
    const opened = await openEnvironments({ ...shop, ...environments })
    const shown = await plan(opened, { do: "rename", name: "port", to: "gate" })
    expect([shown.fileCount, shown.files[0]?.path]).toEqual([503, `${folder}/schema.json`])
    expect(shown.files.length).toBeGreaterThan(50)
    expect(shown.omitted).toHaveLength(200)
    expect(shown.omitted[0]).toBe(`${folder}/e007.json`)
    expect(JSON.stringify(shown).length).toBeLessThan(2.5 * 1024 * 1024)
    await apply(opened, shown.plan)
    const names = Object.keys(await filesOf(opened.root)).filter((file) => /\/e\d+\.json$/.test(file))
    const texts = await Promise.all(names.map((file) => opened.text(file)))
    expect([texts.length, texts.filter((text) => !text.startsWith('{"gate": "p"'))]).toEqual([500, []])
  }, 60_000)

  it("limits the notes to a hundred, each of readable length", async () => {
    const environments = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        [`${folder}/e${index}.json`, { port: "p" }] as const,
        [`${folder}/e${index}.secrets.env`, "port=q\n"] as const,
      ]).flat(),
    )
    const opened = await openEnvironments({ ...shop, ...environments })
    const { notes } = await plan(opened, toSecret)
    expect([notes.length, notes.at(-1)]).toEqual([
      101,
      expect.stringMatching(/^2\d\d more notes not shown\.$/),
    ])
    expect(Math.max(...notes.map(({ length }) => length))).toBeLessThanOrEqual(2001)
  })

  it("rejects an unknown API", async () => {
    const { call } = await openEnvironments(shop)
    await expect(call("schemas.plan", { api: "shpo", change: toToken })).rejects.toMatchObject({
      code: "api-unknown",
    })
  })
})

describe("plans.apply", () => {
  it("writes exactly what the plan shows, and no other byte of any file", async () => {
    const opened = await openEnvironments(shop)
    const before = await filesOf(opened.root)
    const shown = await plan(opened, toToken)
    await apply(opened, shown.plan)
    const after = await filesOf(opened.root)
    const changed = Object.keys(after).filter((file) => after[file] !== before[file])
    expect(changed.sort()).toEqual(shown.files.map(({ path }) => path).sort())
    for (const file of changed)
      expect(after[file]).toBe(before[file]?.replaceAll(/(?<=\{\{|^|")apiKey(?=\}\}|=|": \{)/gm, "token"))
    expect(opened.noted).toHaveLength(1)
  })

  it("moves the values of a new secret into secrets files of mode 0600", async () => {
    const opened = await openEnvironments(shop)
    await apply(opened, (await plan(opened, toSecret)).plan)
    expect(await opened.text(`${folder}/dev.secrets.env`)).toBe(
      `# ${CANARY} of old\napiKey=${CANARY}\nport=${CANARY}-port\n`,
    )
    expect(await opened.text(`${folder}/dev.json`)).not.toContain(CANARY)
  })

  it("applies a plan once, and gives the same response when asked again", async () => {
    const opened = await openEnvironments(shop)
    const { plan: name } = await plan(opened, toSecret)
    const both = await Promise.all([apply(opened, name), apply(opened, name)])
    const written = await filesOf(opened.root)
    await writeFile(join(opened.root, `${folder}/dev.json`), "{}")
    expect([...both, await apply(opened, name)]).toEqual([{}, {}, {}])
    expect(opened.noted).toHaveLength(1)
    expect(await filesOf(opened.root)).toEqual({ ...written, [`${folder}/dev.json`]: "{}" })
  })

  it("applies a failed plan again when it is possible", async () => {
    let isFull = true
    const disk = faultyDisk(({ name }) => {
      if (isFull && name === "writeSync") throw diskError("ENOSPC")
    })
    const opened = await openEnvironments(shop, { write: { disk } })
    const { plan: name } = await plan(opened, toSecret)
    await expect(apply(opened, name)).rejects.toMatchObject({ code: "write-failed" })
    isFull = false
    await apply(opened, name)
    expect(await opened.text(`${folder}/dev.json`)).not.toContain(CANARY)
  })

  it("keeps a plan for ten minutes, applied or not", async () => {
    let now = 0
    const opened = await openEnvironments(shop, { now: () => now })
    const first = await plan(opened, toSecret)
    await apply(opened, first.plan)
    const second = await plan(opened, toToken)
    now = 10 * 60 * 1000
    for (const { plan: name } of [first, second])
      await expect(apply(opened, name)).rejects.toMatchObject({
        status: 404,
        code: "plan-unknown",
      })
  })

  it("limits the number of stored plans", async () => {
    const opened = await openEnvironments(shop)
    const first = await plan(opened, toToken)
    for (let made = 0; made < 32; made++) await plan(opened, toToken)
    await expect(apply(opened, first.plan)).rejects.toMatchObject({ code: "plan-unknown" })
  })

  it("limits the stored text of large changes, but always keeps the latest", async () => {
    const opened = await openEnvironments(shop)
    const large = (length: number): SchemaChange => ({
      do: "change",
      name: "port",
      declaration: { type: "string", required: false, description: "d".repeat(length) },
    })
    const first = await plan(opened, toToken)
    const { plan: name } = await plan(opened, large(4 * 1024 * 1024))
    await expect(apply(opened, first.plan)).rejects.toMatchObject({ code: "plan-unknown" })
    await apply(opened, name)
  })

  it.each([
    [`${folder}/schema.json`, '{"version": 1, "variables": {"token": {"type": "string", "required": true}}}'],
    [
      `${folder}/schema.json`,
      '{"version": 1, "variables": {"apiKey": {"type": "string", "required": true}}}',
    ],
    [`${folder}/dev.secrets.env`, "apiKey=other\n"],
    [`${folder}/new.json`, '{"apiKey": "x"}'],
    ["apis/workflow/flow.json", '{"version": 1, "blocks": []}'],
    [
      "apis/workflow/other.json",
      '{"version": 1, "blocks": [{"id": "a", "type": "assert", "assertions": [{"source": "env.shop.apiKey", "operator": "exists"}]}]}',
    ],
    [`${folder}/dev.json`, "{"],
  ])("writes nothing and responds 409 if %s has changed since", async (file, text) => {
    const opened = await openEnvironments(shop)
    const shown = await plan(opened, toToken)
    await writeFile(join(opened.root, file), text)
    const before = await filesOf(opened.root)
    await expect(apply(opened, shown.plan)).rejects.toMatchObject({ status: 409, code: "file-changed" })
    expect(await filesOf(opened.root)).toEqual(before)
  })

  it("is complete or has no effect after a crash at any point", async () => {
    const crashed = async (last: number | undefined) => {
      const opened = await openEnvironments(shop)
      const shown = await plan(opened, toToken)
      return { opened, shown, last }
    }
    const { opened: whole, shown } = await crashed(undefined)
    const before = await filesOf(whole.root)
    await apply(whole, shown.plan)
    const after = await filesOf(whole.root)
    const calls = await countCalls(async (disk) => {
      const opened = await openEnvironments(shop, { write: { disk } })
      await apply(opened, (await plan(opened, toToken)).plan)
    })
    const ends = new Set<unknown>()
    for (let last = 1; last <= calls; last += 5) {
      const opened = await openEnvironments(shop, { write: { disk: dyingDisk(last) } })
      await apply(opened, (await plan(opened, toToken)).plan).catch(() => undefined)
      await recoverProject(opened.root)
      const files = await filesOf(opened.root)
      const isBefore = isDeepStrictEqual(files, before)
      ends.add(isBefore)
      expect(files).toEqual(isBefore ? before : after)
      await rm(opened.root, { recursive: true })
    }
    expect(ends.size).toBe(2)
  }, 120_000)
})
