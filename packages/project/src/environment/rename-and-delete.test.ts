import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { CallsheetError } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import type { Disk } from "../write/write-scope.ts"
import { countCalls, diskError, dyingDisk, faultyDisk } from "../testing/faulty-disk.ts"
import { recoverProject } from "../write/recover-project.ts"
import { deleteEnvironment, renameEnvironment } from "./rename-and-delete.ts"
import { writeEnvironment } from "./write-environment.ts"

const folder = "apis/shop/environments"

const start = {
  [`${folder}/schema.json`]: '{"version":1,"variables":{}}',
  [`${folder}/base.json`]: '{"level":"staging"}\n',
  [`${folder}/base.secrets.env`]: "# theirs\napiKey=k\n",
  [`${folder}/dev.json`]: '{\r\n\t"extends" : "base",\r\n\t"x" : 1\r\n}',
  [`${folder}/ci.json`]: '{"extends":"base"}',
  [`${folder}/other.json`]: '{"extends":"ci"}',
}

const renamed = {
  [`${folder}/schema.json`]: start[`${folder}/schema.json`],
  [`${folder}/main.json`]: start[`${folder}/base.json`],
  [`${folder}/main.secrets.env`]: start[`${folder}/base.secrets.env`],
  [`${folder}/dev.json`]: '{\r\n\t"extends" : "main",\r\n\t"x" : 1\r\n}',
  [`${folder}/ci.json`]: '{"extends":"main"}',
  [`${folder}/other.json`]: '{"extends":"ci"}',
}

const rename = (root: string, environment: string, to: string, disk?: Disk) =>
  renameEnvironment({ root, api: "shop", environment, to }, disk === undefined ? {} : { disk })
const remove = (root: string, environment: string, disk?: Disk) =>
  deleteEnvironment({ root, api: "shop", environment }, disk === undefined ? {} : { disk })

/** Every file of a project by its path, including hidden ones. */
const filesOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  )

/** Simulates a process that is killed right after it wrote its journal. */
function diesAfterJournal(): Disk {
  let isDead = false
  return faultyDisk(({ name, args }) => {
    isDead ||= name === "renameSync" && String(args[1]).endsWith("ci.json")
    if (isDead && name !== "closeSync") throw new Error("killed")
  })
}

const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

describe("env rename", () => {
  it("moves a link as a link", async () => {
    const root = temporaryProject({ ...start, "shared/values.json": "{}" })
    symlinkSync("../../../shared/values.json", join(root, folder, "linked.json"))
    await rename(root, "linked", "moved")
    expect(lstatSync(join(root, folder, "moved.json")).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(root, "shared/values.json"), "utf8")).toBe("{}")
  })

  it("fails while another environment can't be read, and reports what is wrong with it", async () => {
    const files = { ...start, [`${folder}/torn.json`]: '{"extends":"ba' }
    const root = temporaryProject(files)
    expect(await outcome(rename(root, "base", "main"))).toMatchObject({
      code: "env-in-use",
      problems: [{ code: "env-in-use" }, { code: "json-syntax", file: `${folder}/torn.json`, line: 1 }],
    })
    expect(filesOf(root)).toEqual(files)
  })
})

describe("env delete", () => {
  it("fails while another one can't be read, but removes the unreadable one", async () => {
    const root = temporaryProject({ ...start, [`${folder}/torn.json`]: '{"extends":1}' })
    expect(await outcome(remove(root, "other"))).toMatchObject({
      code: "env-in-use",
      message: `can't delete the environment "other": "torn" might extend it, and the file of "torn" can't be read`,
    })
    await remove(root, "torn")
    expect(filesOf(root)).toEqual(start)
    expect(await outcome(remove(root, "torn"))).toMatchObject({ code: "env-missing" })
  })
})

describe("a disk that fails once", () => {
  it("leaves everything unchanged, wherever a rename or a delete fails", async () => {
    const tasks = [
      (root: string, disk: Disk) => rename(root, "base", "main", disk),
      (root: string, disk: Disk) => remove(root, "leaf", disk),
    ]
    const files = { ...start, [`${folder}/leaf.json`]: "{}", [`${folder}/leaf.secrets.env`]: "apiKey=k\n" }
    for (const task of tasks) {
      const calls = await countCalls((disk) => task(temporaryProject(files), disk))
      for (let last = 1; last <= calls; last++) {
        const root = temporaryProject(files)
        const disk = faultyDisk(({ number, name }) => {
          if (number === last && name !== "closeSync") throw diskError("EIO")
        })
        const result = await outcome(task(root, disk))
        if (result instanceof Error) expect(filesOf(root)).toEqual(files)
      }
    }
  })
})

describe("a disk that keeps failing", () => {
  const files = { ...start, [`${folder}/leaf.json`]: "{}", [`${folder}/leaf.secrets.env`]: "apiKey=k\n" }
  const { [`${folder}/leaf.json`]: _, [`${folder}/leaf.secrets.env`]: __, ...withoutLeaf } = files

  it.each([
    [
      "a rename",
      { ...renamed, [`${folder}/leaf.json`]: "{}", [`${folder}/leaf.secrets.env`]: "apiKey=k\n" },
      (root: string, disk: Disk) => rename(root, "base", "main", disk),
    ],
    ["a delete", withoutLeaf, (root: string, disk: Disk) => remove(root, "leaf", disk)],
  ])(
    "leaves %s all old or all new to the next command, and reports correctly which",
    async (_, after, task) => {
      const calls = await countCalls((disk) => task(temporaryProject(files), disk))
      let halves = 0
      for (let first = 1; first <= calls; first++) {
        for (const failures of [2, 5, 11, Infinity]) {
          const root = temporaryProject(files)
          const disk = faultyDisk(({ number, name }) => {
            if (number >= first && number < first + failures && name !== "closeSync") throw diskError("EIO")
          })
          const result = await outcome(task(root, disk))
          const named = (all: Record<string, string>) =>
            Object.fromEntries(Object.entries(all).filter(([file]) => !file.includes(".callsheet-")))
          const said = result instanceof CallsheetError ? (result.hint ?? "") : ""
          if (said.includes("nothing was changed")) expect(named(filesOf(root))).toEqual(files)
          if (said.includes("could not be undone")) {
            halves++
            // Only the listed files have changed.
            const now = named(filesOf(root))
            for (const [file, text] of Object.entries(files))
              if (now[file] !== text) expect(said).toContain(file)
          }
          await recoverProject(root)
          const left = named(filesOf(root))
          expect([isDeepStrictEqual(left, files), isDeepStrictEqual(left, after)]).toContain(true)
        }
      }
      expect(halves).toBeGreaterThan(3)
    },
  )
})

describe("a process that is killed", () => {
  const leaf = { [`${folder}/leaf.json`]: "{}", [`${folder}/leaf.secrets.env`]: "apiKey=k\n" }

  it.each([
    ["a rename", start, renamed, (root: string, disk: Disk) => rename(root, "base", "main", disk)],
    ["a delete", { ...start, ...leaf }, start, (root: string, disk: Disk) => remove(root, "leaf", disk)],
  ])("in the middle of %s leaves all or nothing to the next command", async (_, before, after, task) => {
    const calls = await countCalls((disk) => task(temporaryProject(before), disk))
    const ends = { begun: 0, finished: 0 }
    for (let last = 1; last <= calls; last++) {
      const root = temporaryProject(before)
      await outcome(task(root, dyingDisk(last)))
      const recovery = await recoverProject(root)
      const left = Object.fromEntries(
        Object.entries(filesOf(root)).filter(([file]) => !file.includes(".callsheet-")),
      )
      if (recovery !== undefined) {
        ends.finished++
        expect(recovery).toMatchObject({ isFinished: true, problems: [] })
        expect(left).toEqual(after)
      } else if (isDeepStrictEqual(left, before)) ends.begun++
      else expect(left).toEqual(after)
      // The next change removes what a killed process left next to the files.
      await writeEnvironment({ root, api: "shop", environment: "fresh" })
      expect(Object.keys(filesOf(root)).filter((file) => file.includes(".callsheet-"))).toEqual([])
    }
    expect(ends.begun).toBeGreaterThan(5)
    expect(ends.finished).toBeGreaterThan(5)
  })

  it("never overwrites a file that somebody has changed since", async () => {
    const root = temporaryProject(start)
    await outcome(rename(root, "base", "main", diesAfterJournal()))
    writeFileSync(join(root, folder, "dev.json"), '{"extends":"base","mine":true}')
    const recovery = await recoverProject(root)
    expect(recovery).toMatchObject({
      title: `rename the environment "base" of the API "shop" to "main"`,
      isFinished: false,
      problems: [{ severity: "warning", file: `${folder}/dev.json` }],
    })
    expect(filesOf(root)).toEqual({ ...renamed, [`${folder}/dev.json`]: '{"extends":"base","mine":true}' })
    expect(await recoverProject(root)).toBeUndefined()
  })

  it("blocks nobody when its files are gone", async () => {
    const root = temporaryProject({ ...start, "apis/pay/openapi.json": "" })
    await outcome(rename(root, "base", "main", diesAfterJournal()))
    rmSync(join(root, "apis/shop"), { recursive: true })
    expect(await recoverProject(root)).toMatchObject({ isFinished: false })
    expect(filesOf(root)).toEqual({ "apis/pay/openapi.json": "" })
  })

  it("blocks everybody, with the reason, while the disk refuses to finish its change", async () => {
    const root = temporaryProject(start)
    await outcome(rename(root, "base", "main", diesAfterJournal()))
    const refusing = faultyDisk(({ name }) => {
      if (name === "renameSync") throw diskError("EROFS")
    })
    expect(await outcome(rename(root, "ci", "x", refusing))).toMatchObject({
      code: "write-failed",
      message: expect.stringContaining("the disk is read-only") as string,
      hint: expect.stringContaining(".callsheet-journal.json") as string,
    })
    expect(await recoverProject(root)).toMatchObject({ isFinished: true })
    expect(filesOf(root)).toEqual(renamed)
  })

  it("blocks no reader: without a journal there is nothing to do", async () => {
    const root = temporaryProject(start)
    expect(await recoverProject(root)).toBeUndefined()
    expect(await recoverProject(root, { folder: "/nowhere/at/all" })).toBeUndefined()
  })

  it("is reported before the next process makes a change", async () => {
    const root = temporaryProject(start)
    await outcome(rename(root, "base", "main", diesAfterJournal()))
    const written = await writeEnvironment({ root, api: "shop", environment: "fresh", extends: "main" })
    expect(written.recovery).toMatchObject({ isFinished: true })
    expect(filesOf(root)).toEqual({ ...renamed, [`${folder}/fresh.json`]: '{\n  "extends": "main"\n}\n' })
  })
})

describe("a journal that was committed to a repository", () => {
  const identity = { inode: "1", size: 1, modifiedMs: 1 }

  it.each([
    ["names other files", [{ do: "remove", file: "package.json", before: identity }]],
    ["names a document", [{ do: "remove", file: "apis/shop/openapi.json", before: identity }]],
    ["names a hidden file", [{ do: "remove", file: "apis/workflow/scripts/a/.b", before: identity }]],
    ["climbs in a script", [{ do: "remove", file: "apis/workflow/scripts/a/../../b", before: identity }]],
    ["climbs in a request", [{ do: "remove", file: "apis/shop/requests/../b.json", before: identity }]],
    ["leads outside", [{ do: "move", file: `${folder}/../../../../x`, to: `${folder}/x`, before: identity }]],
    [
      "moves between directories",
      [{ do: "move", file: `${folder}/base.json`, to: "apis/pay/environments/base.json", before: identity }],
    ],
    ["has no identity", [{ do: "remove", file: `${folder}/base.json` }]],
    [
      "lists unrelated files as prepared ones",
      [{ do: "replace", file: `${folder}/base.json`, temp: "apis/x", before: null }],
    ],
  ])("is rejected if it %s", async (_, steps) => {
    const files = {
      ...start,
      ".callsheet-journal.json": JSON.stringify({ version: 1, title: "t", steps }),
      "package.json": "{}",
    }
    const root = temporaryProject(files)
    expect(await outcome(recoverProject(root))).toMatchObject({ code: "write-failed" })
    expect(filesOf(root)).toEqual(files)
  })

  it("never touches a file that it has not seen", async () => {
    const steps = [
      { do: "remove", file: `${folder}/other.json`, before: identity },
      { do: "move", file: `${folder}/ci.json`, to: `${folder}/x.json`, before: identity },
    ]
    const root = temporaryProject({
      ...start,
      ".callsheet-journal.json": JSON.stringify({ version: 1, title: "t", steps }),
    })
    expect(await recoverProject(root)).toMatchObject({ isFinished: false })
    expect(filesOf(root)).toEqual(start)
    expect(existsSync(join(root, ".callsheet-journal.json"))).toBe(false)
  })
})
