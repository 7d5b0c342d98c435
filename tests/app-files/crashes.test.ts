// The app is killed or stopped while texts are saved and drafts are stored.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { shop, workflow } from "../app-project/shop.ts"
import { tell } from "../harness/tell.ts"
import { callsheet } from "../harness/callsheet.ts"
import { faultyDisk, TEMPORARY, type DiskFault } from "../harness/faulty-disk.ts"
import { checkout } from "./open-files.ts"
import { makeAppPlace } from "./start-app-command.ts"

const FILE = "apis/workflow/checkout.json"
const formatJson = (value: unknown) => JSON.stringify(value, null, 2)
const ours = formatJson(workflow("ours"))

describe("kill -9 during a save", () => {
  const deaths: readonly DiskFault[] = [
    { call: "openSync", on: TEMPORARY },
    { call: "writeSync", on: TEMPORARY },
    { call: "fsyncSync", on: TEMPORARY },
    { call: "renameSync", on: TEMPORARY },
    // The directory is synced at the end.
    { call: "openSync", on: String.raw`apis/workflow$` },
  ]

  it.each(deaths)("at $call of $on leaves the old file or the new one", async ({ call, on }) => {
    const place = await makeAppPlace(shop)
    const before = readFileSync(join(place.project, FILE), "utf8")
    const dying = await place.start(faultyDisk([{ call, on, signal: "SIGKILL" }]))
    const { body } = await dying.ask("files.read", { file: checkout })
    const draft = await dying.ask("drafts.keep", { file: checkout, etag: body.etag, text: ours })
    expect([draft.status, draft.body]).toEqual([200, { kept: "disk" }])
    await expect(dying.ask("files.save", { file: checkout, etag: body.etag, text: ours })).rejects.toThrow()
    const isLate = on.endsWith("workflow$")
    expect(readFileSync(join(place.project, FILE), "utf8")).toBe(isLate ? ours : before)

    const next = await place.start()
    const read = await next.ask("files.read", { file: checkout })
    expect(read.body.text).toBe(isLate ? ours : before)
    // Unsaved text is still there, and text that was saved is no longer a draft.
    expect(read.body.draft?.text).toBe(isLate ? undefined : ours)
    const saved = await next.ask("files.save", { file: checkout, etag: read.body.etag, text: ours })
    expect(saved.status).toBe(200)
    expect(readdirSync(join(place.project, "apis/workflow"))).toEqual(["checkout.json"])
    await next.end("SIGTERM")
    const { exitCode, stderr } = await callsheet(["validate"], { folder: place.project })
    expect([exitCode, stderr]).toEqual([0, ""])
  })

  it("at any moment leaves the old file or the new one", async () => {
    const place = await makeAppPlace(shop)
    const path = join(place.project, FILE)
    let kept = 0
    for (let round = 0; round < 6; round++) {
      const app = await place.start()
      let { etag } = (await app.ask("files.read", { file: checkout })).body
      // The round decides whether this is before the first save, between saves, or after the last.
      const killed = setTimeout(() => app.child.kill("SIGKILL"), round * 40)
      const written = new Set([readFileSync(path, "utf8")])
      for (let save = 0; save < 20; save++) {
        const text = formatJson(workflow(`r${round}`, `s${save}`, "x".repeat(50_000)))
        written.add(text)
        const answer = await app.ask("files.save", { file: checkout, etag, text }).catch(() => undefined)
        if (answer === undefined) break
        expect(answer.status).toBe(200)
        ;({ etag } = answer.body)
        kept++
      }
      clearTimeout(killed)
      app.child.kill("SIGKILL")
      expect(written.has(readFileSync(path, "utf8"))).toBe(true)
    }
    const app = await place.start()
    const { body } = await app.ask("files.read", { file: checkout })
    const text = formatJson(workflow("last"))
    expect((await app.ask("files.save", { file: checkout, etag: body.etag, text })).status).toBe(200)
    expect(readdirSync(join(place.project, "apis/workflow"))).toEqual(["checkout.json"])
    tell(`kill -9 in 6 rounds of saves: ${kept} saves were answered, 0 files half written`)
  })
})

describe("kill -9 while a workflow is renamed", () => {
  it.each(["the command line", "the application"])("%s finishes it", async (who) => {
    const scripts = "apis/workflow/scripts"
    const place = await makeAppPlace({ ...shop, [`${scripts}/checkout/sum.ts`]: "export const a = 1\n" })
    // The file has its new name by then, but the scripts don't.
    const dying = await place.start(
      faultyDisk([{ call: "renameSync", on: `${scripts}/checkout$`, signal: "SIGKILL" }]),
    )
    const { etag } = (await dying.ask("files.read", { file: checkout })).body
    const to = { kind: "workflow", workflow: "paid" } as const
    const { plan } = (await dying.ask("files.planRename", { file: checkout, etag, to })).body
    await expect(dying.ask("plans.apply", { plan })).rejects.toThrow()
    const listed = (folder: string) => readdirSync(join(place.project, folder))
    expect([listed("apis/workflow"), listed(scripts)]).toEqual([["paid.json", "scripts"], ["checkout"]])

    if (who === "the command line") {
      const { exitCode, stderr } = await callsheet(["validate"], { folder: place.project })
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("rename")])
    } else {
      const next = await place.start()
      expect((await next.ask("project.read", {})).body.workflows).toMatchObject([{ name: "paid" }])
    }
    expect([listed("apis/workflow"), listed(scripts)]).toEqual([["paid.json", "scripts"], ["paid"]])
    expect(readdirSync(place.project)).toEqual(["apis"])
  })
})

describe("SIGTERM", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("and %s: drafts are there after a restart", async (signal) => {
    const place = await makeAppPlace(shop)
    const first = await place.start()
    const { etag } = (await first.ask("files.read", { file: checkout })).body
    await first.ask("drafts.keep", { file: checkout, etag, text: '{"half' })
    expect(await first.end(signal)).toBe(signal === "SIGINT" ? 130 : 143)
    const second = await place.start()
    expect(second.port).not.toBe(first.port)
    const { body } = await second.ask("files.read", { file: checkout })
    expect(body.draft).toMatchObject({ text: '{"half', etag })
    expect((await second.ask("drafts.list", {})).body.drafts).toMatchObject([{ file: checkout }])
    expect(readFileSync(join(place.project, FILE), "utf8")).not.toContain("half")
    expect(existsSync(join(place.state, "callsheet", "drafts"))).toBe(true)
  })
})
