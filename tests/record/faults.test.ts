// Records that can't be written, are cut, damaged or hostile.

import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { constants, gunzipSync, gzipSync } from "node:zlib"
import { CallsheetError, createReportFold, reporterNames } from "@callsheet/format"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { mergeRecords } from "../../packages/cli/src/record/merge-records.ts"
import { openRecord } from "../../packages/cli/src/record/read-record.ts"
import type { ApiServer } from "../harness/api-server.ts"
import { callsheet, program, type CallOptions } from "../harness/callsheet.ts"
import { faultyDisk, type DiskFault } from "../harness/faulty-disk.ts"
import { sized } from "../harness/full-size.ts"
import { textsIn } from "../harness/texts-in.ts"
import { linesOf, openProject, recordOf, token } from "./record-project.ts"

let api: ApiServer
let folder: string
let small: readonly string[]
beforeAll(async () => {
  ;({ api, folder } = await openProject())
  await call(["run", "small", "--record=small"])
  small = linesOf(folder, "small")
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})
afterEach(() => rm(join(folder, "r"), { force: true, recursive: true }))

const call = (words: readonly string[], options: CallOptions = {}) =>
  callsheet(words, { folder, timeoutMs: 60_000, ...options })
const leftovers = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"))
const write = (content: Uint8Array) => writeFileSync(join(folder, "r"), content)

/** Reads the record `r` in this process. Undefined if it is refused. */
async function read() {
  const record = await openRecord(join(folder, "r"), "r").catch((error: unknown) => {
    if (error instanceof CallsheetError && error.code === "record-invalid") return undefined
    throw error
  })
  if (record === undefined) return undefined
  const fold = createReportFold()
  const merged = await mergeRecords([record], fold.apply)
  await record.close()
  return { ...merged, report: fold.report }
}

it("is rendered without a complaint by every reporter if a pipe is closed early", async () => {
  await call(["run", "everything", "--repeat=20", "--record=large"])
  const render = promisify(execFile)
  for (const name of reporterNames.filter((one) => one !== "allure")) {
    const command = `"$0" "$1" report large --reporter=${name} | head -c 100; echo " \${PIPESTATUS[0]}"`
    const words = ["--norc", "-c", command, process.execPath, program]
    const { stdout, stderr } = await render("bash", words, {
      cwd: folder,
      env: { PATH: process.env["PATH"] },
    })
    expect(stdout.length, name).toBeGreaterThan(50)
    expect({ name, code: stdout.slice(-3), stderr }).toEqual({ name, code: " 1\n", stderr: "" })
  }
})

describe("a record that can't be written", () => {
  const temporary = String.raw`\.r\..*\.tmp$`

  it.each<readonly [string, DiskFault, string]>([
    ["the disk is full", { call: "writeSync", on: temporary, nth: 1, error: "ENOSPC" }, "the disk is full"],
    ["the disk is read-only", { call: "openSync", on: temporary, error: "EROFS" }, "the disk is read-only"],
  ])("stops the run before anything is sent if %s", async (_, fault, said) => {
    const before = api.requests.length
    const result = await call(["run", "small", "--record=r"], { env: faultyDisk([fault]) })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(said)
    expect(api.requests).toHaveLength(before)
    expect(leftovers()).toEqual([])
  })

  it.each<readonly [string, DiskFault]>([
    ["the disk fills up", { call: "writeSync", on: temporary, nth: 2, error: "ENOSPC" }],
    ["the disk fills up at the end", { call: "writeSync", on: temporary, nth: 3, error: "ENOSPC" }],
    ["nothing is stored", { call: "fsyncSync", on: temporary, error: "EIO" }],
    ["it can't be moved", { call: "renameSync", on: temporary, error: "EACCES" }],
  ])("lets the run and its reports finish, and fails, if %s", async (_, fault) => {
    const words = ["run", "small", "--record=r", "--reporter=json=r.json"]
    const result = await call(words, { env: faultyDisk([fault]) })
    expect(result.exitCode).toBe(2)
    expect(result.stdout).toContain("✓ small passed")
    expect(result.stderr).toContain("the reporter record failed")
    expect(result.stderr).toContain(`can't write the record "r"`)
    expect(readFileSync(join(folder, "r.json"), "utf8")).toContain('"status":"passed"')
    expect(leftovers()).toEqual([])
    if (existsSync(join(folder, "r"))) expect(await read()).toMatchObject({ exitCode: 2, verdict: "failed" })
  })

  it.each([
    ["/dev/null", "it is not a regular file"],
    ["small/r", "a part of its path is a file"],
    ["apis", "it is not a regular file"],
    ["", "--record must name a file"],
  ])("is refused at %j", async (path, said) => {
    const { exitCode, stderr } = await call(["run", "small", `--record=${path}`])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(said)
  })

  it("is refused while another process writes it, whose record stays whole", async () => {
    const first = call(["run", "small", "slow", "--record=r", "--timeout=3000"])
    while (!existsSync(join(folder, "r"))) await new Promise((resolve) => setImmediate(resolve))
    const second = await call(["run", "small", "--record=r"])
    expect(second).toMatchObject({ exitCode: 2, stdout: "" })
    expect(second.stderr).toContain('another callsheet process is writing the record "r"')
    expect((await first).exitCode).toBe(1)
    expect(await read()).toMatchObject({ exitCode: 1, cuts: [] })
    expect((await call(["run", "small", "--record=r"])).exitCode).toBe(0)
  })
})

describe("a session that ends early", () => {
  /** Ends the process with a signal during the request that never gets a response. */
  const end = (words: readonly string[], name: NodeJS.Signals) =>
    call(["run", ...words, "-v", "--record=r"], { signal: { name, after: "slow sent" } })

  it("leaves a record of the runs that ended if it is killed", async () => {
    expect((await end(["small", "slow"], "SIGKILL")).signal).toBe("SIGKILL")
    const { exitCode, stdout, stderr } = await call(["report", "r"])
    expect(exitCode).toBe(2)
    expect(stdout).toContain("✓ small passed")
    expect(stderr).toContain('the record "r" is incomplete: it ends after 1 run')
    expect(statSync(join(folder, "r")).mode & 0o777).toBe(0o600)
  })

  it.each([["late-slow"], ["late", "slow"]])(
    "never leaves a learned secret if it is killed in %s",
    async (...last) => {
      expect((await end(["early", ...last], "SIGKILL")).signal).toBe("SIGKILL")
      expect(linesOf(folder, "r").join("\n")).not.toContain(token)
    },
  )

  it("leaves a whole record after Ctrl-C", async () => {
    expect((await end(["small", "slow"], "SIGINT")).exitCode).toBe(130)
    const { exitCode, stdout } = await call(["report", "r"])
    expect(exitCode).toBe(130)
    expect(stdout).toContain("slow failed")
  })
})

/** Returns the number of bytes from which the whole text can be read. Only a checksum follows them. */
function endOfText(bytes: Uint8Array, text: string): number {
  for (let end = bytes.length - 20; ; end++) {
    const read = gunzipSync(bytes.subarray(0, end), { finishFlush: constants.Z_SYNC_FLUSH })
    if (read.toString() === text) return end
  }
}

/** Bytes between two cuts, or two damaged bytes. Not a divisor of the lengths in a record. */
const STEP = sized(7, 1)

describe("a record that is cut", () => {
  it("at any byte is refused or fails, and shows only what it contains", async () => {
    const whole = recordOf(small)
    const end = endOfText(whole, `${small.join("\n")}\n`)
    const counts = new Set<number | undefined>()
    for (let length = 0; length < end; length += STEP) {
      write(whole.subarray(0, length))
      const result = await read()
      counts.add(result?.report.runs.length)
      if (result === undefined) continue
      expect(result).toMatchObject({ exitCode: 2, verdict: "failed" })
      const [run] = result.report.runs
      if (run === undefined || run.status === "passed") expect(result.cuts).toHaveLength(1)
      else expect(run).toMatchObject({ status: "error", error: { code: "record-invalid" } })
      // A block without its end didn't pass.
      expect(run?.counts.passed ?? 0).toBe(
        run?.blocks.filter(({ status }) => status === "passed").length ?? 0,
      )
    }
    expect([...counts]).toEqual([undefined, 0, 1])
    write(whole)
    expect(await read()).toMatchObject({ exitCode: 0, verdict: undefined, cuts: [] })
  })

  it("in one member is cut at any byte, too", async () => {
    const whole = gzipSync(`${small.join("\n")}\n`)
    for (let length = 0; length < whole.length - 8; length += STEP) {
      write(whole.subarray(0, length))
      const result = await read()
      if (result?.exitCode === 0) expect(result.report.runs).toHaveLength(1)
      else expect(result?.exitCode ?? 2).toBe(2)
    }
  })

  it("is never reported as whole if any byte is damaged", async () => {
    const whole = recordOf(small)
    write(whole)
    const expected = (await read())?.report
    for (let at = 0; at < whole.length; at += STEP) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 0xff
      write(damaged)
      const result = await read()
      if (result?.exitCode === 0) expect(result.report).toEqual(expected)
    }
  })
})

describe("a file that is not a record", () => {
  const header = (more: object) => JSON.stringify({ ...(JSON.parse(small[0]!) as object), ...more })

  it.each<readonly [string, Uint8Array | undefined, string]>([
    ["a missing file", undefined, "it does not exist"],
    ["an empty file", Buffer.alloc(0), "is not a record"],
    ["text", Buffer.from('{"callsheetRecord":"1.0"}'), "is not a record"],
    ["another gzip file", gzipSync("hello"), "is not a record"],
    ["garbage after the magic number", Buffer.from("1f8b0800deadbeefdeadbeef", "hex"), "is not a record"],
    ["another JSON file", gzipSync("{}\n"), "is not a record"],
    ["a newer format", gzipSync('{"callsheetRecord":"2.0","callsheet":"9.1.0"}\n'), "has the format 2.0"],
    ["a strange version", gzipSync('{"callsheetRecord":"1.x"}\n'), "is not a record"],
  ])("is refused: %s", async (_, content, said) => {
    if (content !== undefined) write(content)
    const result = await call(["report", "r"])
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(said)
    expect(result.stderr).not.toContain("bug")
  })

  it("is refused: a shard that can't exist", async () => {
    for (const shard of [{}, 1, { index: 0, count: 1 }, { index: 2, count: 1 }, { index: 1, count: 1e12 }]) {
      write(recordOf([header({ shard }), ...small.slice(1)]))
      expect(await read()).toBeUndefined()
    }
  })

  it("is read with what a newer minor version adds", async () => {
    const added = ['{"note":1}', '{"type":"later.event","run":0,"block":0}', '{"blob":"x"}']
    const lines = small.slice(1).map((line) => line.replace("{", '{"later":{"a":1},'))
    write(recordOf([header({ callsheetRecord: "1.7", later: 1 }), ...added, ...lines]))
    expect(await read()).toMatchObject({ exitCode: 0, cuts: [] })
  })
})

describe("a hostile record", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`

  it.each<readonly [string, string]>([
    [
      "a block number that is negative",
      '{"type":"block.started","run":0,"block":-1,"id":"x","kind":"script"}',
    ],
    ["no run", '{"type":"block.started","block":1,"id":"x","kind":"script"}'],
    [
      "an unknown body",
      '{"type":"request.sent","run":0,"block":0,"request":{"body":null},"blobs":{"/request/body":"x"}}',
    ],
    [
      "a body at a strange place",
      '{"type":"log.written","run":0,"block":0,"text":"","blobs":{"/__proto__/x":"x"}}',
    ],
    ["text that isn't JSON", "}{"],
    ["a line of an array", "[]"],
  ])("ends at %s", async (_, line) => {
    write(recordOf([...small.slice(0, 2), line, ...small.slice(2)]))
    expect(await read()).toMatchObject({ exitCode: 2, report: { runs: [{ status: "error" }] } })
  })

  it("can't change objects, break the screen or fill the stack", async () => {
    const hostile = [
      `{"type":"log.written","run":0,"block":0,"text":"\\u001b[2J\\u009b31m ::error::x ##vso[x] \\u202e"}`,
      `{"type":"outputs.made","run":0,"block":0,"outputs":{"__proto__":{"polluted":true},"deep":${deep}}}`,
      `{"blob":"b","value":{"__proto__":{"polluted":true}}}`,
    ]
    write(recordOf([...small.slice(0, 3), ...hostile, ...small.slice(3)]))
    for (const name of ["pretty", "json", "junit", "html", "ndjson", "ctrf", "har"]) {
      const { exitCode, stdout } = await call(["report", "r", `--reporter=${name}`])
      expect(exitCode, name).toBe(0)
      expect(stdout).not.toMatch(/[\u001b\u009b\u202e]|^ *::error|##vso\[/m)
    }
    expect(await call(["report", "r", "--reporter=allure=results"])).toMatchObject({ exitCode: 0 })
    expect(textsIn(join(folder, "results"))).not.toMatch(/[\u001b\u009b\u202e]|^ *::error|##vso\[/m)
    await rm(join(folder, "results"), { recursive: true })
    expect(await read()).toMatchObject({ exitCode: 0 })
    expect({}).not.toHaveProperty("polluted")
  })

  it("takes limited memory, even if a small file is a long line", async () => {
    write(
      Buffer.concat([
        recordOf(small.slice(0, 2)),
        gzipSync(Buffer.alloc(200 * 1024 * 1024, "x"), { level: 1 }),
      ]),
    )
    const result = await call(["report", "r"], { env: { NODE_OPTIONS: "--max-old-space-size=400" } })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("is incomplete")
  })
})
