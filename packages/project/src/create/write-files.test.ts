import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import type { Disk } from "../write/write-scope.ts"
import { countCalls, diskError, dyingDisk, faultyDisk } from "../testing/faulty-disk.ts"
import { recoverProject } from "../write/recover-project.ts"
import { writeFiles, type FileEdit } from "./write-files.ts"

const before = { ".gitignore": "dist\n", "README.md": "mine" }
const edited = { ...before, ".gitignore": "dist\nmore\n", ".vscode/a/b.json": "{}\n" }
const after = { ...edited, "apis/a/b.json": "{}\n", "apis/c.json": "[]\n" }

const edits: readonly FileEdit[] = [
  { file: ".vscode/a/b.json", edit: () => "{}\n" },
  { file: ".gitignore", edit: (text) => (text?.includes("more") === true ? text : `${text ?? ""}more\n`) },
  { file: "README.md", edit: () => undefined },
]

const write = (root: string, disk?: Disk) =>
  writeFiles(
    {
      root,
      title: "make some files",
      edits,
      folder: {
        name: "apis",
        files: new Map([
          ["a/b.json", "{}\n"],
          ["c.json", "[]\n"],
        ]),
      },
    },
    disk === undefined ? {} : { disk },
  )

const filesOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(root.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  )

describe("writeFiles", () => {
  it("creates and edits files with their directories, and changes nothing the second time", async () => {
    const root = temporaryProject(before)
    expect((await write(root)).files).toEqual([
      ".vscode/a/b.json",
      ".gitignore",
      "apis/a/b.json",
      "apis/c.json",
    ])
    expect(filesOf(root)).toEqual(after)
    expect((await writeFiles({ root, title: "x", edits })).files).toEqual([])
    expect(filesOf(root)).toEqual(after)
  })

  it("leaves nothing behind if its guard refuses or a file is in the way", async () => {
    const guard = () => {
      throw new CallsheetError({ code: "project-exists", message: "no" })
    }
    const root = temporaryProject(before)
    await expect(writeFiles({ root, title: "x", guard, edits })).rejects.toThrow("no")
    expect(filesOf(root)).toEqual(before)
    const blocked = temporaryProject({ ...before, ".vscode": "" })
    await expect(write(blocked)).rejects.toMatchObject({ code: "write-failed" })
    expect(readdirSync(blocked).sort()).toEqual([".gitignore", ".vscode", "README.md"])
  })

  it("replaces no directory that isn't empty", async () => {
    const root = temporaryProject({ ...before, "apis/mine.json": "1" })
    await expect(write(root)).rejects.toMatchObject({ code: "write-failed" })
    expect(filesOf(root)).toEqual({ ...edited, "apis/mine.json": "1" })
  })

  const failAt = (last: number) =>
    faultyDisk(({ number, name }) => {
      if (number === last && name !== "closeSync") throw diskError("EIO")
    })

  it.each([
    ["fails one call", failAt],
    ["is killed with its process", dyingDisk],
  ])(
    "creates the new directory completely or not at all if the disk %s, and completes it with another call",
    async (_, diskAt) => {
      const calls = await countCalls((disk) => write(temporaryProject(before), disk))
      let without = 0
      for (let last = 1; last <= calls; last++) {
        const root = temporaryProject(before)
        await write(root, diskAt(last)).catch(() => undefined)
        await recoverProject(root)
        const files = named(filesOf(root))
        const isMade = existsSync(join(root, "apis"))
        if (isMade) expect(files, `call ${last}`).toEqual(after)
        else {
          without++
          for (const [file, text] of Object.entries(files)) {
            expect(
              [before, edited].map((texts: Record<string, string>) => texts[file]),
              `call ${last}`,
            ).toContain(text)
          }
          await write(root)
        }
        expect(filesOf(root), `call ${last}`).toMatchObject(after)
        if (!isMade) expect(filesOf(root), `call ${last}`).toEqual(after)
      }
      expect(calls - without).toBeGreaterThan(0)
      expect(without).toBeGreaterThan(20)
    },
  )
})

/** Filters out the files that a killed process leaves behind. */
const named = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([file]) => !file.includes(".callsheet-")))
