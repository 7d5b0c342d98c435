// Records that someone forged: every member of every event in other shapes, and events in another order. No reporter and no
// command takes them for a bug of callsheet.

import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import {
  isJsonObject,
  parseJson,
  reporterNames,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type RunEvent,
} from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compareSides } from "../../packages/cli/src/diff/compare-sides.ts"
import { openSide } from "../../packages/cli/src/diff/read-side.ts"
import { mergeRecords } from "../../packages/cli/src/record/merge-records.ts"
import { openRecord } from "../../packages/cli/src/record/read-record.ts"
import type { ReportDirectory } from "../../packages/cli/src/reporters/report-directory.ts"
import { noOutput } from "../../packages/cli/src/reporters/report-file.ts"
import { reporters } from "../../packages/cli/src/reporters/index.ts"
import type { ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { sized } from "../harness/full-size.ts"
import { linesOf, openProject } from "./record-project.ts"

const clock = { now: () => 0, every: () => () => undefined }

let api: ApiServer
let folder: string
/** The lines of a record with every type of event. */
let whole: readonly string[]
beforeAll(async () => {
  ;({ api, folder } = await openProject({ items: 4, rounds: 4 }))
  const ran = await callsheet(["run", "everything", "--leftovers=report", "--record=r.callsheet"], { folder })
  await callsheet(["run", "small", "--record=small.callsheet"], { folder })
  expect(ran.exitCode).toBe(1)
  const lines = linesOf(folder)
  const end = lines.findIndex((line) => line.startsWith('{"type":"block.finished"'))
  whole = [...lines.slice(0, end), ...rare.map((event) => JSON.stringify(event)), ...lines.slice(end)]
}, 60_000)
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const request = { method: "POST", url: "http://127.0.0.1/a", headers: { accept: "*/*" }, body: { a: [1] } }
const exchange = {
  block: "big",
  request: { ...request, bodyText: "a=1" },
  response: {
    status: 302,
    durationMs: 1.5,
    sizeBytes: 2,
    headers: { "content-type": "text/plain", "set-cookie": ["a=1"] },
    body: "ok",
    redirects: [{ status: 302, url: "/b", dropped: ["cookie sid"] }],
  },
}
const problem = { path: "/body/a", message: "m", schema: "/paths", file: "apis/shop/openapi.json", line: 3 }

/** Events that the workflow doesn't emit, for its first block. */
const rare: readonly JsonObject[] = [
  { type: "request.checked", run: 0, block: 0, problems: [problem] },
  {
    type: "request.compared",
    run: 0,
    block: 0,
    differences: [{ what: "body", path: "a", recorded: 1, now: 2 }],
  },
  { type: "contract.checked", run: 0, block: 0, contract: { status: "failed", problems: [problem] } },
  { type: "response.received", run: 0, block: 0, response: exchange.response, bigIntegers: ["/a"] },
  { type: "response.lost", run: 0, block: 0, operation: { api: "shop", method: "GET", path: "/big" } },
  {
    type: "warning.raised",
    run: 0,
    block: 0,
    warning: {
      code: "field-value",
      severity: "warning",
      message: "m",
      hint: "h",
      file: "a.json",
      line: 1,
      column: 2,
    },
  },
  { type: "outputs.made", run: 0, block: 0, outputs: { a: 1 } },
]

/** Members that a run of the workflow doesn't set. */
const more: Readonly<Record<string, JsonObject>> = {
  "run.started": { suite: "s", entry: "e", role: "main", row: 1, repeat: 1, attempt: 2 },
  "block.started": { description: "d" },
  "block.finished": {
    status: "failed",
    reason: "halted",
    undecidable: "u",
    times: [1795888021763],
    error: { code: "assertion-failed", message: "m", hint: "h", file: "a.json", line: 1, column: 2 },
    exchanges: [exchange],
  },
  "run.finished": {
    flaky: true,
    differs: { block: "big", first: exchange, second: exchange },
    error: {
      code: "field-value",
      message: "m",
      problems: [
        { code: "field-value", severity: "error", message: "m", file: "a.json", line: 1, column: 2 },
      ],
    },
  },
}

const deep = parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`)
const strange: readonly JsonValue[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  123456789012345678901234567890n,
  "",
  "__proto__",
  "2026-99-99T00:00:00.000Z",
  "lone \ud800 \udfff surrogates \u0000",
  [],
  [null],
  [[]],
  {},
  parse('{"__proto__":{"constructor":1},"toString":null,"length":-1}'),
  deep,
]

function parse(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error("no JSON")
  return parsed.value
}

type Path = readonly (string | number)[]

function* pathsIn(value: JsonValue, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (path.length > 6 || typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key])
}

/** Returns a copy with another value at a path, or without the member. */
function changed(value: JsonValue, [key, ...rest]: Path, to: JsonValue | undefined): JsonValue {
  if (key === undefined) return to ?? null
  const copy = structuredClone(value) as Record<string | number, JsonValue>
  if (rest.length === 0 && to === undefined) delete copy[key]
  else copy[key] = rest.length === 0 ? (to ?? null) : changed(copy[key] ?? null, rest, to)
  return copy
}

const write = (name: string, lines: readonly string[]) =>
  writeFileSync(join(folder, name), gzipSync(lines.map((line) => `${line}\n`).join("")))

/** Passes the record to every reporter, and to `diff`. Returns the message about its damage. */
async function readEverywhere(lines: readonly string[]): Promise<string | undefined> {
  write("forged", lines)
  const opened = await openRecord(join(folder, "forged"), "forged").catch((error: unknown) => error)
  if (opened instanceof Error) {
    expect(opened).toMatchObject({ name: "CallsheetError", code: "record-invalid" })
    return opened.message
  }
  const record = opened as Awaited<ReturnType<typeof openRecord>>
  const events: RunEvent[] = []
  const { exitCode } = await mergeRecords([record], (event) => events.push(event))
  const directory: ReportDirectory = {
    output: noOutput,
    commit: () => undefined,
    discard: () => undefined,
    add: (_, pieces) => void [...pieces],
  }
  const context = {
    output: noOutput,
    directory,
    clock,
    isFile: true,
    exchanges: "bodies",
    root: folder,
  } as const
  const end = { exitCode: 1, durationMs: 1 }
  for (const name of reporterNames) {
    const render = await reporters[name].load()
    for (const _ of render(events, { ...context, processEnvironment: {}, end }));
  }
  await record.close()
  const damage = record.damage()
  if (damage !== undefined) expect(damage).toMatchObject({ file: "forged", code: "record-invalid" })
  expect([damage === undefined, record.end() === undefined ? 2 : exitCode]).toEqual([
    record.end() !== undefined,
    exitCode,
  ])
  await compareForged()
  return damage && `${damage.line}: ${damage.message}`
}

async function compareForged(): Promise<void> {
  const sides = new Map([["left", await openSide(folder, "r.callsheet")]] as const)
  const both = new Map([...sides, ["right", await openSide(folder, "forged")] as const])
  try {
    await compareSides(both, () => Promise.resolve(undefined))
  } catch (error) {
    expect(error).toMatchObject({ name: "CallsheetError", code: "record-invalid" })
  } finally {
    for (const side of both.values()) await side.close()
  }
}

const finished = (block: number) => ({
  type: "block.finished",
  run: 0,
  block,
  status: "passed",
  durationMs: 1,
})

interface Sample {
  readonly at: number
  readonly event: JsonObject
}

/** Returns an event of each type with its line. */
function samples(): readonly Sample[] {
  const found = new Map<JsonValue | undefined, Sample>()
  for (const [at, line] of whole.entries()) {
    const event = parse(line)
    if (!isJsonObject(event) || typeof event["type"] !== "string" || found.has(event["type"])) continue
    found.set(event["type"], { at, event: { ...event, ...more[event["type"]] } })
  }
  return [...found.values()]
}

const replaced = ({ at }: Sample, value: JsonValue | undefined): readonly string[] =>
  whole.flatMap((line, index) => (index !== at ? line : value === undefined ? [] : stringifyJson(value)))

describe("a forged record", () => {
  it("has a sample of every type of event, which is read", async () => {
    expect(samples().map(({ event }) => event["type"])).toHaveLength(19)
    expect(await readEverywhere(whole)).toBeUndefined()
    for (const sample of samples())
      expect(await readEverywhere(replaced(sample, sample.event))).toBeUndefined()
  })

  it("never ends as a bug, whatever a member is", async () => {
    let number = 0
    const accepted = new Set<string>()
    const refused = new Set<string>()
    for (const sample of samples())
      for (const path of pathsIn(sample.event)) {
        const few = strange.filter((_, index) => (index + number) % sized(24, 1) === 0)
        number++
        for (const to of [undefined, ...few]) {
          const message = await readEverywhere(replaced(sample, changed(sample.event, path, to)))
          if (message === undefined) accepted.add(path.join("."))
          else {
            refused.add(path.join("."))
            expect(message).toMatch(/^[0-9]+: callsheet did not write this line of the record: ./)
          }
        }
      }
    expect(refused.size).toBeGreaterThan(100)
    expect(accepted).toContain("value")
    expect({}).not.toHaveProperty("constructor.constructor.polluted")
  }, 300_000)

  it("never ends as a bug if an event is missing, repeated, or in another place", async () => {
    for (const sample of samples()) {
      await readEverywhere(replaced(sample, undefined))
      const { at } = sample
      const line = whole[at] ?? ""
      const without = whole.filter((_, index) => index !== at)
      await readEverywhere([...whole.slice(0, at), line, ...whole.slice(at)])
      for (const place of [1, 2, Math.floor(without.length / 2), without.length - 2, without.length - 1])
        await readEverywhere([...without.slice(0, place), line, ...without.slice(place)])
    }
  }, 120_000)

  const entered = { type: "block.started", run: 0, block: 900, id: "x", kind: "group" }
  it.each<readonly [string, readonly JsonObject[], string]>([
    ["a block of an unknown parent", [{ ...entered, parent: 800 }], "block 800, is not open"],
    ["a block that contains itself", [{ ...entered, parent: 900 }], "block 900, is not open"],
    ["a block twice", [entered, entered], "block 900 has started before"],
    ["a block of an unknown iteration", [{ ...entered, parent: 0, iteration: 3 }], "iteration 3"],
    ["the end of a block before its start", [{ ...finished(900) }], "block 900 is not open"],
    [
      "the end of a block before that of a block in it",
      [entered, { ...entered, block: 901, parent: 900 }, finished(900)],
      "1 blocks or iterations",
    ],
    [
      "the end of an iteration before its start",
      [{ type: "iteration.finished", run: 0, block: 0, index: 1, status: "passed" }],
      "iteration 1",
    ],
    [
      "an iteration twice",
      [0, 0].map(() => ({ type: "iteration.started", run: 0, block: 0, index: 1, value: 1 })),
      "iteration 1",
    ],
    [
      "the end of a run before that of its blocks",
      [{ type: "run.finished", run: 0, status: "passed", durationMs: 1 }],
      "have not finished",
    ],
    ["an event of another run", [{ ...entered, run: 7 }], "run 7"],
  ])("is refused at its line for %s", async (_, events, said) => {
    const at = whole.findIndex((line) => line.startsWith('{"type":"request.sent"'))
    const lines = events.map((event) => JSON.stringify(event))
    const message = await readEverywhere([...whole.slice(0, at), ...lines, ...whole.slice(at)])
    expect(message).toContain(said)
    expect(message).toMatch(new RegExp(`^${at + events.length}: `))
  })

  it.each<readonly [string, JsonObject, string]>([
    ["workflows that are text", { command: { workflows: "everything" } }, "command.workflows"],
    ["a workflow that is a number", { command: { workflows: [1] } }, "command.workflows[0]"],
    ["inputs that are an object", { command: { workflows: [], inputs: {} } }, "command.inputs"],
    ["a suite that is a list", { command: { workflows: [], suite: [] } }, "command.suite"],
    ["a seed that is a fraction", { seed: 0.5 }, "seed"],
    ["a time that can't be", { startedAt: "2026-02-31T25:00:00Z" }, "startedAt"],
    ["a shard beyond the count", { shard: { index: 3, count: 2 } }, "shard 3 of 2"],
  ])("is refused at its header for %s", async (_, header, said) => {
    const first = parse(whole[0] ?? "") as JsonObject
    write("forged", [JSON.stringify({ ...first, ...header }), ...whole.slice(1)])
    for (const words of [
      ["report", "forged"],
      ["replay", "forged"],
      ["diff", "r.callsheet", "forged"],
    ]) {
      const { exitCode, stdout, stderr } = await callsheet(words, { folder })
      expect([exitCode, stdout]).toEqual([2, ""])
      expect(stderr).toMatch(/^forged:1:1: callsheet did not write this line of the record: /)
      expect(stderr).toContain(said)
    }
  })

  it("ends each command with one message at its line, and with 2", async () => {
    const at = whole.findIndex((line) => line.startsWith('{"type":"response.received"'))
    write(
      "forged",
      whole.map((line, index) => (index === at ? line.replace('"status":200', '"status":"2e2"') : line)),
    )
    const place = `forged:${at + 1}:1: callsheet did not write this line of the record: `
    for (const words of [
      ...reporterNames.map((name) => ["report", "forged", `--reporter=${name}=out-${name}`]),
      ["report", "forged", "small.callsheet"],
      ["replay", "forged", "--json"],
      ["diff", "forged", "r.callsheet"],
      ["run", "small", "--shard=1/1", "--timings=forged"],
    ]) {
      const { exitCode, stderr } = await callsheet(words, { folder, timeoutMs: 30_000 })
      expect({ words, exitCode }).toEqual({ words, exitCode: 2 })
      expect(stderr).toContain(place)
      expect(stderr).toContain("(record-invalid)")
      expect(stderr).not.toContain("bug")
    }
  }, 120_000)

  it("can't take long, however much text a small file has", async () => {
    const flood = (line: string, bytes: number) => gzipSync(Buffer.alloc(bytes, `${line}\n`))
    const start = gzipSync(
      whole
        .slice(0, 3)
        .map((line) => `${line}\n`)
        .join(""),
    )
    const log = { type: "log.written", run: 0, block: 0, text: "a".repeat(1000) }
    for (const [line, megabytes, said] of [
      ["{}", 8, "100000 lines before it are not events"],
      ['{"type":"later.event","run":0}', 8, "100000 lines before it are not events"],
      [JSON.stringify(log), 200, "300 times as long as the file"],
    ] as const) {
      writeFileSync(join(folder, "forged"), Buffer.concat([start, flood(line, megabytes * 1024 * 1024)]))
      const { exitCode, stderr } = await callsheet(["diff", "forged", "r.callsheet"], {
        folder,
        timeoutMs: 100_000,
      })
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)])
    }
  }, 300_000)
})

describe.skipIf(process.platform === "win32")("something that is not a regular file", () => {
  it("is refused at once, wherever a record is expected", async () => {
    const socket = createServer().listen(join(folder, "socket"))
    execFileSync("mkfifo", [join(folder, "fifo")])
    symlinkSync("fifo", join(folder, "link"))
    mkdirSync(join(folder, "directory"))
    mkdirSync(join(folder, "shards"))
    execFileSync("mkfifo", [join(folder, "shards/a")])
    const paths = ["fifo", "link", "socket", "directory", "/dev/zero", "/dev/null", "-", "shards"]
    for (const [at, path] of paths.entries()) {
      const calls = [
        ["report", path],
        ["replay", path],
        ["diff", path, "r.callsheet"],
        ["diff", "r.callsheet", "r.callsheet", "--baseline", path],
        ["run", "small", "--shard=1/1", `--timings=${path}`],
      ]
      // Each command refuses a fifo, and each path is refused by half of the commands.
      for (const words of calls.filter((_, call) => at === 0 || (at + call) % sized(2, 1) === 0)) {
        const { exitCode, stdout, stderr } = await callsheet(words, { folder, timeoutMs: 10_000 })
        expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 2, stdout: "" })
        expect(stderr).toContain("(record-invalid)")
      }
    }
    socket.close()
  }, 120_000)
})
