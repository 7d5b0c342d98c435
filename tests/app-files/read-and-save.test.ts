import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { makeFolder } from "../app-project/open-project.ts"
import { shop, workflow } from "../app-project/shop.ts"
import { checkout, openFiles, refusal, type FileName } from "./open-files.ts"

const FILE = "apis/workflow/checkout.json"
const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

describe("a text", () => {
  it("is the file's, with the SHA-256 of its bytes", async () => {
    const { load, bytes } = await openFiles(shop)
    const read = await load(checkout)
    const sum = execFileSync("sha256sum", { input: bytes(FILE), encoding: "utf8" }).split(" ")[0]
    expect(read).toEqual({ path: FILE, text: bytes(FILE).toString(), etag: sum })
  })

  it("that doesn't exist is distinguished from an empty one", async () => {
    const { load, put } = await openFiles(shop)
    await put({ "apis/workflow/empty.json": "" })
    expect(await load({ kind: "workflow", workflow: "empty" })).toMatchObject({ text: "" })
    expect(await refusal(load({ kind: "workflow", workflow: "nowhere" }))).toMatchObject({
      status: 404,
      code: "file-missing",
    })
  })

  it("of each kind is where the format says", async () => {
    const { save, bytes } = await openFiles(shop)
    const kinds: readonly (readonly [FileName, string, string])[] = [
      [{ kind: "workflow", workflow: "new" }, formatJson(workflow("a")), "apis/workflow/new.json"],
      [
        { kind: "script", workflow: "new", script: "checks/sum" },
        "export const a = 1\n",
        "apis/workflow/scripts/new/checks/sum.ts",
      ],
      [
        { kind: "request", api: "shop", resource: "carts", request: "all of them" },
        formatJson({ version: 1, operation: "listOrders" }),
        "apis/shop/requests/carts/all of them.json",
      ],
      [
        { kind: "schema", api: "pay" },
        formatJson({ version: 1, variables: {} }),
        "apis/pay/environments/schema.json",
      ],
      [
        { kind: "environment", api: "shop", environment: "test" },
        formatJson({ extends: "local" }),
        "apis/shop/environments/test.json",
      ],
    ]
    for (const [file, text, path] of kinds) {
      await save(file, null, text)
      expect([path, bytes(path).toString()]).toEqual([path, text])
    }
  })

  it.each([
    ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), "file-encoding"],
    ["a lone surrogate", Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), "file-encoding"],
  ])("in %s is rejected, and never overwritten", async (_, content, code) => {
    const { load, save, bytes, path } = await openFiles(shop)
    writeFileSync(path(FILE), content)
    expect(await refusal(load(checkout))).toMatchObject({ code })
    expect(await refusal(save(checkout, null, formatJson(workflow("a"))))).toMatchObject({ code })
    expect(bytes(FILE)).toEqual(content)
  })

  it("must be in a regular file", async () => {
    const { load, save, root, path } = await openFiles(shop)
    execFileSync("mkfifo", [path("apis/workflow/pipe.json")])
    mkdirSync(path("apis/workflow/folder.json"))
    symlinkSync("/dev/zero", path("apis/workflow/zero.json"))
    symlinkSync("nowhere.json", path("apis/workflow/lost.json"))
    for (const name of ["pipe", "folder", "zero", "lost"]) {
      const file: FileName = { kind: "workflow", workflow: name }
      const code = name === "zero" ? "link-outside" : "file-unreadable"
      expect([name, await refusal(load(file))]).toMatchObject([name, { code }])
      expect([name, await refusal(save(file, null, formatJson(workflow("a"))))]).toMatchObject([
        name,
        { code },
      ])
    }
    expect(readdirSync(`${root}/apis/workflow`).toSorted()).toEqual(
      ["checkout.json", "folder.json", "lost.json", "pipe.json", "zero.json"].toSorted(),
    )
  })

  it("that is too large is rejected", async () => {
    const { load, path } = await openFiles(shop)
    writeFileSync(path(FILE), Buffer.alloc(16 * 1024 * 1024 + 1, " "))
    expect(await refusal(load(checkout))).toMatchObject({ code: "file-unreadable" })
  })
})

describe("a save", () => {
  it("writes the text unchanged, and returns the resulting state", async () => {
    const { load, save, bytes } = await openFiles(shop)
    const { etag } = await load(checkout)
    const text = '{"version":1,\r\n"blocks":[]}'
    const saved = await save(checkout, etag, text)
    expect(bytes(FILE).toString()).toBe(text)
    expect(await load(checkout)).toEqual({ path: FILE, text, ...saved })
  })

  it("keeps a byte order mark, and the mode", async () => {
    const { load, save, bytes, path } = await openFiles(shop)
    writeFileSync(path(FILE), `\ufeff${formatJson(workflow("a"))}`, { mode: 0o640 })
    const { etag, text } = await load(checkout)
    expect(text).toBe(formatJson(workflow("a")))
    const mode = statSync(path(FILE)).mode
    await save(checkout, etag, formatJson(workflow("a", "b")))
    expect(bytes(FILE).toString()).toBe(`\ufeff${formatJson(workflow("a", "b"))}`)
    expect(statSync(path(FILE)).mode).toBe(mode)
  })

  it("is visible to the next reader of the project, and reported at once", async () => {
    const { read, edit, events } = await openFiles(shop)
    const before = await read()
    const reported: number[] = []
    events.subscribe(({ revision }) => reported.push(revision))
    await edit(checkout, () => formatJson(workflow("a")))
    expect(reported).toEqual([before.revision + 1])
    const after = await read()
    expect(after.revision).toBeGreaterThan(before.revision)
    expect(after.workflows).toMatchObject([{ name: "checkout", blocks: 1 }])
  })

  it("with an old etag writes nothing, and returns the current state", async () => {
    const { load, save, bytes, put } = await openFiles(shop)
    const { etag } = await load(checkout)
    const theirs = formatJson(workflow("theirs"))
    await put({ [FILE]: theirs })
    expect(await refusal(save(checkout, etag, formatJson(workflow("ours"))))).toMatchObject({
      status: 409,
      code: "file-changed",
      current: { text: theirs, etag: (await load(checkout)).etag },
    })
    expect(bytes(FILE).toString()).toBe(theirs)
  })

  it("of a file that was deleted, or unexpectedly exists, writes nothing", async () => {
    const { load, save, root } = await openFiles(shop)
    const { etag } = await load(checkout)
    const text = formatJson(workflow("ours"))
    expect(await refusal(save(checkout, null, text))).toMatchObject({ status: 409, current: { etag } })
    const gone = save({ kind: "workflow", workflow: "gone" }, etag, text)
    expect(await refusal(gone)).toMatchObject({ status: 409, current: null })
    expect(readdirSync(`${root}/apis/workflow`)).toEqual(["checkout.json"])
  })

  it("of equal content writes nothing, whatever the etag", async () => {
    const { load, save, path } = await openFiles(shop)
    const { text, etag } = await load(checkout)
    const before = statSync(path(FILE)).ino
    expect(await save(checkout, "0".repeat(64), text)).toEqual({ etag })
    expect(await save(checkout, null, text)).toEqual({ etag })
    expect(statSync(path(FILE)).ino).toBe(before)
  })

  const broken: readonly (readonly [FileName, string, object])[] = [
    [checkout, '{"version": 1,\n "blocks": [}', { code: "json-syntax", line: 2 }],
    [checkout, '{"version": 1,\n "blocks": [], "onFailiure": "halt"}', { code: "field-unknown", line: 2 }],
    [
      { kind: "request", api: "shop", resource: "orders", request: "mine" },
      '{"version": 2, "operation": "listOrders"}',
      { code: "version-invalid", line: 1 },
    ],
    [
      { kind: "schema", api: "shop" },
      '{"version": 1,\n"variables": {"a": {"type": "text", "required": true}}}',
      { line: 2 },
    ],
    [
      { kind: "environment", api: "shop", environment: "local" },
      '{"timeuot": 1}',
      { code: "variable-undeclared", line: 1 },
    ],
    [
      { kind: "script", workflow: "checkout", script: "sum" },
      "export const a = 1\nexport const = 2\n",
      { code: "script-syntax", line: 2 },
    ],
  ]
  it.each(broken)("of a %j that violates its format writes nothing", async (file, text, problem) => {
    const { load, save, root, put } = await openFiles(shop)
    await put({ "apis/workflow/scripts/checkout/sum.ts": "export const a = 1\n" })
    const { etag, path } = await load(file)
    const before = await load(file)
    expect(await refusal(save(file, etag, text))).toMatchObject({
      status: 422,
      problems: [{ severity: "error", file: path, ...problem }],
    })
    expect(await load(file)).toEqual(before)
    expect(readdirSync(root)).toEqual(["apis"])
  })

  it("is allowed if the only problems are in other files", async () => {
    const { edit, bytes } = await openFiles(shop)
    const text = formatJson({
      version: 1,
      blocks: [{ id: "a", type: "request", request: { api: "nope", operation: "nope" } }],
    })
    await edit(checkout, () => text)
    expect(bytes(FILE).toString()).toBe(text)
  })

  it("of a script runs none of it", async () => {
    const { save, root } = await openFiles(shop)
    const text = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(`${root}/ran`)}, "")\nexport const a = 1\n`
    await save({ kind: "script", workflow: "checkout", script: "ran" }, null, text)
    expect(readdirSync(root)).toEqual(["apis"])
  })

  it("approves a script that the user wrote, but not a copied one", async () => {
    const trusted: string[] = []
    const foreign = "export const a = () => steal()\n"
    const { edit, save, load } = await openFiles(
      { ...shop, "apis/workflow/scripts/checkout/foreign.ts": foreign },
      { trustText: (path, text) => void trusted.push(`${path}: ${text}`) },
    )
    const script = (name: string): FileName => ({ kind: "script", workflow: "checkout", script: name })
    // Copying a workflow saves its scripts like this.
    await save({ ...script("foreign"), workflow: "copy" } as FileName, null, foreign)
    await edit(script("foreign"), (text) => text)
    await save(script("foreign"), "0".repeat(64), foreign)
    expect(trusted).toEqual([])
    await edit(script("foreign"), () => "export const a = 1\n")
    await save(script("own"), null, "export const own = 1\n")
    await save(script("own"), (await load(script("own"))).etag, "export const own = 2\n")
    expect(trusted.map((line) => line.replace("apis/workflow/scripts/checkout/", ""))).toEqual([
      "foreign.ts: export const a = 1\n",
      "own.ts: export const own = 1\n",
      "own.ts: export const own = 2\n",
    ])
  })

  it("of a script is rejected while other machines can reach the app", async () => {
    const { save, load, path, put } = await openFiles(shop, { isRemote: () => true })
    await put({ "apis/workflow/scripts/checkout/sum.ts": "export const a = 1\n" })
    const script: FileName = { kind: "script", workflow: "checkout", script: "sum" }
    const { etag } = await load(script)
    expect(await refusal(save(script, etag, "export const a = 2\n"))).toMatchObject({
      status: 403,
      code: "remote-refused",
    })
    expect(await refusal(save({ ...script, script: "new" }, null, ""))).toMatchObject({ status: 403 })
    expect(readdirSync(path("apis/workflow/scripts/checkout"))).toEqual(["sum.ts"])
    await save(checkout, (await load(checkout)).etag, formatJson(workflow("a")))
  })

  it.each([
    [{ kind: "workflow", workflow: "CheckOut" }, "apis/workflow/checkout.json"],
    [{ kind: "request", api: "shop", resource: "Orders", request: "new" }, "apis/shop/requests/orders"],
    [{ kind: "environment", api: "shop", environment: "LOCAL" }, "apis/shop/environments/local.json"],
  ] as const)("of %j is rejected, because some disks treat it like %s", async (file, twin) => {
    const { save, root } = await openFiles(shop)
    const texts = {
      workflow: formatJson(workflow("a")),
      request: '{"version":1,"operation":"a"}',
      environment: "{}",
    }
    const before = readdirSync(root, { recursive: true })
    const error = await refusal(save(file, null, texts[file.kind]))
    expect(error).toMatchObject({ code: "file-twin", message: expect.stringContaining(twin) })
    expect(readdirSync(root, { recursive: true })).toEqual(before)
  })
})

describe("a secret", () => {
  const environment: FileName = { kind: "environment", api: "shop", environment: "local" }
  const live: FileName = { kind: "environment", api: "shop", environment: "live" }

  it.each([
    ["in a value file", '{"extends": "local", "baseUrl": "http://s3cr3t-of-live@x"}'],
    ["in its own place", '{"apiKey": "another"}'],
    ["in a text that does not parse", '{"apiKey": "another",'],
  ])("%s is in no text", async (_, text) => {
    const { load, put } = await openFiles(shop)
    await put({ "apis/shop/environments/local.json": text })
    const error = await refusal(load(environment))
    expect(error).toMatchObject({ status: 403, code: "secret-committed" })
    expect(JSON.stringify(error)).not.toMatch(/another|s3cr3t/)
  })

  it("without a value, or with any name, hides nothing", async () => {
    const { load, put } = await openFiles(shop)
    const hostile = { type: "string", required: false, secret: true }
    await put({
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { "a(": hostile, ".*": hostile, apiKey: hostile },
      },
    })
    for (const text of ['{"apiKey": null,', '{ "apiKey" :  "",', '{"other": "x", "baseUrl": "y"']) {
      await put({ "apis/shop/environments/local.json": text })
      expect(await load(environment)).toMatchObject({ text })
    }
    await put({ "apis/shop/environments/local.json": '{"apiKey": null, "apiKey"\n:\t 1' })
    expect(await refusal(load(environment))).toMatchObject({ code: "secret-committed" })
  })

  it("is in no response to a conflict", async () => {
    const { load, save, put } = await openFiles(shop)
    const { etag } = await load(live)
    await put({ "apis/shop/environments/live.json": '{"baseUrl": "s3cr3t-of-live"}' })
    const error = await refusal(save(live, etag, '{"extends": "local"}'))
    expect(error).toMatchObject({ status: 409, code: "file-changed" })
    expect(error).not.toHaveProperty("current")
  })

  it("file can't be named here", async () => {
    const { load } = await openFiles(shop)
    expect(await refusal(load({ ...live, environment: "live.secrets" }))).toMatchObject({ status: 404 })
  })
})

describe("a link out of the project", () => {
  const script: FileName = { kind: "script", workflow: "checkout", script: "lib/sum" }
  const request: FileName = { kind: "request", api: "shop", resource: "links", request: "mine" }
  const cases: readonly (readonly [FileName, string, "folder" | "file", string])[] = [
    [checkout, FILE, "file", formatJson(workflow("a"))],
    [{ kind: "workflow", workflow: "x" }, "apis/workflow", "folder", formatJson(workflow("a"))],
    [script, "apis/workflow/scripts", "folder", ""],
    [script, "apis/workflow/scripts/checkout", "folder", ""],
    [script, "apis/workflow/scripts/checkout/lib", "folder", ""],
    [script, "apis/workflow/scripts/checkout/lib/sum.ts", "file", ""],
    [request, "apis/shop/requests/links", "folder", '{"version":1,"operation":"a"}'],
    [{ kind: "schema", api: "other" }, "apis/other", "folder", '{"version":1,"variables":{}}'],
  ]
  it.each(cases)("%j at %s is neither read nor written", async (file, link, kind, text) => {
    const { load, save, root, path } = await openFiles(shop)
    const outside = await makeFolder({ "there/kept.txt": "theirs" })
    mkdirSync(path(link.slice(0, link.lastIndexOf("/"))), { recursive: true })
    execFileSync("rm", ["-rf", path(link)])
    symlinkSync(kind === "file" ? `${outside}/there/kept.txt` : `${outside}/there`, path(link))
    expect(await refusal(load(file))).toMatchObject({ code: "link-outside" })
    expect(await refusal(save(file, null, text))).toMatchObject({ code: "link-outside" })
    expect(new Set(readdirSync(outside, { recursive: true, encoding: "utf8" }))).toEqual(
      new Set(["there", "there/kept.txt"]),
    )
    expect(readdirSync(root)).toEqual(["apis"])
  })

  it("is written through if its target is inside", async () => {
    const { edit, bytes, path } = await openFiles(shop)
    writeFileSync(path("shared.json"), formatJson(workflow("a")))
    symlinkSync("../../shared.json", path("apis/workflow/linked.json"))
    await edit({ kind: "workflow", workflow: "linked" }, () => formatJson(workflow("b")))
    expect(bytes("shared.json").toString()).toBe(formatJson(workflow("b")))
  })

  it("a script's link must not leave its workflow's directory", async () => {
    const { load, save, path, folder } = await openFiles(shop)
    folder("apis/workflow/scripts/checkout")
    folder("apis/shared")
    symlinkSync("../../../shared", path("apis/workflow/scripts/checkout/lib"))
    expect(await refusal(load(script))).toMatchObject({ code: "link-outside" })
    const deep: FileName = { ...script, script: "lib/new/sum" }
    for (const file of [script, deep])
      expect(await refusal(save(file, null, "export {}\n"))).toMatchObject({ code: "link-outside" })
    expect(readdirSync(path("apis/shared"))).toEqual([])
  })
})
