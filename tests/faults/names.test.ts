// Names that some systems don't allow, that look alike, or that lead elsewhere: on the disk, in files and as arguments.

import { readdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder, writeFiles, type Files } from "../harness/callsheet.ts"
import { sized } from "../harness/full-size.ts"
import { everyKind, kinds } from "./every-kind.ts"

async function folderOf(files: Files = {}): Promise<string> {
  const folder = await createFolder(everyKind)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFiles(folder, files)
  return folder
}

const envs = "apis/shop/environments"
const devices = [
  "con",
  "NUL",
  "aux",
  "prn",
  "COM1",
  "com9",
  "lpt1",
  "Lpt9",
  "CONIN$",
  "conout$",
  "com¹",
  "nul.old",
]
const unseen = ["e\u001b[31m", "b\u202e", "n\nx", "z\ufeff"]
const blanks = [" x", "x ", "x."]
const alike = ["lócal", "lo\u0301cal", "ⅼocal", "loсal"]
const foreign = ["a:b", "a*", "a?", "a|b", "a<b", 'a"b', "a\\b"]

/** The `code` of the problem that a line of standard error reports for a file, or undefined. */
const codeOf = (stderr: string, file: string): string | undefined => {
  const spelled = file.replaceAll(/[\u0000-\u001f\u202e\ufeff]/g, (char) =>
    char === "\n" ? "\\n" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
  const line = stderr.split("\n").find((one) => one.startsWith(`${spelled}: `))
  return line === undefined ? undefined : /\(([a-z-]+)\)$/.exec(line)?.[1]
}

describe("names on the disk", () => {
  it("of environments are rejected one by one with a hint, and the others are still listed", async () => {
    const names = [
      ...devices,
      ...unseen,
      ...blanks,
      ...alike,
      ...foreign,
      "__proto__",
      "-x",
      "x".repeat(244),
      "Schema",
    ]
    const folder = await folderOf(Object.fromEntries(names.map((name) => [`${envs}/${name}.json`, {}])))
    const { stdout, stderr, exitCode } = await callsheet(["env", "list", "shop", "--json"], { folder })
    expect(names.map((name) => codeOf(stderr, `${envs}/${name}.json`))).toEqual(names.map(() => "env-name"))
    expect(stderr.match(/^ {2}hint: use at most 243 letters/gm)).toHaveLength(names.length)
    expect([exitCode, JSON.parse(stdout)]).toEqual([2, [{ api: "shop", name: "local", level: "local" }]])
  })

  it("of workflows are rejected one by one with a hint, and the others are still listed", async () => {
    const names = [...devices, ...unseen, ...blanks, ...alike, ...foreign, "__proto__", "-x", "x".repeat(244)]
    const folder = await folderOf(Object.fromEntries(names.map((name) => [`apis/workflow/${name}.json`, {}])))
    const { stdout, stderr, exitCode } = await callsheet(["list", "workflows", "--json"], { folder })
    expect(names.map((name) => codeOf(stderr, `apis/workflow/${name}.json`))).toEqual(
      names.map(() => "workflow-name"),
    )
    expect(stderr.match(/^ {2}hint: use at most 243 letters/gm)).toHaveLength(names.length)
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      2,
      { workflows: [{ name: "data" }, { name: "other" }, { name: "w" }] },
    ])
  })

  it("of APIs are rejected one by one with a hint, and the others are still listed", async () => {
    const names = [
      "con",
      "nul",
      "aux",
      "com1",
      "lpt9",
      ...unseen,
      ...blanks,
      ...alike,
      "Shop",
      "SHOP",
      "shop.eu",
      "-x",
      "_x",
      "Workflow",
    ]
    const folder = await folderOf(Object.fromEntries(names.map((name) => [`apis/${name}/note.txt`, ""])))
    const { stdout, stderr, exitCode } = await callsheet(["list", "apis", "--json"], { folder })
    expect(names.map((name) => codeOf(stderr, `apis/${name}`))).toEqual(names.map(() => "api-name"))
    expect(stderr.match(/^ {2}hint: use lowercase letters/gm)).toHaveLength(names.length)
    const listed = JSON.parse(stdout) as { apis: { name: string }[] }
    expect([exitCode, listed.apis.map(({ name }) => name)]).toEqual([2, ["pay", "shop", "stock"]])
  })

  it.each(["con", "Shop"])("of an API that a workflow uses are reported with the name: %s", async (name) => {
    const block = { id: "a", type: "request", request: { api: name, operation: "x" } }
    const folder = await folderOf({
      [`apis/${name}/note.txt`]: "",
      "apis/workflow/x.json": { version: 1, blocks: [block] },
    })
    const { stderr } = await callsheet(["run", "x", "--json"], { folder })
    expect(codeOf(stderr, `apis/${name}`)).toBe("api-name")
  })

  it.each([
    ["environments", "env-name", `${envs}/LOCAL.json`, `${envs}/local.json`, ["env", "list", "shop"]],
    ["workflows", "workflow-name", "apis/workflow/Other.json", "apis/workflow/other.json", ["list"]],
    [
      "saved requests",
      "instance-name",
      "apis/stock/requests/orders/New.json",
      kinds.request,
      ["run", "data"],
    ],
    [
      "directories of saved requests",
      "instance-name",
      "apis/stock/requests/Orders/old.json",
      "apis/stock/requests/orders",
      ["run", "data"],
    ],
    ["scripts", "script-name", "apis/workflow/scripts/w/Check.ts", kinds.script, ["run", "w"]],
    [
      "directories of scripts",
      "script-name",
      "apis/workflow/scripts/w/Lib/x.ts",
      "apis/workflow/scripts/w/lib",
      ["run", "w"],
    ],
  ])("of %s that differ only in case are rejected at the second one", async (_, code, twin, file, words) => {
    const folder = await folderOf({
      "apis/workflow/scripts/w/lib/y.ts": "",
      [twin]: everyKind[kinds.request],
    })
    const { stderr, exitCode } = await callsheet(words, { folder })
    expect([exitCode, codeOf(stderr, file)]).toEqual([2, code])
    expect(stderr).toContain("hint: some disks can't store both: rename one of them")
  })

  it("of saved requests and scripts that differ only in Unicode normalization are rejected", async () => {
    const folder = await folderOf({
      "apis/stock/requests/orders/cre\u0301e.json": everyKind[kinds.request],
      "apis/stock/requests/orders/cr\u00e9e.json": everyKind[kinds.request],
      "apis/workflow/scripts/w/e\u0301.ts": "",
      "apis/workflow/scripts/w/\u00e9.ts": "",
    })
    const { stderr } = await callsheet(["run", "w"], { folder })
    expect(codeOf(stderr, "apis/workflow/scripts/w/\u00e9.ts")).toBe("script-name")
    await writeFiles(folder, {
      "apis/workflow/x.json": {
        version: 1,
        blocks: [{ id: "a", type: "request", request: { api: "stock", instance: "cr\u00e9e" } }],
      },
    })
    const used = await callsheet(["run", "x"], { folder })
    expect(codeOf(used.stderr, "apis/stock/requests/orders/cr\u00e9e.json")).toBe("instance-name")
  })

  const free = [...devices, ...unseen, ...blanks, ...foreign]

  it("of saved requests and their directories are free text that every system allows", async () => {
    const folder = await folderOf({
      ...Object.fromEntries(
        free.map((name) => [`apis/stock/requests/${name}/x.json`, everyKind[kinds.request]]),
      ),
      "apis/stock/requests/Neue Aufträge/Kaffee & Kuchen (2).json": everyKind[kinds.request],
    })
    const { stderr } = await callsheet(["run", "data"], { folder })
    expect(free.map((name) => codeOf(stderr, `apis/stock/requests/${name}`))).toEqual(
      free.map(() => "instance-name"),
    )
    expect(stderr).not.toContain("Kaffee")
    expect(stderr).not.toContain("Neue")
    const block = (name: string, at: number) => ({
      id: `b${at}`,
      type: "request",
      request: { api: "stock", instance: name },
    })
    const named = await folderOf({
      ...Object.fromEntries(
        free.map((name) => [`apis/stock/requests/orders/${name}.json`, everyKind[kinds.request]]),
      ),
      "apis/workflow/x.json": { version: 1, blocks: free.map(block) },
    })
    const used = await callsheet(["run", "x"], { folder: named })
    expect(free.map((name) => codeOf(used.stderr, `apis/stock/requests/orders/${name}.json`))).toEqual(
      free.map(() => "instance-name"),
    )
  })

  it("of scripts and their directories are free text that every system allows", async () => {
    const names = [...free.map((name) => `${name}.ts`), ...free.map((name) => `${name}/x.ts`)]
    // A space or dot before the extension isn't at the end of the name.
    const files = names.filter((name) => !/^x[ .]\.ts$/.test(name))
    const folder = await folderOf({
      ...Object.fromEntries(files.map((name) => [`apis/workflow/scripts/w/${name}`, ""])),
      "apis/workflow/scripts/w/Größe & Gewicht/prüfen.ts": "",
    })
    const { stderr } = await callsheet(["run", "w"], { folder })
    const refused = files.map((name) =>
      codeOf(stderr, `apis/workflow/scripts/w/${name.replace(/\/x\.ts$/, "")}`),
    )
    expect(refused).toEqual(files.map(() => "script-name"))
    expect(stderr).not.toContain("Größe")
  })
})

describe("names in files", () => {
  it("of variables are rejected with a hint", async () => {
    const names = ["a b", "1a", "a.b", "ä", "", "a\u0000", "a\u202e", " a", "a\n"]
    const variables = Object.fromEntries(names.map((name) => [name, { type: "string", required: false }]))
    const folder = await folderOf({ [kinds.schema]: { version: 1, variables } })
    const { stderr } = await callsheet(["env", "read", "shop", "local"], { folder })
    expect(stderr.match(/is not a valid name for a variable \(variable-name\)$/gm)).toHaveLength(names.length)
  })

  it.each(["con", "../other", "local/../x", "x.json\\..", "/etc/passwd", "C:x", "schema.", "local "])(
    "extends: %j is rejected as a name",
    async (name) => {
      const folder = await folderOf({ [kinds.values]: { extends: name } })
      const { stderr } = await callsheet(["env", "read", "shop", "local"], { folder })
      expect(stderr).toMatch(/^apis\/shop\/environments\/local\.json:2:14: .*\(env-name\)$/m)
    },
  )

  it.each(["../w/check", "/etc/x", "..", "a\\b", "check\u0000", "CHECK"])(
    "script.name: %j refers to no script",
    async (name) => {
      const block = { id: "a", type: "script", script: { name, exportName: "check" } }
      const folder = await folderOf({ "apis/workflow/w.json": { version: 1, blocks: [block] } })
      const { stderr, exitCode } = await callsheet(["run", "w"], { folder })
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("(script-missing)")])
    },
  )
})

describe("names as arguments", () => {
  const names = [
    "../x",
    "/etc/passwd",
    "..",
    "",
    "a\\b",
    "schema",
    "__proto__",
    "\u001b[31m",
    "nul.json",
    "x".repeat(5_000),
  ]

  it("refer only to listed names, and change nothing otherwise", async () => {
    const folder = await folderOf()
    const tree = () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => !path.startsWith("."))
        .sort()
    const before = tree()
    const calls: readonly (readonly [code: string, words: (name: string) => readonly string[]])[] = [
      ["env-missing", (name) => ["env", "read", "shop", name]],
      ["env-name", (name) => ["env", "write", "shop", name, "tries=1"]],
      ["env-missing", (name) => ["env", "delete", "shop", name]],
      ["env-missing", (name) => ["env", "rename", "shop", name, "new"]],
      ["env-name", (name) => ["env", "rename", "shop", "local", name]],
      ["api-unknown", (name) => ["env", "list", name]],
      ["api-unknown", (name) => ["env", "write", name, "x", "a=b"]],
      ["workflow-unknown", (name) => ["run", name]],
    ]
    for (const [call, [code, words]] of calls.entries()) {
      // Each command refuses some of the names, and each name is refused by some of the commands.
      for (const name of names.filter((_, at) => (at + call) % sized(3, 1) === 0)) {
        const { exitCode, stderr, stdout } = await callsheet(words(name), { folder })
        const reported = /\(([a-z-]+)\)$/m.exec(stderr)?.[1]
        expect([
          words(name),
          exitCode,
          stdout,
          reported === "usage" && name === "" ? code : reported,
        ]).toEqual([words(name), 2, "", code])
        expect(stderr).not.toContain("\u001b")
      }
    }
    expect(tree()).toEqual(before)
  }, 60_000)

  it("of a workflow or an environment with an invalid file name report that", async () => {
    const folder = await folderOf({
      "apis/workflow/con.json": everyKind[kinds.workflow],
      [`${envs}/con.json`]: {},
    })
    for (const name of ["con", "apis/workflow/con.json"]) {
      const { stderr, exitCode } = await callsheet(["run", name], { folder })
      expect([exitCode, codeOf(stderr, "apis/workflow/con.json")]).toEqual([2, "workflow-name"])
    }
    const { stderr } = await callsheet(["env", "read", "shop", "con"], { folder })
    expect(codeOf(stderr, `${envs}/con.json`)).toBe("env-name")
  })

  it("of 243 characters can be written, with secrets, and of 244 cannot", async () => {
    const folder = await folderOf()
    const write = async (length: number) =>
      callsheet(["env", "write", "shop", "x".repeat(length), "token=t", "tries=1"], { folder })
    expect(await write(243)).toMatchObject({ exitCode: 0 })
    expect(await write(244)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("(env-name)") as string,
    })
  })
})
