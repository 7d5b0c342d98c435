// `callsheet.json` may come from a stranger. The files that its reporters write are plain files inside the project.

import { execFileSync } from "node:child_process"
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { rm } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { reporterNames } from "@callsheet/format"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles } from "../harness/callsheet.ts"
import { echo, shopFiles } from "./shop-project.ts"

let api: ApiServer
let folder: string
let outside: string
let duringRun: () => void
beforeEach(async () => {
  duringRun = () => undefined
  api = await startApi({
    "GET /echo": () => {
      duringRun()
      return { body: { ok: true } }
    },
  })
  folder = await createFolder(shopFiles(api.url, [echo("first")]))
  outside = await createFolder({ "theirs.json": "theirs" })
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
  await rm(outside, { recursive: true })
})

const setReporters = (...reporters: readonly string[]) =>
  writeFiles(folder, { "callsheet.json": { version: 1, defaults: { reporters } } })
const call = (...words: readonly string[]) => callsheet(words, { folder })
const at = (path: string): string => join(folder, path)
const temporaries = (path = "") => readdirSync(at(path)).filter((name) => name.endsWith(".tmp"))

/** Each is refused by its name. */
const refusedPaths = [
  // Outside the project
  "../report.json",
  "a/../../report.json",
  "a/../report.json",
  "..",
  "/dev/null",
  "/tmp/report.json",
  "//server/share/report.json",
  "C:/report.json",
  "C:report.json",
  "..\\report.json",
  "reports\\..\\..\\report.json",
  "\\\\?\\C:\\report.json",
  "\\\\server\\share\\report.json",
  "~/report.json",
  "$HOME/report.json",
  // No file
  ".",
  "./",
  " ",
  // Hidden
  ".git/hooks/pre-commit",
  "sub/.git/config",
  ".GIT/config",
  "．git/config",
  "․git/config",
  ".g\u200cit/config",
  ".git\u00ad/config",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  "GIT~1/config",
  "git~1/hooks/post-checkout",
  ".github/workflows/ci.yml",
  ".husky/pre-commit",
  ".vscode/tasks.json",
  ".npmrc",
  ".profile",
  ".callsheet",
  "a/.callsheet/report.json",
  ".callsheet-journal.json",
  ".Callsheet/report.json",
  // What callsheet and other programs read
  "apis/workflow/w.json",
  "APIS/workflow/new.json",
  "api\u017f/workflow/new.json",
  "\uff41\uff50\uff49\uff53/workflow/new.json",
  "./apis/shop/openapi.json",
  "apis",
  "node_modules/.bin/x",
  "sub/Node_Modules/x/index.js",
  "callsheet.json",
  "CALLSHEET.json",
  "callsheet.json.",
  "package.json",
  "sub/package.json",
  "local.secrets.env",
  "LOCAL.ENV",
  // Names that disks or shells read in their own way
  "report.json::$DATA",
  "nul",
  "reports/con.json",
  "com1",
  "report.json ",
  "report\u0000.json",
  "report\n.json",
  "report\u202e.json",
  "report\u034f.json",
  "\ufeffreport.json",
  "\ud800.json",
  "-rf",
  "--checkpoint-action=exec=sh",
  "$(touch x)",
  "`x`",
  "a;b",
  "a|b",
  "*",
]

describe("a path that callsheet.json names", () => {
  it("is refused at its line, if it isn't a plain name in the project", async () => {
    await setReporters("pretty", ...refusedPaths.map((path) => `json=${path}`))
    const { exitCode, stdout } = await call("validate", "--json")
    const { problems } = JSON.parse(stdout) as { problems: { line: number; code: string; hint: string }[] }
    expect(exitCode).toBe(1)
    const lines = readFileSync(at("callsheet.json"), "utf8").split("\n")
    const found = problems.map(({ line, code }) => [code, lines[line - 1]?.trim().replace(/,$/, "")])
    expect(found).toEqual(refusedPaths.map((path) => ["path-refused", JSON.stringify(`json=${path}`)]))
    expect(problems.every(({ hint }) => hint.includes("reports/run.json"))).toBe(true)
    const before = tree(folder)
    const ran = await call("run", "w")
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""])
    expect(ran.stderr.match(/\(path-refused\)/g)).toHaveLength(refusedPaths.length)
    expect(api.requests).toEqual([])
    expect(tree(folder)).toEqual(before)
  })

  it("is refused if it goes through a link, or callsheet didn't write what is there", async () => {
    const socket = createServer().listen(at("socket"))
    mkdirSync(at("real"))
    symlinkSync(outside, at("out"))
    symlinkSync("apis/workflow", at("in"))
    symlinkSync("real", at("to-real"))
    mkdirSync(at("a/b"), { recursive: true })
    symlinkSync(outside, at("a/b/c"))
    symlinkSync(join(outside, "theirs.json"), at("link.json"))
    symlinkSync(join(outside, "new.json"), at("nowhere.json"))
    symlinkSync("looped.json", at("looped.json"))
    linkSync(join(outside, "theirs.json"), at("hard.json"))
    execFileSync("mkfifo", [at("fifo")])
    writeFileSync(at("file"), "")
    writeFileSync(at("build.sh"), "#!/bin/sh\n", { mode: 0o755 })
    writeFileSync(at("users.json"), `{"version":1,"status":"mine"}`)
    writeFileSync(at("users.xml"), `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="jest" />`)
    writeFileSync(at("users.har"), `{"log":{"version":"1.2","creator":{"name":"browser"}}}`)
    writeFileSync(at("users.html"), `<!doctype html>\n<p>&lt;meta name="generator" content="callsheet"&gt;`)
    writeFileSync(at("notes.txt"), "everything  shop → local\n✓ small passed\n")
    mkdirSync(at("config"))
    writeFileSync(at("config/environment.properties"), "theirs")
    const refused = [
      "json=out/report.json",
      "json=in/new.json",
      "json=to-real/report.json",
      "json=to-real/new/report.json",
      "json=a/b/c/new/report.json",
      "json=link.json",
      "json=nowhere.json",
      "json=looped.json",
      "json=hard.json",
      "json=fifo",
      "ndjson=socket",
      "json=file",
      "json=file/report.json",
      "json=real",
      "pretty=build.sh",
      "json=users.json",
      "junit=users.xml",
      "har=users.har",
      "html=users.html",
      "pretty=notes.txt",
      "github=notes.txt",
      "allure=config",
      "allure=file",
      "allure=out",
      "allure=to-real",
    ]
    await setReporters(...refused)
    const before = tree(folder)
    for (const [words, code] of [
      [["validate"], 1],
      [["run", "w"], 2],
    ] as const) {
      const result = await call(...words)
      expect(result.exitCode).toBe(code)
      const output = result.stdout + result.stderr
      expect(output.match(/callsheet\.json:[0-9]+:[0-9]+: .*\(path-refused\)/g)).toHaveLength(refused.length)
    }
    expect(api.requests).toEqual([])
    expect(tree(folder)).toEqual(before)
    socket.close()
    expect(tree(outside)).toEqual(["theirs.json theirs"])
  })

  it.each<readonly [string, () => void]>([
    [
      "a directory became a link",
      () => {
        renameSync(at("reports"), at("moved"))
        symlinkSync(outside, at("reports"))
      },
    ],
    [
      "a directory became a link inside the project",
      () => {
        renameSync(at("reports"), at("moved"))
        symlinkSync("moved", at("reports"))
      },
    ],
    ["the file is a link", () => symlinkSync(join(outside, "theirs.json"), at("reports/run.json"))],
    ["the file is another program's", () => writeFileSync(at("reports/run.json"), "theirs")],
    ["the file is a directory", () => mkdirSync(at("reports/run.json"))],
  ])("isn't written if during the run %s", async (_, change) => {
    await setReporters("json=reports/run.json")
    duringRun = change
    const { exitCode, stderr } = await call("run", "w")
    expect([exitCode, stderr.includes("path-refused")]).toEqual([2, true])
    expect(stderr).not.toContain("this is a bug")
    expect(tree(outside)).toEqual(["theirs.json theirs"])
    const written = tree(folder).filter((line) => line.includes('"status"') && !line.includes(".tmp "))
    expect(written).toEqual([])
  })

  it("isn't written if the directory of a report became a link during the run", async () => {
    await setReporters("allure=reports/allure")
    duringRun = () => {
      renameSync(at("reports/allure"), at("moved"))
      symlinkSync(outside, at("reports/allure"))
    }
    const { exitCode, stderr } = await call("run", "w")
    expect([exitCode, stderr.includes("(report-failed)")]).toEqual([2, true])
    expect(tree(outside)).toEqual(["theirs.json theirs"])
  })
})

describe("a reporter of callsheet.json", () => {
  it.each(reporterNames)("writes its file, and replaces it in the next run: %s", async (name) => {
    await setReporters(`${name}=./reports/new dir/r+${name}@1.out/`)
    const place = `reports/new dir/r+${name}@1.out`
    for (let run = 0; run < 3; run++) {
      const { exitCode, stderr } = await call("run", "w")
      expect([exitCode, stderr]).toEqual([0, ""])
      expect((await call("validate")).exitCode).toBe(0)
      expect(temporaries("reports/new dir")).toEqual([])
    }
    if (name === "allure") expect(readdirSync(at(place)).length).toBeGreaterThan(4)
    else expect(statSync(at(place)).size).toBeGreaterThan(10)
  })

  it("marks text for people as callsheet's own", async () => {
    await setReporters("pretty=out.txt", "json=.callsheet/run.json")
    await call("run", "w")
    const text = await readText(folder, "out.txt")
    expect(text).toMatch(/^Written by callsheet\. The next run replaces this file\.\nw  shop → local/)
    expect(await readText(folder, ".callsheet/run.json")).toContain('"status":"passed"')
  })

  it("replaces a report that the command line wrote, and no other link to it", async () => {
    await call("run", "w", "--reporter=json=reports/run.json")
    linkSync(at("reports/run.json"), join(outside, "other.json"))
    const before = readFileSync(join(outside, "other.json"), "utf8")
    await setReporters("json=reports/run.json")
    expect((await call("run", "w")).exitCode).toBe(0)
    expect(readFileSync(at("reports/run.json"), "utf8")).not.toBe(before)
    expect(readFileSync(join(outside, "other.json"), "utf8")).toBe(before)
  })

  it("isn't needed for a path of the command line, which may be anywhere", async () => {
    await setReporters("json=reports/run.json")
    symlinkSync(join(outside, "theirs.json"), at("link.json"))
    const places = [join(outside, "r.json"), "link.json", "/dev/null", ".hidden.json", "apis/r.json"]
    const { exitCode, stderr } = await call("run", "w", ...places.map((path) => `--reporter=json=${path}`))
    expect([exitCode, stderr]).toEqual([0, ""])
    for (const path of [join(outside, "r.json"), join(outside, "theirs.json"), at(".hidden.json")])
      expect(readFileSync(path, "utf8")).toContain('"status":"passed"')
    rmSync(at("apis/r.json"))
  })
})

/** Returns the entries of a directory with the start of their contents. */
const tree = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(root, name)
      return lstatSync(path).isFile() ? `${name} ${readFileSync(path, "utf8").slice(0, 100)}` : name
    })
