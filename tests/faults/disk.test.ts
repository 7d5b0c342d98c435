// Files that are not regular, can't be read, change while they are read, or are behind links.

import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { openProject, readEnvironments } from "@callsheet/project"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder, program } from "../harness/callsheet.ts"
import { allKinds, allOf, dataKinds, everyKind, kinds, type Kind } from "./every-kind.ts"

/** A directory with one file of every kind. */
async function folderOf(files = everyKind): Promise<string> {
  const folder = await createFolder(files)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the problems of a directory without changes, including its script. */
async function findAsIs(folder: string) {
  const start = performance.now()
  const result = await callsheet(["run", "data", "other", "w", "--json"], { folder, timeoutMs: 10_000 })
  const problems = (result.report?.runs ?? []).flatMap(({ error }) => error?.problems ?? [])
  const codes = [...new Set(problems.map(({ file, code }) => `${file} ${code}`))].sort()
  return { ...result, problems, codes, ms: performance.now() - start }
}

// A workflow with an unreadable script reports that at the script's name.
const unreadable = (list: readonly Kind[], code = "file-unreadable", ...others: readonly string[]) =>
  [...allOf(list, ` ${code}`), ...others].sort()
const NO_SCRIPT = "apis/workflow/w.json script-missing"

describe("paths that are not regular files", () => {
  const makers: readonly (readonly [string, string, (path: string) => unknown])[] = [
    ["a directory", "found a directory", (path) => mkdirSync(path)],
    ["a pipe", "found a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a link to itself", "the symbolic link is broken", (path) => symlinkSync(path, path)],
    ["a link to a missing file", "the symbolic link is broken", (path) => symlinkSync("nothing", path)],
    [
      "a socket",
      "found a pipe, socket",
      async (path) => {
        const server = createServer().listen(path)
        await once(server, "listening")
        onTestFinished(() => void server.close())
      },
    ],
  ]

  it.each(makers)(
    "%s in place of any kind of file is rejected at once, with the reason",
    async (_, reason, make) => {
      const folder = await folderOf()
      for (const kind of allKinds) {
        rmSync(join(folder, kinds[kind]))
        await make(join(folder, kinds[kind]))
      }
      const { codes, problems, ms } = await findAsIs(folder)
      const isFolder = reason === "found a directory"
      // A directory of scripts may have any name, so only the missing script can be reported.
      expect(codes).toEqual(unreadable(isFolder ? dataKinds : allKinds, "file-unreadable", NO_SCRIPT))
      for (const { code, message } of problems)
        if (code === "file-unreadable") expect(message).toContain(reason)
      expect(ms).toBeLessThan(5_000)
    },
  )

  it.each(["/dev/zero", "/etc/passwd"])(
    "a link to %s in place of any kind of file is rejected and not read",
    async (target) => {
      const folder = await folderOf()
      for (const kind of allKinds) {
        rmSync(join(folder, kinds[kind]))
        symlinkSync(target, join(folder, kinds[kind]))
      }
      const { codes, stdout, stderr, ms } = await findAsIs(folder)
      expect(codes).toEqual(unreadable(allKinds, "link-outside", NO_SCRIPT))
      expect(stdout + stderr).not.toMatch(/dev\/zero|passwd|root:/)
      expect(ms).toBeLessThan(5_000)
    },
  )

  it("denied permission is reported for every kind of file", async () => {
    const folder = await folderOf()
    for (const kind of allKinds) chmodSync(join(folder, kinds[kind]), 0)
    chmodSync(folder, 0o755)
    // Root may read everything, so run the command as another user.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const child = spawn(process.execPath, [program, "run", "data", "other", "w", "--json"], {
      cwd: folder,
      ...asNobody,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] },
    })
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    let err = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
    await once(child, "close")
    expect(err).not.toContain("bug")
    for (const kind of dataKinds)
      expect(err).toContain(`${kinds[kind]}: can't read the file: permission denied`)
    expect(err).toContain(`${kinds.script}: can't read the file: permission denied`)
    expect(out).not.toBe("")
  })

  it("a file in place of a directory is rejected", async () => {
    for (const [path, code] of [
      ["apis/shop/environments", "apis/shop/environments file-unreadable"],
      ["apis/stock/requests", "apis/stock/requests file-unreadable"],
      ["apis/workflow/scripts/w", "apis/workflow/scripts/w file-unreadable"],
    ] as const) {
      const folder = await folderOf()
      rmSync(join(folder, path), { recursive: true })
      writeFileSync(join(folder, path), "")
      expect((await findAsIs(folder)).codes).toContain(code)
    }
  })
})

describe("size", () => {
  it("a file of any kind beyond the documented limit is rejected without being read", async () => {
    const folder = await folderOf()
    for (const kind of allKinds) truncateSync(join(folder, kinds[kind]), 200 * 1024 * 1024)
    const { codes, problems, ms } = await findAsIs(folder)
    expect(codes).toEqual(unreadable(dataKinds, "file-unreadable", "apis/workflow/w.json file-unreadable"))
    for (const { message } of problems)
      expect(message).toMatch(
        /209715200 bytes; the limit is (?:16|64) MiB$|the document has 200 MiB; the limit is 128 MiB$/,
      )
    expect(ms).toBeLessThan(5_000)
  })
})

// Writes versions of a file forever, as programs do: in place, part by part, or complete to another file that is then
// renamed.
const writer = `
  const { openSync, writeSync, fsyncSync, renameSync, writeFileSync, truncateSync } = require("node:fs")
  const [, file, how] = process.argv
  const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  const size = 40000
  const version = (letter) => JSON.stringify({ x: letter.repeat(size) })
  const end = Date.now() + 20000
  for (let n = 0; Date.now() < end; n++) {
    const text = version("ab"[n % 2])
    if (how === "rename") { writeFileSync(file + ".new", text); renameSync(file + ".new", file); pause(1) }
    else {
      if (how === "truncate") truncateSync(file, 0)
      const fd = openSync(file, "r+")
      for (let at = 0; at < text.length; at += 4096) { writeSync(fd, text.slice(at, at + 4096), at); pause(2) }
      require("node:fs").closeSync(fd)
      pause(60)
    }
    if (n === 0) console.log("writing")
  }
`

describe("a file that changes while it is read", () => {
  // A busy machine delays the writer in more than one read of twenty, but not three times in a row.
  it.each(["in place", "truncate", "rename"])(
    "is read in one consistent state or rejected (%s)",
    { retry: 2 },
    async (how) => {
      const folder = await folderOf({
        "apis/a/environments/schema.json": {
          version: 1,
          variables: { x: { type: "string", required: false } },
        },
        "apis/a/environments/local.json": JSON.stringify({ x: "a".repeat(40_000) }),
      })
      const file = join(folder, "apis/a/environments/local.json")
      const child: ChildProcess = spawn(process.execPath, ["-e", writer, file, how], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      onTestFinished(() => void child.kill("SIGKILL"))
      await once(child.stdout!, "data")
      const project = openProject(folder)
      const seen = new Map<string, number>()
      const end = performance.now() + 1_500
      while (performance.now() < end) {
        const { environments, problems } = readEnvironments(project, "a")
        const value = environments.get("local")?.values.get("x")
        const what =
          problems.length > 0
            ? problems.map(({ code, message }) => `${code}: ${message}`).join()
            : typeof value === "string" && value.length === 40_000
              ? [...new Set(value)].join("")
              : "cut"
        seen.set(what, (seen.get(what) ?? 0) + 1)
      }
      const fair = new Set(["a", "b", "file-unreadable: another program is writing this file"])
      const count = (of: (what: string) => boolean) =>
        [...seen].reduce((sum, [what, times]) => sum + (of(what) ? times : 0), 0)
      // A writer that is paused between two parts leaves a file that looks complete. Without a wait that is one read in
      // five.
      expect(count((what) => !fair.has(what)) / count(() => true)).toBeLessThan(0.05)
      expect((seen.get("a") ?? 0) + (seen.get("b") ?? 0)).toBeGreaterThan(0)
    },
  )
})

describe("links", () => {
  const outside = async () => folderOf({ ...everyKind, "apis/shop/environments/staging.json": {} })

  it.each([
    ["apis", "apis/workflow"],
    ["apis/workflow", "apis/workflow"],
    ["apis/shop", "apis/shop"],
    ["apis/shop/environments", "apis/shop/environments"],
    [kinds.values, kinds.values],
    [kinds.schema, kinds.schema],
    [kinds.secrets, kinds.secrets],
    [kinds.json, kinds.json],
    [kinds.yaml, kinds.yaml],
    ["apis/stock/requests", "apis/stock/requests"],
    ["apis/stock/requests/orders", "apis/stock/requests/orders"],
    [kinds.request, kinds.request],
    [kinds.workflow, kinds.workflow],
    ["apis/workflow/scripts", "apis/workflow/scripts/w"],
    ["apis/workflow/scripts/w", "apis/workflow/scripts/w"],
    [kinds.script, kinds.script],
  ])("%s as a link into another project is rejected by its name", async (path, file) => {
    const folder = await folderOf()
    const other = await outside()
    rmSync(join(folder, path), { recursive: true })
    symlinkSync(join(other, path), join(folder, path))
    const { stderr, exitCode } = await findAsIs(folder)
    expect(exitCode).toBe(2)
    const lines = stderr.split("\n").filter((line) => line.startsWith(`${file}: `))
    expect(lines).toEqual([expect.stringMatching(/\(link-outside\)$/)])
    expect(stderr).not.toContain(other)
  })

  it("links inside the project are followed at every level, and cycles end", async () => {
    const folder = await folderOf()
    mkdirSync(join(folder, "shared"))
    for (const path of [
      "apis/shop/environments",
      kinds.json,
      kinds.yaml,
      "apis/stock/requests/orders",
      kinds.workflow,
      "apis/pay",
    ]) {
      const place = join(folder, "shared", path.replaceAll("/", "-"))
      renameSync(join(folder, path), place)
      symlinkSync(place, join(folder, path))
    }
    symlinkSync(".", join(folder, "apis/workflow/scripts/w/here"))
    symlinkSync("check.ts", join(folder, "apis/workflow/scripts/w/again.ts"))
    symlinkSync("orders", join(folder, "apis/stock/requests/twice"))
    symlinkSync("../..", join(folder, "apis/stock/requests/up"))
    const { codes, report } = await findAsIs(folder)
    expect([codes, report?.runs.map(({ status }) => status)]).toEqual([
      ["apis/workflow/data.json instance-unknown"],
      ["error", "passed", "passed"],
    ])
  })
})
