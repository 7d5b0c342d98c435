import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { Drafts } from "../../packages/server/src/files/drafts.ts"
import { withProjectLock } from "../../packages/project/src/write/project-lock.ts"
import { makeFolder } from "../app-project/open-project.ts"
import { shop, workflow } from "../app-project/shop.ts"
import { checkout, openFiles, refusal, type FileName } from "./open-files.ts"

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const broken = '{"version": 1, "blocks": [ {{'
const script: FileName = { kind: "script", workflow: "checkout", script: "a/b" }

/** Returns every file below a directory with its bytes. */
const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")])

describe("a draft", () => {
  it("is returned with the file's text, and with its base revision", async () => {
    const now = new Date("2026-02-03T04:05:06.789Z")
    const { load, keep, put } = await openFiles(shop, { now: () => now })
    const { etag, text } = await load(checkout)
    expect(await keep(checkout, etag, broken)).toEqual({ kept: "disk" })
    await put({ "apis/workflow/checkout.json": formatJson(workflow("theirs")) })
    const read = await load(checkout)
    expect(read.draft).toEqual({ text: broken, etag, keptAt: now.toISOString() })
    expect([read.text, text]).toEqual([formatJson(workflow("theirs")), text])
  })

  it("may belong to a file that does not exist", async () => {
    const { load, keep } = await openFiles(shop)
    await keep(script, null, "export")
    expect(await load(script)).toMatchObject({ text: "", etag: null, draft: { text: "export", etag: null } })
  })

  it("survives a restart, and is outside the project", async () => {
    const first = await openFiles(shop)
    const before = filesIn(first.root)
    await first.keep(checkout, null, broken)
    first.close()
    const second = await openFiles(first.root, { state: first.state })
    expect(await second.load(checkout)).toMatchObject({ draft: { text: broken } })
    expect(await second.drafts()).toMatchObject([{ file: checkout }])
    expect(filesIn(first.root)).toEqual(before)
  })

  it("belongs to its project and its file", async () => {
    const one = await openFiles(shop)
    const other = await openFiles(shop, { state: one.state })
    await one.keep(checkout, null, broken)
    expect(await other.load(checkout)).not.toHaveProperty("draft")
    expect(await refusal(one.load({ kind: "workflow", workflow: "other" }))).toMatchObject({ status: 404 })
  })

  it("is the last one of its file", async () => {
    const { load, keep, drafts } = await openFiles(shop)
    await keep(checkout, null, "one")
    await keep({ workflow: "checkout", kind: "workflow" }, null, "two")
    expect(await load(checkout)).toMatchObject({ draft: { text: "two" } })
    expect(await drafts()).toHaveLength(1)
  })

  it("is removed when it is dropped, saved, or equals the file", async () => {
    const { load, keep, save, drop, drafts, put } = await openFiles(shop)
    await keep(checkout, null, broken)
    await drop(checkout)
    expect(await load(checkout)).not.toHaveProperty("draft")
    await keep(checkout, null, broken)
    const { etag } = await load(checkout)
    await save(checkout, etag, formatJson(workflow("a")))
    expect(await drafts()).toEqual([])
    await keep(checkout, etag, formatJson(workflow("b")))
    await put({ "apis/workflow/checkout.json": formatJson(workflow("b")) })
    expect(await load(checkout)).not.toHaveProperty("draft")
    expect(await drafts()).toEqual([])
  })

  it("survives a save of an older text", async () => {
    const { load, keep, save, root } = await openFiles(shop)
    const { etag } = await load(checkout)
    const texts = ["older", "saved", "newer"].map((id) => formatJson(workflow(id)))
    const [older = "", saved = "", newer = ""] = texts
    await keep(checkout, etag, older)
    // Another command is running, so the save waits for it.
    const saving = await withProjectLock(root, async () => {
      const promise = save(checkout, etag, saved)
      await keep(checkout, etag, newer)
      return { promise }
    })
    await saving.promise
    expect(await load(checkout)).toMatchObject({ text: saved, draft: { text: newer } })
    await save(checkout, (await load(checkout)).etag, newer)
    expect(await load(checkout)).not.toHaveProperty("draft")
  })

  it("is kept if the save fails", async () => {
    const { load, keep, save, put } = await openFiles(shop)
    const { etag } = await load(checkout)
    await keep(checkout, etag, broken)
    expect(await refusal(save(checkout, etag, broken))).toMatchObject({ status: 422 })
    await put({ "apis/workflow/checkout.json": formatJson(workflow("theirs")) })
    expect(await refusal(save(checkout, etag, formatJson(workflow("a"))))).toMatchObject({ status: 409 })
    expect((await load(checkout)).draft?.text).toBe(broken)
  })

  it("is readable only by its user", async () => {
    const { keep, state } = await openFiles(shop)
    await keep(checkout, null, broken)
    const entries = readdirSync(state, { recursive: true, withFileTypes: true })
    const modes = entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777)
    expect(new Set(modes)).toEqual(new Set([0o700, 0o600]))
    expect(entries.filter((entry) => entry.isFile())).toHaveLength(1)
  })

  it.each(["apis", "."])(
    "is kept while %s does not exist, with former secrets on no disk",
    async (folder) => {
      const { load, keep, root, until, read, state } = await openFiles(shop)
      await keep(checkout, null, broken)
      const before = await read()
      const isGone = async () => (await read().catch(() => ({ workflows: [] }))).workflows.length === 0
      const gone = until(isGone)
      const [from, to] = [join(root, folder), `${root}-away`]
      renameSync(from, to)
      onTestFinished(() => rmSync(to, { recursive: true, force: true }))
      await gone
      expect(await keep(checkout, null, `${broken}s3cr3t-of-live`)).toEqual({ kept: "memory" })
      expect(await keep(script, null, broken)).toEqual({ kept: "disk" })
      expect(JSON.stringify(filesIn(state))).not.toContain("s3cr3t")
      renameSync(to, from)
      expect((await load(checkout)).draft?.text).toBe(`${broken}s3cr3t-of-live`)
      expect(before.workflows).toHaveLength(1)
    },
  )

  it("is stored byte for byte, with any line endings", async () => {
    const { load, keep } = await openFiles(shop)
    for (const text of ["", "\n", "\r\n\t\u2028\ufeffa\u0000", "🧾\n".repeat(3), '{"file":1}\n{}']) {
      await keep(checkout, null, text)
      expect((await load(checkout)).draft?.text).toBe(text)
    }
  })
})

describe("a secret", () => {
  const secret = "s3cr3t-of-live"

  it("in a draft is on no disk, and the draft lives as long as the app", async () => {
    const { load, keep, state, drafts, root, drop } = await openFiles(shop)
    const text = formatJson({ ...workflow("a"), description: secret })
    await keep(checkout, null, broken)
    expect(await keep(checkout, null, text)).toEqual({ kept: "memory" })
    expect(filesIn(state)).toEqual([])
    expect((await load(checkout)).draft?.text).toBe(text)
    expect(await drafts()).toMatchObject([{ file: checkout }])
    const later = await openFiles(root, { state })
    expect(await later.load(checkout)).not.toHaveProperty("draft")
    await drop(checkout)
    expect(await drafts()).toEqual([])
  })

  it("keeps the text of an environment from being stored anywhere", async () => {
    const { keep, drafts } = await openFiles(shop)
    const live: FileName = { kind: "environment", api: "shop", environment: "live" }
    for (const text of [`{"baseUrl": "${secret}"}`, '{"apiKey": "new"']) {
      const error = await refusal(keep(live, null, text))
      expect(error).toMatchObject({ status: 403, code: "secret-committed" })
      expect(JSON.stringify(error)).not.toMatch(/s3cr3t|new/)
    }
    expect(await drafts()).toEqual([])
  })
})

describe("the directory of drafts", () => {
  it("keeps drafts in memory if it cannot be written", async () => {
    const { load, keep, state } = await openFiles(shop)
    writeFileSync(join(state, "drafts"), "in the way")
    expect(await keep(checkout, null, broken)).toEqual({ kept: "memory" })
    expect((await load(checkout)).draft?.text).toBe(broken)
    rmSync(join(state, "drafts"))
    expect(await keep(checkout, null, broken)).toEqual({ kept: "disk" })
  })

  it("ignores links and files that would block", async () => {
    const { load, keep, state, drafts } = await openFiles(shop)
    await keep(checkout, null, broken)
    const [folder] = readdirSync(join(state, "drafts"))
    const path = join(state, "drafts", folder ?? "")
    const [name] = readdirSync(path)
    const file = join(path, name ?? "")
    for (const replace of [
      () => symlinkSync("/etc/passwd", file),
      () => execFileSync("mkfifo", [file]),
      () => mkdirSync(file),
      () => writeFileSync(file, "{}\ntext"),
      () => writeFileSync(file, '{"file":{"kind":"workflow","workflow":"../x"},"keptAt":""}\ntext'),
      () => writeFileSync(file, '{"file":{"kind":"workflow","workflow":"other"},"keptAt":""}\ntext'),
    ]) {
      rmSync(file, { recursive: true })
      replace()
      expect(await load(checkout)).not.toHaveProperty("draft")
      expect(await drafts()).toEqual([])
    }
  })

  it("is cleared of a killed app's half-written files", async () => {
    const { keep, state, drafts } = await openFiles(shop)
    await keep(checkout, null, broken)
    const [folder = ""] = readdirSync(join(state, "drafts"))
    const left = (digit: string) =>
      join(state, "drafts", folder, `.${digit.repeat(32)}-${digit.repeat(16)}.tmp`)
    for (const digit of ["a", "b"]) writeFileSync(left(digit), "half")
    utimesSync(left("a"), 0, 0)
    expect(await drafts()).toHaveLength(1)
    expect([existsSync(left("a")), existsSync(left("b"))]).toEqual([false, true])
  })

  it("is bounded: existing drafts stay, and new ones are rejected", async () => {
    const root = await makeFolder(shop)
    const drafts = new Drafts({ state: await makeFolder({}), root, maxDrafts: 3, maxBytes: 2000 })
    const keep = (workflow: string, text: string) =>
      drafts.keep({ kind: "workflow", workflow }, { text, etag: null, keptAt: workflow }, "disk")
    for (const name of ["a", "b", "c"]) keep(name, "x")
    const full = expect.objectContaining({ code: "draft-limit" })
    expect(() => keep("d", "x")).toThrow(full)
    keep("c", "y".repeat(1000))
    expect(() => keep("b", "y".repeat(1000))).toThrow(full)
    expect(drafts.list().map(({ keptAt }) => keptAt)).toEqual(["c", "b", "a"])
    expect(drafts.read({ kind: "workflow", workflow: "b" })?.text).toBe("x")
  })
})
