import { styleText } from "node:util"
import { describe, expect, it } from "vitest"
import type { Style } from "../../screen.ts"
import { exampleRun, play, RunRecorder, throughJson } from "../testing/example-run.ts"
import { createPretty } from "./pretty.ts"

const pretty = (events: ReturnType<typeof exampleRun>) => play(createPretty, events).text
const lines = (events: ReturnType<typeof exampleRun>) => pretty(events).split("\n")
const colors: Style = (color, text) => styleText(color, text, { validateStream: false })

const failedStart = () =>
  new RunRecorder().end({
    status: "error",
    error: {
      code: "variable-missing",
      message: "1 problem",
      problems: [
        { code: "variable-missing", severity: "error", message: "shop needs apiKey", hint: "set it" },
      ],
    },
  })

describe("pretty", () => {
  it("shows a run as a whole", () => {
    expect(pretty(exampleRun())).toMatchInlineSnapshot(`
      "checkout  shop → staging  pay → local
        ! apis/shop/environments/prod.json: the environment has no level (level-unset)
        ✓ login                       GET /login?a=1  200  12 ms
        ✓ setup
          ✓ create                    GET /create?a=1  201  12 ms
          ✓ names                     orderId, total
        ✓ is-paid
          ✓ receipt                   GET /receipt?a=1  404 !  12 ms
          − pay                       skipped (branch)
        ✓ lines                       3 iterations  3 requests  40 ms
        ✗ check-order                 3 assertions  assertion-failed
        − clean-up                    skipped (halted)

        ✗ check-order  assertion-failed
          2 of 3 assertions do not hold

          ✗ create.response.body.total equals
              expected  42
              received  41
          ✗ create.response.body.lines equals
              [0].count  expected 2, received 3
              [0].note  expected nothing, received "gift"
          ✓ 1 other assertion passed

          create sent
          > POST http://127.0.0.1:4010/orders
          > content-type: application/json
          > authorization: Bearer ***
          >
          > {"lines": [{"sku": "A-1", "count": 2}]}
          received
          < 201  18 ms, 81 B
          < content-type: application/json
          < set-cookie: sid=***
          < set-cookie: theme=dark
          <
          < {"id": 17, "total": 41, "lines": [{"sku": "A-1", "count": 3, "note": "gift"}]}

      ✗ checkout failed  1 failed, 10 passed, 2 skipped  6 requests, 1.2 s

      "
    `)
  })

  it("shows the same for events after a JSON round trip", () => {
    for (const options of [{}, { isLive: true, ticks: true, style: colors }]) {
      expect(play(createPretty, throughJson(exampleRun()), options)).toEqual(
        play(createPretty, exampleRun(), options),
      )
    }
  })

  it("writes no control codes without redrawing and colors", () => {
    expect(pretty(exampleRun())).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it("redraws two lines in place on a terminal, and leaves the same output as elsewhere", () => {
    const { text } = play(createPretty, exampleRun(), { isLive: true, ticks: true })
    expect(text).toContain("⠙ checkout")
    expect(screenAfter(text)).toEqual(lines(exampleRun()))
  })

  it("keeps the live lines narrower than the terminal", () => {
    const run = new RunRecorder()
    run.start("request", "漢".repeat(60))
    const { text } = play(createPretty, run.events, { isLive: true, ticks: true, columns: 30 })
    const live = text
      .split("\n")
      .find((line) => line.includes("漢"))
      ?.replace(/^[^]*\u001b\[J/, "")
    // Each of these characters takes two columns.
    expect(live!.length * 2).toBeLessThan(33)
  })

  it("sums up a loop in one line, whatever its iterations contain", () => {
    const run = new RunRecorder()
    const loop = run.start("loop", "poll")
    for (let index = 0; index < 10_000; index++) {
      run.add(loop, { type: "iteration.started", index, value: index })
      const group = run.start("group", `g${index}`, { parent: loop, iteration: index })
      run.request(`get-${index}`, index % 100 === 0 ? 404 : 200, { parent: group })
      run.finish(group)
      run.add(loop, { type: "iteration.finished", index, status: "passed" })
    }
    run.finish(loop, { durationMs: 2000 })
    const { text, writes } = play(createPretty, run.end())
    expect(text).toMatch(/✓ poll +10000 iterations {2}10000 requests {2}100 × 404 ! {2}2\.0 s/)
    expect(writes).toBeLessThan(5)
  })

  it("lists the first few failed iterations and counts the rest", () => {
    const run = new RunRecorder()
    const loop = run.start("loop", "poll")
    for (let index = 0; index < 100; index++) {
      const check = run.start("assert", `check-${index}`, { parent: loop, iteration: index })
      run.finish(check, { status: "failed", error: { code: "assertion-failed", message: `no ${index}` } })
      run.add(loop, { type: "iteration.finished", index, status: "failed" })
    }
    run.finish(loop, { status: "failed", error: { code: "child-failed", message: "100 iterations failed" } })
    const text = pretty(run.end({ status: "failed" }))
    expect(text).toMatch(/✗ poll +100 iterations {2}100 failed/)
    expect(text).toMatch(/✗ \[9\] › check-9 +assertion-failed/)
    expect(text).not.toMatch(/✗ \[10\] › check-10/)
    expect(text).toContain("… 90 more failed")
    expect(text).toContain("✗ poll › [49] › check-49  assertion-failed\n    no 49")
    expect(text).not.toContain("no 50")
    expect(text).toContain("… and 50 more failed blocks")
  })

  it("shows a failure once, and not again for its containers", () => {
    const run = new RunRecorder()
    const group = run.start("group", "setup")
    const call = run.start("request", "login", { parent: group })
    run.finish(call, {
      status: "failed",
      error: { code: "request-failed", message: "connection refused", hint: "is the server up?" },
      exchanges: [{ block: "login", request: { method: "GET", url: "http://127.0.0.1:1/" } }],
    })
    run.finish(group, { status: "failed", error: { code: "child-failed", message: "a nested block failed" } })
    const text = pretty(run.end({ status: "failed" }))
    expect(text).toContain(
      "  ✗ setup › login  request-failed\n    connection refused\n    hint: is the server up?\n",
    )
    expect(text).toContain("> GET http://127.0.0.1:1/\n    received no response\n")
    expect(text).not.toContain("a nested block failed")
  })

  it.each([
    ["exists", undefined, undefined, "expected  something\n        received  nothing"],
    ["notExists", undefined, 7, "expected  nothing\n        received  7"],
    ["hasValue", undefined, null, "expected  a value\n        received  null"],
    ["hasNoValue", undefined, "x", 'expected  nothing or null\n        received  "x"'],
    ["notEquals", 3, 3, "expected  anything but 3\n        received  3"],
    ["greaterThan", 3, 2, "expected  more than 3\n        received  2"],
    ["lessThan", 3, 4, "expected  less than 3\n        received  4"],
    ["contains", "b", ["a"], 'expected  a value that contains "b"\n        received  ["a"]'],
    ["equals", [1], { a: 1 }, 'expected  [1]\n        received  {"a": 1}'],
  ] as const)("shows what %s expected and received", (operator, expected, actual, text) => {
    const run = new RunRecorder()
    const check = run.start("assert", "check")
    run.add(check, {
      type: "assertions.checked",
      assertions: [
        {
          source: "a.b",
          operator,
          status: "failed",
          ...(expected === undefined ? {} : { expected }),
          ...(actual === undefined ? {} : { actual }),
        },
      ],
    })
    run.finish(check, { status: "failed", error: { code: "assertion-failed", message: "failed" } })
    expect(pretty(run.end({ status: "failed" }))).toContain(text)
  })

  it("lists contract violations", () => {
    const run = new RunRecorder()
    const call = run.start("request", "get")
    run.add(call, {
      type: "contract.checked",
      contract: { status: "failed", problems: [{ path: "/body/price", message: "must be number" }] },
    })
    run.finish(call, { status: "failed", error: { code: "contract-broken", message: "1 problem" } })
    expect(pretty(run.end({ status: "failed" }))).toContain("✗ /body/price  must be number")
  })

  it("warns about a request's violations below the block's line, and again if the block failed", () => {
    const run = new RunRecorder()
    const problem = { path: "/query/limit", message: "expected 1 or more, received 0" }
    const place = { schema: "/a", file: "apis/shop/openapi.json", line: 9 }
    const said = "! request /query/limit: expected 1 or more, received 0  apis/shop/openapi.json:9\n"
    const good = run.start("request", "good")
    run.add(good, { type: "request.checked", problems: [{ ...problem, ...place }] })
    run.finish(good, { durationMs: 4 })
    const bad = run.start("request", "bad")
    run.add(bad, { type: "request.checked", problems: [{ ...problem, ...place }] })
    run.finish(bad, { status: "failed", error: { code: "request-timeout", message: "too late" } })
    const text = pretty(run.end({ status: "failed" }))
    expect(text).toContain(`  ✓ good                        4 ms\n    ${said}`)
    expect(text).toContain(`✗ bad  request-timeout\n    too late\n\n    ${said}`)
  })

  it("warns once about the repeated violations of a loop's requests, and counts the excess", () => {
    const run = new RunRecorder()
    const loop = run.start("loop", "all")
    const problems = Array.from({ length: 20 }, (_, at) => ({ path: `/body/${at}`, message: "bad" }))
    for (const iteration of [0, 1]) {
      const call = run.start("request", `get-${iteration}`, { parent: loop, iteration })
      run.add(call, {
        type: "request.checked",
        problems: [...problems, { path: "", message: "and 5 more problems" }],
      })
      run.finish(call)
    }
    run.finish(loop)
    const lines = pretty(run.end())
      .split("\n")
      .filter((line) => line.includes("request"))
    expect(lines).toEqual([
      ...[0, 1, 2, 3, 4].map((at) => `    ! request /body/${at}: bad`),
      "    ! request: … 15 more in the report, and 5 more problems",
      expect.stringContaining("checkout"),
    ])
  })

  it("marks a contract check that could not be made", () => {
    const run = new RunRecorder()
    const call = run.start("request", "get")
    run.add(call, { type: "request.sent", request: { method: "GET", url: "http://x/y" } })
    run.add(call, { type: "contract.checked", contract: { status: "unavailable", problems: [] } })
    run.finish(call)
    expect(pretty(run.end())).toContain("GET /y  contract unavailable")
  })

  it("shows a warning once, however often it is raised", () => {
    const run = new RunRecorder()
    const loop = run.start("loop", "poll")
    for (let index = 0; index < 1000; index++) {
      const call = run.start("request", "get", { parent: loop, iteration: index })
      run.warn({ code: "document-invalid", message: "look here" }, call)
      run.finish(call)
    }
    run.finish(loop)
    expect(lines(run.end()).filter((line) => line.includes("look here"))).toHaveLength(1)
  })

  it("shows the first logs of a block, and all logs of a failed block with its failure", () => {
    const run = new RunRecorder()
    for (const status of ["passed", "failed"] as const) {
      const block = run.start("script", status)
      for (let index = 0; index < 14; index++)
        run.add(block, { type: "log.written", text: `${status} ${index}` })
      run.finish(block, {
        status,
        ...(status === "failed" ? { error: { code: "script-error", message: "boom" } } : {}),
      })
    }
    const text = pretty(run.end({ status: "failed" }))
    expect(text).toContain("│ passed 9\n    │ … 4 more\n")
    expect(text).toContain("logs\n    │ failed 0\n")
    expect(text).toContain("failed 13\n")
  })

  it("escapes all text from outside on the terminal", () => {
    const evil = "\u001b[2J\u001b]52;c;AAAA\u0007\r✓ all passed\u202e"
    const run = new RunRecorder({ workflow: evil, environments: { [evil]: { name: evil, level: "local" } } })
    run.warn({ code: "level-unset", message: evil, hint: evil })
    const call = run.start("request", evil)
    run.add(call, { type: "request.sent", request: { method: evil, url: `http://x/${evil}` } })
    run.add(call, { type: "log.written", text: evil })
    run.add(call, {
      type: "request.checked",
      problems: [{ path: evil, message: evil, file: evil, line: 1 }],
    })
    run.add(call, {
      type: "contract.checked",
      contract: { status: "failed", problems: [{ path: evil, message: evil }] },
    })
    run.add(call, {
      type: "assertions.checked",
      assertions: [
        {
          source: evil,
          operator: "equals",
          expected: { [evil]: evil },
          actual: evil,
          status: "failed",
          message: evil,
        },
      ],
    })
    run.finish(call, {
      status: "failed",
      error: { code: "request-failed", message: evil, hint: evil },
      exchanges: [
        {
          block: evil,
          request: { method: evil, url: evil, headers: { [evil]: evil }, body: evil },
          response: {
            status: 200,
            headers: { [evil]: [evil] },
            body: { [evil]: [evil] },
            durationMs: 1,
            sizeBytes: 1,
            redirects: [{ status: 302, url: evil, dropped: [evil] }],
          },
        },
      ],
    })
    const loop = run.start("loop", evil)
    const inner = run.start("assert", evil, { parent: loop, iteration: 0 })
    run.finish(inner, { status: "failed", error: { code: "assertion-failed", message: evil } })
    run.finish(loop)
    const events = run.end({
      status: "error",
      error: {
        code: "usage",
        message: evil,
        problems: [{ code: "usage", severity: "error", message: evil, hint: evil }],
      },
    })
    const { text } = play(createPretty, events, { isLive: false })
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(text.split("\n").filter((line) => line.trimStart().startsWith("✓ all"))).toEqual([])
  })

  it("lists the problems of a run that could not start, unless they are printed elsewhere", () => {
    expect(pretty(failedStart())).toBe(
      "checkout\n  shop needs apiKey (variable-missing)\n    hint: set it\n\n✗ checkout could not start  1 problem\n\n",
    )
    expect(play(createPretty, failedStart(), { isFile: false }).text).not.toContain("apiKey")
  })

  it("sums up several workflows", () => {
    const events = [
      ...new RunRecorder({ run: 0, workflow: "a" }).end(),
      ...new RunRecorder({ run: 1, workflow: "b" }).end({ status: "failed" }),
      ...new RunRecorder({ run: 2, workflow: "c" }).end({ status: "error" }),
    ]
    expect(pretty(events)).toContain("3 workflows: 1 failed (b), 1 could not start (c), 1 passed")
  })

  it("handles groups of any depth", () => {
    const run = new RunRecorder()
    const numbers = Array.from({ length: 10_000 }, (_, index) =>
      run.start("group", `g${index}`, index === 0 ? {} : { parent: index - 1 }),
    )
    for (const number of numbers.reverse()) run.finish(number)
    expect(lines(run.end()).filter((line) => line.includes("✓ g"))).toHaveLength(10_000)
  })
})

/** Returns the screen after a text. Supports line feeds, "up n lines", "start of line" and "clear to the end". */
function screenAfter(text: string): string[] {
  const screen = [""]
  let row = 0
  for (const piece of text.split(/(\u001b\[[0-9]*[A-Z]|\r|\n)/)) {
    const up = /^\u001b\[([0-9]+)A$/.exec(piece)
    if (up !== null) row -= Number(up[1])
    else if (piece === "\u001b[J") {
      screen.length = row + 1
      screen[row] = ""
    } else if (piece === "\n") screen[++row] ??= ""
    else if (piece !== "\r") screen[row] += piece
  }
  return screen
}
