// `report` with several records: the shards of a session, and sessions of the same files.

import { writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { parseExact, stringifyJson, type RunEvent } from "@callsheet/format"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { ApiServer } from "../harness/api-server.ts"
import { callsheet, readText } from "../harness/callsheet.ts"
import { linesOf, openProject, recordOf } from "./record-project.ts"

let api: ApiServer
let folder: string
let header: Record<string, unknown>
/** The lines of each run. */
let runs: string[][]

beforeAll(async () => {
  ;({ api, folder } = await openProject())
  await call("run", "early", "everything", "small", "late", "--record=whole")
  const [first = "", ...lines] = linesOf(folder, "whole")
  header = JSON.parse(first) as Record<string, unknown>
  runs = []
  for (const line of lines.slice(0, -1)) {
    if (line.startsWith('{"type":"run.started"')) runs.push([])
    runs.at(-1)?.push(line)
  }
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 60_000 })

interface Shard {
  readonly index: number
  readonly count?: number
  readonly positions: readonly number[]
  readonly exitCode?: number
  readonly header?: Readonly<Record<string, unknown>>
  readonly change?: (event: RunEvent) => object
}

function writeShard({
  index,
  count = 2,
  positions,
  exitCode = 0,
  header: more,
  change = (event) => event,
}: Shard): void {
  const lines = positions.flatMap((position, run) =>
    (runs[position] ?? []).map((line) => {
      const event = parseExact<RunEvent>(line)
      const own = event.type === "run.started" ? { position } : {}
      return stringifyJson({ ...change(event), run, ...own })
    }),
  )
  const start = { ...header, id: `shard ${index}`, shard: { index, count }, ...more }
  const end = { status: exitCode === 0 ? "passed" : "failed", exitCode, durationMs: 10 }
  writeFileSync(
    join(folder, `s${index}`),
    recordOf([JSON.stringify(start), ...lines, JSON.stringify({ end })]),
  )
}

describe("shards", () => {
  beforeEach(() => {
    writeShard({ index: 1, positions: [0, 3] })
    writeShard({ index: 2, positions: [1, 2], exitCode: 1 })
  })

  it.each([
    ["s1", "s2"],
    ["s2", "s1"],
  ])("%s and %s render like the whole session", async (...shards) => {
    for (const name of ["json", "junit", "coverage", "html", "ctrf", "har"]) {
      await call("report", "whole", `--reporter=${name}=whole.out`)
      const { exitCode, stderr } = await call("report", ...shards, `--reporter=${name}=merged.out`)
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
      expect(await readText(folder, "merged.out"), name).toBe(await readText(folder, "whole.out"))
    }
  })

  it("must be complete, unless --partial is given", async () => {
    const missing = await call("report", "s1", "--json")
    expect(missing).toMatchObject({ exitCode: 2, stdout: "" })
    expect(missing.stderr).toContain("these shards are missing: 2 (of 2)")
    const { exitCode, stdout } = await call("report", "s1", "--json", "--partial")
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ workflow: "early" }, { workflow: "late" }] })
  })

  it.each<readonly [string, Partial<Shard>, string]>([
    ["the same shard", { index: 1, header: { id: "other" } }, "are both shard 1"],
    [
      "other files",
      { header: { project: "sha256:0" } },
      "were recorded from different revisions of the project",
    ],
    ["another number of shards", { count: 3 }, "are not shards of the same session"],
    ["another command", { header: { command: { workflows: [] } } }, "are not shards of the same session"],
  ])("are refused with %s", async (_, other, said) => {
    writeShard({ index: 1, positions: [0] })
    writeFileSync(join(folder, "first"), recordOf(linesOf(folder, "s1")))
    writeShard({ index: 2, positions: [1], ...other })
    const result = await call("report", "first", `s${other.index ?? 2}`)
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(said)
  })

  it("report what each of them prepares once, and again only if it failed", async () => {
    const isBefore = (event: RunEvent): object =>
      event.type === "run.started" && event.workflow === "early" ? { ...event, role: "before" } : event
    writeShard({ index: 1, positions: [0, 3], change: isBefore })
    for (const [status, count] of [
      ["passed", 4],
      ["failed", 5],
    ] as const) {
      const change = (event: RunEvent): object =>
        event.type === "run.finished" && event.run === 0 ? { ...event, status } : isBefore(event)
      writeShard({ index: 2, positions: [0, 1, 2], change })
      const { stdout } = await call("report", "s1", "s2", "--json")
      expect((JSON.parse(stdout) as { runs: unknown[] }).runs).toHaveLength(count)
    }
  })
})

describe("several sessions", () => {
  it("are reported in the order of the records, with the highest exit code", async () => {
    await call("run", "everything", "--record=a")
    await call("run", "small", "--record=b")
    const { exitCode, stdout } = await call("report", "b", "a", "--json")
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ workflow: "small" }, { workflow: "everything" }] })
  })

  it("are refused if two are the same", async () => {
    const { exitCode, stderr } = await call("report", "whole", "./whole")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("are the same record")
  })

  it("have one list of leftovers", async () => {
    const event = {
      type: "leftovers.found",
      run: 0,
      leftovers: [{ api: "shop", url: "/orders/1", operation: "POST /orders" }],
    }
    for (const name of ["a", "b"]) {
      const lines = linesOf(folder, name)
      writeFileSync(
        join(folder, name),
        recordOf([...lines.slice(0, -1), JSON.stringify(event), lines.at(-1)!]),
      )
    }
    const { stdout } = await call("report", "a", "b", "--json")
    expect((JSON.parse(stdout) as { leftovers: unknown[] }).leftovers).toHaveLength(2)
  })
})
