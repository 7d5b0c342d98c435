import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import type { Disk } from "../write/write-scope.ts"
import { countCalls, diskError, dyingDisk, faultyDisk } from "../testing/faulty-disk.ts"
import { recoverProject } from "../write/recover-project.ts"
import { isTempName } from "../write/write-file-whole.ts"
import { applyTextEdits, type TextEdit } from "./apply-text-edits.ts"

const schema = "apis/shop/environments/schema.json"
const values = "apis/shop/environments/dev.json"
const secrets = "apis/shop/environments/dev.secrets.env"
const workflow = "apis/workflow/check out.json".replace(" ", "-")
const request = "apis/shop/requests/alle Bestellungen/meine.json"

const before: Record<string, string> = {
  ".gitignore": "*.secrets.env\n",
  [schema]: '{"a": 1}',
  [values]: '\ufeff{"key": "k"}',
  [workflow]: "{{key}}",
  [request]: "{{key}}",
}
const after: Record<string, string> = {
  ".gitignore": "*.secrets.env\n",
  [schema]: '{"b": 1}',
  [values]: "\ufeff{}",
  [secrets]: "token=k\n",
  [workflow]: "{{token}}",
  [request]: "{{token}}",
}

const withoutMark = (text: string | undefined): string | null => text?.replace(/^\ufeff/, "") ?? null

const edits: readonly TextEdit[] = [schema, values, secrets, workflow, request].map((file) => ({
  file,
  before: withoutMark(before[file]),
  after: withoutMark(after[file]) ?? "",
  isSecret: file === secrets,
}))

const apply = (root: string, disk?: Disk) =>
  applyTextEdits({ root, title: "rename", edits }, disk === undefined ? {} : { disk })

const filesOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      // The next change of the project removes the temporary files of a killed process. Until then, git ignores them.
      .filter((entry) => entry.isFile() && !isTempName(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  )

/** Returns the state of the project. Fails if it is a mix of both states. */
function endOf(root: string): "before" | "after" {
  const files = filesOf(root)
  if (isDeepStrictEqual(files, before)) return "before"
  expect(files).toEqual(after)
  return "after"
}

describe("applyTextEdits", () => {
  it("makes git ignore secrets files before it writes one", async () => {
    const { [".gitignore"]: _, ...rest } = before
    const root = temporaryProject(rest)
    const { files } = await apply(root)
    expect(files[0]).toBe(".gitignore")
    expect(filesOf(root)).toEqual(after)
  })

  it("writes nothing if a file changes meanwhile", async () => {
    const root = temporaryProject(before)
    let isDone = false
    const disk = faultyDisk(({ name, args }) => {
      if (name !== "renameSync" || isDone || !String(args[1]).endsWith("dev.json")) return
      isDone = true
      writeFileSync(join(root, workflow), "theirs")
    })
    await expect(apply(root, disk)).rejects.toMatchObject({ code: "file-changed" })
    expect(filesOf(root)).toEqual({ ...before, [workflow]: "theirs" })
  })

  it("is complete or has no effect after a crash at any point", async () => {
    const calls = await countCalls((disk) => apply(temporaryProject(before), disk))
    const ends = new Set<string>()
    for (let last = 1; last <= calls; last++) {
      const root = temporaryProject(before)
      await apply(root, dyingDisk(last)).catch(() => undefined)
      await recoverProject(root)
      ends.add(endOf(root))
    }
    expect([...ends].sort()).toEqual(["after", "before"])
  }, 120_000)

  it("is complete or has no effect if the disk is full from any point on", async () => {
    const calls = await countCalls((disk) => apply(temporaryProject(before), disk))
    for (let at = 1; at <= calls; at++) {
      const root = temporaryProject(before)
      let isFull = false
      const disk = faultyDisk(({ name, number }) => {
        isFull ||= number >= at
        if (isFull && (name === "writeSync" || name === "openSync")) throw diskError("ENOSPC")
      })
      const isRefused = await apply(root, disk).then(
        () => false,
        () => true,
      )
      await recoverProject(root)
      const end = endOf(root)
      if (!isRefused) expect(end).toBe("after")
    }
  }, 120_000)
})
