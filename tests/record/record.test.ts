// `run --record` and `report`: a record renders what the run wrote.

import { readdirSync, readFileSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { reporterNames } from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { linesOf, openProject, token } from "./record-project.ts"

let api: ApiServer
let folder: string
beforeAll(async () => {
  ;({ api, folder } = await openProject())
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 60_000 })

describe("a rendered record", () => {
  const sessions = {
    "a failed session": ["everything", "small"],
    "a session that passed": ["small"],
    "a session that could not start": ["small", "everything", "--env=nowhere"],
    "a session whose warnings fail it": ["small", "early", "--strict"],
    "a session that retried": ["everything", "--retries=1", "--repeat=2"],
    "a session that learned a secret late": ["early", "late", "small"],
  }

  /** Returns the contents of each file below `place`, by path. */
  const reportsIn = (place: string): Map<string, string> =>
    new Map(
      readdirSync(join(folder, place), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [relative(join(folder, place), path), readFileSync(path, "utf8")]),
    )

  it.each(Object.entries(sessions))("of %s is what every reporter wrote to a file", async (_, words) => {
    const files = (place: string) => reporterNames.map((name) => `--reporter=${name}=${place}/${name}`)
    const live = await call("run", ...words, "--record=r.callsheet", ...files("live"))
    const later = await call("report", "r.callsheet", ...files("later"))
    expect(later.exitCode).toBe(live.exitCode)
    const reports = reportsIn("live")
    for (const name of reporterNames)
      // A session that passed has nothing to annotate.
      if (name !== "github" && name !== "allure") expect(reports.get(name)?.length, name).toBeGreaterThan(10)
    expect([...reports.keys()].filter((path) => path.endsWith("-result.json"))).not.toEqual([])
    expect(reportsIn("later")).toEqual(reports)
    await rm(join(folder, "live"), { recursive: true })
    await rm(join(folder, "later"), { recursive: true })
  })

  it.each(reporterNames.filter((name) => name !== "allure"))(
    "is what %s wrote to standard output",
    async (name) => {
      const live = await call("run", "everything", "small", "--record=r.callsheet", `--reporter=${name}`)
      const later = await call("report", "r.callsheet", `--reporter=${name}`)
      expect(live.stdout.length).toBeGreaterThan(100)
      expect(later.stdout).toBe(live.stdout)
    },
  )

  it("shows exchanges that the run did not", async () => {
    await call("run", "small", "--record=r.callsheet")
    const { stdout } = await call("report", "r.callsheet", "-vv")
    expect(stdout).toContain("9007199254740993")
  })

  it("needs no project", async () => {
    await call("run", "small", "--record=r.callsheet")
    const record = readFileSync(join(folder, "r.callsheet"))
    const { exitCode, stdout } = await callsheet(["report", "r", "--json"], { files: { r: record } })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: "passed", runs: [{ workflow: "small" }] })
  })
})

describe("a record", () => {
  it("starts with what was run, and ends with the verdict", async () => {
    await call("run", "small", "--record=r.callsheet", "--seed=7")
    const lines = linesOf(folder)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      callsheetRecord: "1.3",
      project: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      command: { workflows: ["small"] },
      seed: 7,
    })
    expect(JSON.parse(lines[1]!)).toMatchObject({ type: "run.started", run: 0, workflow: "small" })
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ end: { status: "passed", exitCode: 0 } })
  })

  it("contains when each request was sent", async () => {
    const before = Date.now()
    await call("run", "everything", "--record=r.callsheet")
    const events = linesOf(folder).map((line) => JSON.parse(line) as { type?: string; startMs: number })
    const times = events.flatMap(({ type, startMs }) => (type === "request.sent" ? [startMs] : []))
    expect(times.length).toBeGreaterThan(2)
    expect(times[0]).toBeGreaterThanOrEqual(before)
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now())
  })

  it("contains a large body once", async () => {
    await call("run", "everything", "--repeat=3", "--record=r.callsheet")
    const lines = linesOf(folder)
    expect(lines.filter((line) => line.includes("some text of a large body"))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('"blobs":{"/response/body":'))).toHaveLength(6)
  })

  it("has the same digest for the same files, and another one for others", async () => {
    const digest = () => (JSON.parse(linesOf(folder)[0]!) as { project: string }).project
    await call("run", "small", "--record=r.callsheet")
    const first = digest()
    await call("env", "write", "shop", "local", "token=s3cret")
    await call("run", "late", "--record=r.callsheet")
    expect(digest()).toBe(first)
    await call("env", "write", "shop", "other", `baseUrl=${api.url}`)
    await call("run", "small", "--env=local", "--record=r.callsheet")
    expect(digest()).not.toBe(first)
    await call("env", "delete", "shop", "other")
  })

  it("never contains a secret that a later run learned, and passes --verify-no-leak", async () => {
    const { exitCode, stderr } = await call(
      "run",
      "early",
      "late",
      "--record=r.callsheet",
      "--verify-no-leak",
      "--json",
    )
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
    const text = linesOf(folder).join("\n")
    expect(text).toContain('"token":"***"')
    expect(text).not.toContain(token)
  })

  it("can be read by its owner only until it is finished", async () => {
    await call("run", "small", "--record=r.callsheet")
    expect(statSync(join(folder, "r.callsheet")).mode & 0o777).toBe(0o644)
  })
})
