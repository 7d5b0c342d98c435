// Checks which differences `callsheet diff` treats as noise.

import { randomBytes } from "node:crypto"
import { renameSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { RunEvent } from "@callsheet/format"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { linesOf } from "../record/record-project.ts"
import { get, openDiffProject, type DiffProject } from "./diff-project.ts"

let project: DiffProject
let lines: readonly string[]
beforeAll(async () => {
  project = await openDiffProject()
  await project.record("left", [get("one", 1)])
  lines = linesOf(project.folder, "left")
})
afterAll(async () => {
  await project.api.close()
  await rm(project.folder, { recursive: true })
})
afterEach(() => project.changes.clear())

type Response = Extract<RunEvent, { type: "response.received" }>["response"]

/** Writes the record `left` with other parts of its response. */
function write(name: string, response: { body?: unknown; headers?: object; durationMs?: number }): void {
  const changed = lines.map((line) => {
    const event = JSON.parse(line) as Record<string, unknown>
    if (event["type"] !== "response.received") return line
    const own = event["response"] as Response
    return JSON.stringify({
      ...event,
      response: { ...own, ...response, headers: { ...own.headers, ...response.headers } },
    })
  })
  project.write(name, changed)
}

/** Compares two bodies without a contract or, with one, as `audit.by`, `name` and so on. */
async function compare(left: unknown, right: unknown, baseline?: unknown) {
  write("a", { body: left })
  write("b", { body: right })
  if (baseline !== undefined) write("c", { body: baseline })
  return project.diff("a", "b", ...(baseline === undefined ? [] : ["--baseline", "c"]))
}

const uuids = ["11111111-2222-4333-8444-555555555555", "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"] as const
const times = ["2026-01-01T00:00:00Z", "2026-01-02T12:30:00.125+02:00"] as const

describe("a value", () => {
  it.each<readonly [string, unknown, unknown, string | undefined]>([
    ["that the contract marks as readOnly is noise", { revision: 1 }, { revision: 2 }, "readOnly"],
    [
      "in an object that the contract marks as readOnly is noise",
      { audit: { by: "a" } },
      { audit: { by: "b" } },
      "readOnly",
    ],
    ["with a documented format is noise", { id: uuids[0] }, { id: uuids[1] }, "format"],
    [
      "with a format that a reference documents is noise",
      { createdAt: times[0] },
      { createdAt: times[1] },
      "format",
    ],
    [
      "with a visible format that nothing documents is noise",
      { other: uuids[0] },
      { other: uuids[1] },
      "format",
    ],
    [
      "that the contract documents without a format is not",
      { name: uuids[0] },
      { name: uuids[1] },
      undefined,
    ],
    ["without its documented format is not", { id: uuids[0] }, { id: "none" }, undefined],
    ["of another type is not, even if it is readOnly", { revision: 1 }, { revision: "1" }, undefined],
    ["that becomes null is not, even if it is readOnly", { revision: 1 }, { revision: null }, undefined],
    ["that vanished is not, even if it is readOnly", { revision: 1 }, {}, undefined],
    ["that was added is not, even if it is readOnly", {}, { revision: 1 }, undefined],
    [
      "masked on one side is not, even if it is readOnly",
      { audit: { by: "***" } },
      { audit: { by: "b" } },
      undefined,
    ],
    ["in an item of an array without a contract is not", { list: [1] }, { list: [2] }, undefined],
  ])("%s", async (_, left, right, reason) => {
    const { exitCode, differences } = await compare(left, right)
    expect(differences).toHaveLength(1)
    expect(differences[0]).toMatchObject({ what: "body", noise: reason !== undefined })
    expect(differences[0]?.reason).toBe(reason)
    expect(exitCode).toBe(reason === undefined ? 1 : 0)
  })

  it("that is masked on both sides is equal", async () => {
    expect(await compare({ token: "***", a: "x ***" }, { token: "***", a: "x ***" })).toMatchObject({
      exitCode: 0,
      differences: [],
    })
  })

  it.each<readonly [string, unknown, unknown, unknown, boolean]>([
    ["differs in the baseline, too", { n: 1 }, { n: 3 }, { n: 2 }, true],
    ["doesn't differ in the baseline", { n: 1 }, { n: 3 }, { n: 1 }, false],
    [
      "is in another item than in the baseline",
      [{ n: 1 }, { n: 1 }],
      [{ n: 1 }, { n: 5 }],
      [{ n: 2 }, { n: 1 }],
      true,
    ],
    ["vanished from the baseline, too", { n: 1 }, {}, {}, false],
    ["was added to the baseline, too", {}, { n: 1 }, { n: 2 }, true],
    ["changed its type in the baseline, too", { n: 1 }, { n: "1" }, { n: "2" }, false],
  ])("is noise depending on the baseline if it %s", async (_, left, right, baseline, isNoise) => {
    const { exitCode, differences } = await compare(left, right, baseline)
    expect(differences.map(({ noise, reason }) => [noise, reason])).toEqual([
      isNoise ? [true, "baseline"] : [false, undefined],
    ])
    expect(exitCode).toBe(isNoise ? 0 : 1)
  })
})

describe("items of an array", () => {
  const item = (id: unknown, name: string) => ({ id, text: name })
  const shown = async (left: unknown, right: unknown, baseline?: unknown) =>
    (await compare(left, right, baseline)).differences.map(({ path, left, right }) => [path, left, right])

  it("are paired by unique ids", async () => {
    expect(await shown([item(1, "a"), item(2, "b")], [item(0, "new"), item(1, "a"), item(2, "c")])).toEqual([
      ["[1].text", "b", "c"],
      ["[0]", null, item(0, "new")],
    ])
  })

  it("are paired by index if an id repeats or is missing", async () => {
    expect(await shown([item(1, "a"), item(1, "b")], [item(1, "b"), item(1, "b")])).toEqual([
      ["[0].text", "a", "b"],
    ])
  })

  it("are paired by index if ids differ in the baseline", async () => {
    const [left, right, baseline] = [1, 2, 7].map((first) => [item(first, "a"), item(first + 1, "b")])
    expect((await compare(left, right, baseline)).real).toEqual([])
  })

  it("that got other ids are still compared", async () => {
    expect(await shown([item(1, "a"), item(2, "b")], [item(1, "a"), item(3, "c")])).toEqual([
      ["[1].id", 2, 3],
      ["[1].text", "b", "c"],
    ])
  })

  it("keep integers beyond 2^53 apart", async () => {
    const number = (digits: string) =>
      lines.map((line) => line.replace(/"body":.*\}(?=\},"answers")/, `"body":${digits}`))
    project.write("a", number("9007199254740993"))
    project.write("b", number("9007199254740992"))
    expect((await project.diff("a", "b")).exitCode).toBe(1)
    expect((await project.call("diff", "a", "b")).stdout).toContain("9007199254740993 → 9007199254740992")
  })
})

describe("a header", () => {
  const headers = async (left: object, right: object, baseline?: object) => {
    write("a", { headers: left })
    write("b", { headers: right })
    if (baseline !== undefined) write("c", { headers: baseline })
    const { differences } = await project.diff(
      "a",
      "b",
      ...(baseline === undefined ? [] : ["--baseline", "c"]),
    )
    return differences.map(({ path, noise, reason }) => [path, noise, reason])
  }

  it.each<readonly [string, object, object, object | undefined, unknown]>([
    [
      "with the date is noise",
      { date: "Mon, 23 Nov 2026 10:00:00 GMT" },
      { date: "Mon, 23 Nov 2026 10:00:01 GMT" },
      undefined,
      ["date", true, "format"],
    ],
    ["with a UUID is noise", { "x-id": uuids[0] }, { "x-id": uuids[1] }, undefined, ["x-id", true, "format"]],
    [
      "with another request id is not",
      { "x-id": "a1" },
      { "x-id": "b2" },
      undefined,
      ["x-id", false, undefined],
    ],
    [
      "that differs in the baseline is noise",
      { "x-id": "a1" },
      { "x-id": "b2" },
      { "x-id": "c3" },
      ["x-id", true, "baseline"],
    ],
    [
      "with the ETag of an equal body is not",
      { etag: '"a"' },
      { etag: '"b"' },
      undefined,
      ["etag", false, undefined],
    ],
    [
      "of the connection is noise",
      { connection: "close" },
      { connection: "keep-alive" },
      undefined,
      ["connection", true, "connection"],
    ],
    [
      "with a cookie is compared by the cookie's name",
      { "set-cookie": ["a=1", "b=1"] },
      { "set-cookie": ["b=2", "a=1"] },
      undefined,
      ["set-cookie.b", false, undefined],
    ],
  ])("%s", async (_, left, right, baseline, expected) => {
    expect(await headers(left, right, baseline)).toEqual([expected])
  })

  it("that follows from another body is noise", async () => {
    write("a", { body: { other: uuids[0] }, headers: { etag: '"a"', "content-length": "10" } })
    write("b", { body: { other: uuids[1] }, headers: { etag: '"b"', "content-length": "11" } })
    const { exitCode, differences } = await project.diff("a", "b")
    expect(differences.map(({ path, reason }) => [path, reason])).toEqual([
      ["other", "format"],
      ["content-length", "body"],
      ["etag", "body"],
    ])
    expect(exitCode).toBe(0)
  })
})

it.each([
  [100, 299, false],
  [100, 300, true],
  [60, 180, false],
  [700, 200, true],
])("a duration of %i and %i ms is listed as noise: %s", async (left, right, isListed) => {
  write("a", { durationMs: left })
  write("b", { durationMs: right })
  const { exitCode, differences } = await project.diff("a", "b")
  expect(differences.map(({ what, noise }) => [what, noise])).toEqual(isListed ? [["duration", true]] : [])
  expect(exitCode).toBe(0)
})

describe("the contract", () => {
  it("is that of --project, and without a project only formats and the baseline count", async () => {
    write("a", { body: { revision: 1, id: uuids[0] } })
    write("b", { body: { revision: 2, id: uuids[1] } })
    const apis = join(project.folder, "apis")
    renameSync(apis, join(project.folder, "elsewhere-apis"))
    try {
      const { exitCode, stderr, real } = await project.diff("a", "b")
      expect(exitCode).toBe(1)
      expect(real.map(({ path }) => path)).toEqual(["revision"])
      expect(stderr).toContain("no contract describes these responses")
      const { exitCode: none, stderr: missing } = await project.call("diff", "a", "b", "--project", "nowhere")
      expect(none).toBe(2)
      expect(missing).toContain("could not find an apis/ directory")
    } finally {
      renameSync(join(project.folder, "elsewhere-apis"), apis)
    }
    expect(await project.diff("a", "b", "--project", ".")).toMatchObject({ exitCode: 0, stderr: "" })
  })
})

it("learns from the baseline that a loop polls for different numbers of times", async () => {
  const poll = (count: number) => ({
    id: "poll",
    type: "loop",
    mode: "times",
    count,
    iteratorVar: "i",
    blocks: [get("state", 1)],
  })
  const request = () =>
    project.changes.set("*", (one) => (one.headers["x-request"] = randomBytes(8).toString("hex")))
  request()
  for (const [name, count] of [
    ["polled", 3],
    ["again", 2],
    ["other", 4],
  ] as const)
    await project.record(name, [poll(count)])
  const without = await project.diff("polled", "other")
  expect(without.real.map(({ what, path }) => path ?? what)).toEqual([
    "x-request",
    "x-request",
    "x-request",
    "added",
  ])
  const learned = await project.diff("polled", "other", "--baseline", "again")
  expect(learned.real).toEqual([])
  expect(learned.differences.filter(({ what }) => what === "added")).toMatchObject([
    { iteration: 3, reason: "baseline" },
  ])
})
