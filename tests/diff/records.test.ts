// `callsheet diff` with records that are merged, cut, damaged or hostile, and what it prints.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { writeFiles } from "../harness/callsheet.ts"
import { linesOf } from "../record/record-project.ts"
import { get, openDiffProject, workflow, type DiffProject } from "./diff-project.ts"

let project: DiffProject
let lines: readonly string[]
beforeAll(async () => {
  project = await openDiffProject()
  await writeFiles(project.folder, {
    "apis/workflow/other.json": workflow(get("other", 40)),
    "apis/workflow/third.json": workflow(get("third", 41)),
  })
  await project.record("left", [get("one", 1), get("two", 2)])
  lines = linesOf(project.folder, "left")
})
afterAll(async () => {
  await project.api.close()
  await rm(project.folder, { recursive: true })
})
afterEach(() => project.changes.clear())

const replaced = (from: string | RegExp, to: string) => lines.map((line) => line.replace(from, to))

describe("a side", () => {
  it.each<readonly [string, () => void, RegExp]>([
    ["is missing", () => undefined, /"right": it does not exist/],
    [
      "is not a record",
      () => writeFileSync(join(project.folder, "right"), "hello"),
      /"right" is not a record/,
    ],
    [
      "is another gzip file",
      () => writeFileSync(join(project.folder, "right"), gzipSync("{}\n")),
      /is not a record/,
    ],
    ["is empty", () => writeFileSync(join(project.folder, "right"), ""), /is not a record/],
    ["has a newer format", () => project.write("right", replaced('"1.3"', '"2.0"')), /has the format 2.0/],
    ["is an empty directory", () => mkdirSync(join(project.folder, "right")), /contains no records/],
    [
      "is one of two shards",
      () =>
        project.write("right", [
          lines[0]!.replace(/\}$/, ',"shard":{"index":1,"count":2}}'),
          ...lines.slice(1),
        ]),
      /these shards are missing: 2 .*\n.*in one directory/,
    ],
    [
      "has a number as an id",
      () => project.write("right", replaced('"id":"one"', '"id":1')),
      /callsheet did not write/,
    ],
    [
      "has a text as a status",
      () => project.write("right", replaced('"status":200', '"status":"200"')),
      /did not write/,
    ],
    [
      "has an object as a header",
      () => project.write("right", replaced('"no-store"', "{}")),
      /did not write/,
    ],
    [
      "has a list as an operation",
      () => project.write("right", replaced(/"answers":\{.*\}/, '"answers":[]}')),
      /did not write/,
    ],
  ])("that %s is refused", async (_, prepare, said) => {
    await rm(join(project.folder, "right"), { recursive: true, force: true })
    prepare()
    for (const sides of [
      ["left", "right"],
      ["right", "left"],
      ["left", "left", "--baseline", "right"],
    ]) {
      const { exitCode, stdout, stderr } = await project.call("diff", ...sides)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toMatch(said)
    }
    await rm(join(project.folder, "right"), { recursive: true, force: true })
  })

  it.each([
    ["in a run", () => lines.findIndex((line) => line.includes('"block.finished"')) + 1, 1],
    ["between runs", () => -1, 2],
  ])("that was cut %s is compared up to the cut, with exit code 2", async (_, end, compared) => {
    project.write("cut", lines.slice(0, end()))
    for (const sides of [
      ["left", "cut"],
      ["cut", "left"],
    ]) {
      const { exitCode, stdout, stderr } = await project.call("diff", ...sides)
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(new RegExp(`\\(${compared} blocks? compared\\)\n$`))
      expect(stderr).toMatch(/the record "cut" is incomplete/)
    }
    const baseline = await project.call("diff", "left", "left", "--baseline", "cut")
    expect(baseline).toMatchObject({ exitCode: 2, stdout: "no differences (2 blocks compared)\n" })
  })

  it("may be cut at any byte", async () => {
    const whole = readFileSync(join(project.folder, "left"))
    for (let share = 0; share < 1; share += 0.07) {
      writeFileSync(join(project.folder, "part"), whole.subarray(0, Math.floor(whole.length * share)))
      expect((await project.call("diff", "left", "part")).exitCode, String(share)).toBe(2)
    }
  })
})

describe("shards in a directory", () => {
  it("are compared like the whole session", async () => {
    await project.record("whole", undefined, "items", "other", "third")
    for (const shard of [1, 2])
      await project.record(`shards/${shard}`, undefined, "items", "other", "third", `--shard=${shard}/2`)
    expect(await project.diff("whole", "shards")).toMatchObject({ exitCode: 0, real: [], stderr: "" })
    expect(await project.diff("shards", "whole")).toMatchObject({ exitCode: 0, real: [], stderr: "" })
    project.changes.set("41", (one) => (one.body["name"] = "coffee"))
    await project.record("changed", undefined, "items", "other", "third")
    expect((await project.diff("shards", "changed", "--baseline", "whole")).real).toMatchObject([
      { workflow: "third", block: "third", path: "name" },
    ])
  })

  it("a workflow that only one side ran is listed once", async () => {
    await project.record("more", undefined, "other", "third")
    await project.record("less", undefined, "third")
    expect((await project.diff("more", "less")).real).toMatchObject([
      { workflow: "other", block: "", what: "missing", left: "passed", right: null },
    ])
    expect((await project.call("diff", "less", "more")).stdout).toMatch(
      /^other\n {4}added {2}"passed" on the right\n/,
    )
  })
})

describe("runs", () => {
  it("with retries are compared by their last attempt", async () => {
    let failures = 1
    const flaky = [
      get("one", 1),
      {
        id: "check",
        type: "assert",
        assertions: [{ source: "one.response.status", operator: "equals", value: 200 }],
      },
    ]
    project.changes.set("1", (one) => {
      if (failures-- > 0) one.status = 503
    })
    await project.record("flaky", flaky, "items", "--retries=2")
    await project.record("steady", flaky, "items", "--retries=2")
    expect(await project.diff("flaky", "steady")).toMatchObject({ exitCode: 0, real: [] })
    expect(await project.diff("steady", "flaky")).toMatchObject({ exitCode: 0, real: [] })
  })

  it("with concurrent iterations are paired by iteration", async () => {
    const loop = {
      id: "all",
      type: "loop",
      mode: "times",
      execution: "parallel",
      count: 40,
      iteratorVar: "i",
      blocks: [get("each-{{i}}", "{{i}}")],
    }
    project.changes.set("*", (one) => (one.delayMs = Math.random() * 20))
    await project.record("some", [loop])
    project.changes.set("17", (one) => (one.body["name"] = "coffee"))
    await project.record("same", [loop])
    expect((await project.diff("some", "same")).real).toMatchObject([
      { block: "each-17", iteration: 17, path: "name", left: "tea", right: "coffee" },
    ])
  })
})

describe("output", () => {
  beforeEach(async () => {
    project.changes.set("1", (one) => {
      one.body["name"] = "coffee"
      one.headers["x-new"] = "1"
      delete one.body["price"]
    })
    project.changes.set("2", (one) => (one.status = 500))
    await project.record("right", [get("one", 1), get("two", 2), get("three", 3)])
  })

  it("groups differences by workflow and block", async () => {
    const { exitCode, stdout, stderr } = await project.call("diff", "left", "right")
    expect(exitCode).toBe(1)
    expect(stderr).toBe("to detect more noise, record the left side again and pass it as --baseline\n")
    expect(stdout.replace(/noise: .*/, "noise")).toBe(
      [
        "items",
        "  one",
        '    body name  "tea" → "coffee"',
        "    body price  2.5 → nothing",
        '    header x-new  nothing → "1"',
        "  two",
        "    status  200 → 500",
        "  three",
        "    added  200 on the right",
        "",
        "5 differences (2 blocks compared)",
        "noise",
        "",
      ].join("\n"),
    )
  })

  it("limits the lines of a block, but not the count", async () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`n${at}`, value]))
    project.write("a", replaced(/"body":\{.*\}(?=\},"answers")/, `"body":${JSON.stringify(many(1))}`))
    project.write("b", replaced(/"body":\{.*\}(?=\},"answers")/, `"body":${JSON.stringify(many(2))}`))
    const { stdout } = await project.call("diff", "a", "b")
    expect(stdout).toContain("… 970 more differences; --json lists them")
    expect(stdout).toContain("6000 differences (2 blocks compared)")
    const { differences, more } = await project.diff("a", "b")
    expect(differences).toHaveLength(2_000)
    expect(more).toEqual({ omitted: 4_000 })
  })

  it("shortens long values", async () => {
    const body = (text: string) =>
      replaced(/"body":\{.*\}(?=\},"answers")/, `"body":${JSON.stringify([text])}`)
    project.write("a", body("x".repeat(100_000)))
    project.write("b", body("y".repeat(100_000)))
    const { stdout } = await project.call("diff", "a", "b", "--json")
    expect(stdout.length).toBeLessThan(5_000)
  })
})

describe("hostile content", () => {
  const hostile = "\u001b[31m\u009b1m\u202e\n::error::x ##vso[task.complete] </script>\r"
  const escape = (text: string) => JSON.stringify(text).slice(1, -1)

  it("never reaches the terminal or a CI system as a command", async () => {
    const text = escape(hostile)
    for (const [name, value] of [
      ["a", "1"],
      ["b", "2"],
    ] as const)
      project.write(
        name,
        lines.map((line) =>
          line
            .replace('"id":"one"', `"id":"one ${text}"`)
            .replace('"workflow":"items"', `"workflow":"items ${text}"`)
            .replace(
              '"name":"tea"',
              `"name ${text}":"${text} ${value}","__proto__":{"a":${value}},"constructor":${value}`,
            )
            .replace('"cache-control":"no-store"', `"x-${text}":"${text} ${value}"`),
        ),
      )
    for (const words of [[], ["--json"]]) {
      const { exitCode, stdout, stderr } = await project.call("diff", "a", "b", ...words)
      expect(exitCode).toBe(1)
      expect(stdout).not.toMatch(/[\u001b\u009b\u202e\r]/)
      expect(stdout).not.toMatch(/^\s*::error/m)
      expect(stdout).not.toContain("##vso[")
      expect(stderr).not.toContain("::error")
      expect(stdout).toContain("__proto__")
    }
    const { real } = await project.diff("a", "b")
    expect(real.slice(0, 4)).toMatchObject([
      {
        workflow: `items ${hostile}`,
        block: `one ${hostile}`,
        what: "body",
        left: `${hostile} 1`,
        right: `${hostile} 2`,
      },
      { path: "__proto__.a", left: 1, right: 2 },
      { path: "constructor", left: 1, right: 2 },
      { what: "header", path: `["x-${escape(hostile)}"]` },
    ])
  })

  it("of any depth is compared", async () => {
    const nested = (value: number) => `${"[".repeat(20_000)}${value}${"]".repeat(20_000)}`
    for (const value of [1, 2])
      project.write(`deep${value}`, replaced(/"body":\{.*\}(?=\},"answers")/, `"body":${nested(value)}`))
    const { exitCode, stdout } = await project.call("diff", "deep1", "deep2")
    expect(exitCode).toBe(1)
    expect(stdout).toContain("1 → 2")
  })
})

it("shows no secret of the project", async () => {
  const secret = "t0ken-canary-4711"
  await writeFiles(project.folder, {
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        token: { type: "string", required: true, secret: true },
      },
    },
    "apis/shop/environments/local.secrets.env": `token=${secret}\n`,
  })
  const block = get("one", 1)
  const request = {
    ...block.request,
    overrides: { params: { path: { n: "1" }, header: { "x-token": "{{token}}" } } },
  }
  const add = (value: string) =>
    project.changes.set("1", (one) => {
      one.body["echo"] = `${value} ${secret}`
      one.headers["x-echo"] = `${value}${secret}`
    })
  add("a")
  await project.record("secret1", [{ ...block, request }])
  add("b")
  await project.record("secret2", [{ ...block, request }])
  for (const words of [[], ["--json"]]) {
    const { stdout, stderr } = await project.call("diff", "secret1", "secret2", ...words)
    expect(stdout).toContain("a ***")
    expect(stdout + stderr).not.toContain(secret)
    expect(stdout + stderr).not.toContain(Buffer.from(secret).toString("base64").slice(0, 12))
  }
})

describe("10,000 blocks that nest or share an id", () => {
  const count = 10_000
  const entered = (block: number, kind: string, more: object) => ({
    type: "block.started",
    run: 0,
    block,
    id: kind === "group" ? `g${block}` : "x",
    kind,
    ...more,
  })
  const finished = (block: number, status: string) => ({
    type: "block.finished",
    run: 0,
    block,
    status,
    durationMs: 1,
  })
  const numbers = Array.from({ length: count }, (_, at) => at)
  const inside = (at: number) => (at === 0 ? {} : { parent: at - 1 })

  const shapes: Readonly<Record<string, (status: string) => readonly object[]>> = {
    groups: (status) => [
      ...numbers.map((at) => entered(at, "group", inside(at))),
      ...numbers.toReversed().map((at) => finished(at, status)),
    ],
    loops: (status) => [
      ...numbers.flatMap((at) => [
        entered(at, "loop", at === 0 ? {} : { ...inside(at), iteration: 0 }),
        { type: "iteration.started", run: 0, block: at, index: 0, value: 0 },
      ]),
      ...numbers
        .toReversed()
        .flatMap((at) => [
          { type: "iteration.finished", run: 0, block: at, index: 0, status: "passed" },
          finished(at, status),
        ]),
    ],
    conditions: (status) => [
      ...numbers.map((at) => entered(at, "condition", inside(at))),
      ...numbers.toReversed().map((at) => finished(at, status)),
    ],
    "skipped groups": (status) =>
      status === "passed"
        ? numbers.map((at) => ({
            ...entered(at, "group", inside(at)),
            type: "block.skipped",
            reason: "branch",
          }))
        : shapes["groups"]!("passed"),
    "equal ids": (status) => numbers.flatMap((at) => [entered(at, "script", {}), finished(at, status)]),
    "equal ids on one side": (status) =>
      status === "passed" ? shapes["equal ids"]!(status) : [entered(0, "assert", {}), finished(0, status)],
  }

  it.each(Object.keys(shapes))(
    "are compared in linear time: %s",
    async (name) => {
      const started = lines.find((line) => line.startsWith('{"type":"run.started"')) ?? ""
      for (const [file, status] of [
        ["a", "passed"],
        ["b", "failed"],
      ] as const)
        writeFileSync(
          join(project.folder, file),
          gzipSync(
            [
              lines[0],
              started,
              ...shapes[name]!(status).map((event) => JSON.stringify(event)),
              JSON.stringify({ type: "run.finished", run: 0, status, durationMs: 1 }),
              JSON.stringify({ end: { status, exitCode: 0, durationMs: 1 } }),
              "",
            ].join("\n"),
          ),
        )
      for (const words of [
        ["a", "b"],
        ["b", "a", "--json", "--baseline", "a"],
      ]) {
        const { exitCode, stderr, stdout } = await project.call("diff", ...words)
        expect([exitCode, stderr.replace(/^to detect.*\n/, "").replace(/^no contract.*\n/, "")]).toEqual([
          1,
          "",
        ])
        expect(stdout).toMatch(/"differences": \[\n|[0-9]+ differences? \(/)
      }
    },
    120_000,
  )
})
