import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import type { BlockReport, Report } from "@callsheet/format"
import { startApi } from "../harness/api-server.ts"
import { commandLine, createFolder, readText } from "../harness/callsheet.ts"
import { assert, echo, runBlocks, shopFiles } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>
const container = (type: string, id: string, fields: Fields) => ({ id, type, ...fields })
const group = (id: string, ...blocks: readonly unknown[]) => container("group", id, { blocks })
const loop = (id: string, fields: Fields, ...blocks: readonly unknown[]) =>
  container("loop", id, { mode: "times", ...fields, blocks })
const holds = { source: "x", operator: "notExists" }
const bad = (id: string) => assert(id, ["x", "exists"])
const good = (id: string) => assert(id, ["x", "notExists"])

/** `id status reason`, iterations as `#index status`, in report order. */
function outline(blocks: readonly BlockReport[]): readonly string[] {
  return blocks.flatMap(({ id, status, reason, blocks: inner = [], iterations = [] }) => [
    [id, status, reason].filter((part) => part !== undefined).join(" "),
    ...outline(inner),
    ...iterations.flatMap((iteration) => [
      `#${iteration.index} ${iteration.status}`,
      ...outline(iteration.blocks),
    ]),
  ])
}

// A failure deep inside, with something left to do at every level around it.
const nested = [
  group(
    "g",
    container("condition", "c", {
      if: holds,
      then: [
        loop(
          "l",
          { count: 2, iteratorVar: "i" },
          group("in-{{i}}", bad("bad-{{i}}"), good("a-{{i}}")),
          good("b-{{i}}"),
        ),
        good("d"),
      ],
      else: [good("e"), group("f", good("f1"))],
    }),
    loop("m", { count: 1 }, good("m1")),
  ),
  container("condition", "n", { if: holds, then: [good("n1")], else: [loop("o", { count: 1 }, good("o1"))] }),
]

describe("a deeply nested failure", () => {
  it("halts everything left around it, except what its check had already decided", async () => {
    const { run } = await runBlocks(nested)
    expect(outline(run.blocks)).toEqual([
      "g failed",
      "c failed",
      "l failed",
      "#0 failed",
      "in-0 failed",
      "bad-0 failed",
      "a-0 skipped halted",
      "b-0 skipped halted",
      "d skipped halted",
      "e skipped branch",
      "f skipped branch",
      "f1 skipped branch",
      "m skipped halted",
      "n skipped halted",
      "n1 skipped halted",
      "o skipped halted",
    ])
    expect(run.counts).toEqual({ passed: 0, failed: 5, skipped: 10 })
  })

  it("fails every container around it if the rest continues", async () => {
    const { run, exitCode } = await runBlocks(nested, { workflow: { onFailure: "continue" } })
    expect(exitCode).toBe(1)
    expect(outline(run.blocks)).toEqual([
      "g failed",
      "c failed",
      "l failed",
      ...[0, 1].flatMap((i) => [
        `#${i} failed`,
        `in-${i} failed`,
        `bad-${i} failed`,
        `a-${i} passed`,
        `b-${i} passed`,
      ]),
      "d passed",
      "e skipped branch",
      "f skipped branch",
      "f1 skipped branch",
      "m passed",
      "#0 passed",
      "m1 passed",
      "n passed",
      "n1 passed",
      "o skipped branch",
    ])
  })

  it("in parallel cancels running containers too", async () => {
    const routes = {
      "GET /echo": async (request: { query: URLSearchParams }) => {
        if (request.query.get("n") === "1") await new Promise((resolve) => setTimeout(resolve, 5000).unref())
        return { body: {} }
      },
    }
    const { run } = await runBlocks(
      [
        group(
          "g",
          loop(
            "l",
            { count: 3, iteratorVar: "i", execution: "parallel" },
            group(
              "in-{{i}}",
              echo("get-{{i}}", { n: "{{i}}" }),
              assert("bad-{{i}}", ["get-{{i}}.response.body.x", "exists"]),
            ),
            group("rest-{{i}}", good("r-{{i}}")),
          ),
        ),
        good("after"),
      ],
      { routes, words: ["--concurrency", "2"] },
    )
    expect(outline(run.blocks)).toEqual([
      "g failed",
      "l failed",
      "#0 failed",
      "in-0 failed",
      "get-0 passed",
      "bad-0 failed",
      "rest-0 skipped halted",
      "r-0 skipped halted",
      "#1 skipped",
      "in-1 skipped cancelled",
      "get-1 skipped cancelled",
      "bad-1 skipped cancelled",
      "rest-1 skipped cancelled",
      "r-1 skipped cancelled",
      "after skipped halted",
    ])
  })
})

describe("Ctrl-C", () => {
  const slow = (n: string) => echo("slow", { n })

  it.each<[string, Fields, readonly unknown[], readonly string[]]>([
    [
      "in a loop in a group",
      {},
      [
        group("g", good("first"), loop("l", { count: 3 }, slow("{{$index}}"), good("x")), good("y")),
        group("h", good("z")),
      ],
      [
        "g skipped cancelled",
        "first passed",
        "l skipped cancelled",
        "#0 skipped",
        "slow skipped cancelled",
        "x skipped cancelled",
        "y skipped cancelled",
        "h skipped cancelled",
        "z skipped cancelled",
      ],
    ],
    [
      "after a failure that did not halt",
      { onFailure: "continue" },
      [
        group(
          "g",
          bad("first"),
          container("condition", "c", { if: holds, then: [slow("0")], else: [good("e")] }),
        ),
      ],
      ["g failed", "first failed", "c skipped cancelled", "slow skipped cancelled", "e skipped branch"],
    ],
    [
      "in a later iteration of an until loop",
      {},
      [
        loop(
          "l",
          { mode: "until", count: undefined, until: { source: "x", operator: "exists" }, delayMs: 1 },
          slow("{{$index}}"),
        ),
        good("z"),
      ],
      [
        "l skipped cancelled",
        "#0 passed",
        "slow passed",
        "#1 skipped",
        "slow skipped cancelled",
        "z skipped cancelled",
      ],
    ],
  ])("%s: everything is reported, and the run has failed", async (_, fields, blocks, expected) => {
    // The request without a response shows that the run has reached it.
    let child: ChildProcess | undefined
    const hangs = expected.includes("#1 skipped") ? "1" : "0"
    const api = await startApi({
      "GET /echo": (request) => {
        if (request.query.get("n") !== hangs) return { body: {} }
        child?.kill("SIGINT")
        return new Promise(() => undefined)
      },
    })
    const folder = await createFolder(shopFiles(api.url, blocks, fields))
    try {
      child = spawn(...commandLine(["run", "w", "--reporter", "json=r.json"]), {
        cwd: folder,
        stdio: "ignore",
      })
      const [exitCode] = (await once(child, "close")) as [number]
      const report = JSON.parse((await readText(folder, "r.json")) ?? "") as Report
      expect(exitCode).toBe(130)
      expect(report.status).toBe("failed")
      expect(outline(report.runs[0]!.blocks)).toEqual(expected)
    } finally {
      await api.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
