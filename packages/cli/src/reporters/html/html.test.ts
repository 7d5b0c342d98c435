// The page that the reporter writes for made-up runs. tests/app-page/html-report.test.ts looks at it in a browser.

import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { exampleRun, render, RunRecorder, throughJson } from "../testing/example-run.ts"
import { writeHtml } from "./html.ts"
import { style } from "./style.ts"

const pageOf = (events: readonly RunEvent[]): string => render(writeHtml, events)

/** Returns the text between tags, with one space between words. */
const visibleText = (html: string): string =>
  html
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")

/** Returns the content of a section as text. */
const sectionOf = (html: string, id: string): string =>
  visibleText(new RegExp(`<section id="${id}".*?</section>`, "s").exec(html)?.[0] ?? "")

const MAX_BYTES = 5_000_000

describe("the page of a run", () => {
  const html = pageOf(exampleRun())
  const text = visibleText(html)

  it("starts with the status, the counts, and the environments with their base URLs", () => {
    const shop = { name: "staging", level: "staging", baseUrl: "https://staging.example.com/v1" } as const
    const page = visibleText(pageOf(new RunRecorder({ environments: { shop } }).end()))
    expect(page).toContain("checkout passed")
    expect(page).toContain("Runs ✓ 1 passed")
    expect(page).toContain("Started 2026-11-21 04:05:06 UTC")
    expect(page).toContain("shop staging https://staging.example.com/v1")
    expect(text).toMatch(
      /^ checkout: failed ✗ checkout failed Runs ✗ 1 failed Blocks ✓ 10 passed ✗ 1 failed − 2 skipped/,
    )
  })

  it("shows a failure with its place, its differences and its exchange, before all runs", () => {
    const failures = sectionOf(html, "failures")
    expect(html.indexOf('id="failures"')).toBeLessThan(html.indexOf('id="runs"'))
    expect(failures).toContain("✗ checkout › check-order")
    expect(failures).toContain("create.response.body.total equals Expected 42 Received 41")
    expect(failures).toContain("Path Expected Received [0].count 2 3 [0].note nothing &quot;gift&quot;")
    expect(failures).toContain("✓ 1 other assertion passed")
    expect(failures).toContain(
      "POST http://127.0.0.1:4010/orders content-type: application/json authorization: Bearer ***",
    )
    expect(failures).toContain("set-cookie: sid=*** set-cookie: theme=dark")
    expect(failures).toContain("Response 18 ms, 81 B 201")
  })

  it("shows file, line and column of an error, of each assertion, and of a violated schema", () => {
    const run = new RunRecorder()
    const check = run.start("request", "get")
    run.add(check, {
      type: "contract.checked",
      contract: {
        status: "failed",
        problems: [
          {
            path: "/body/id",
            message: "expected a string, received 7",
            file: "apis/shop/openapi.json",
            line: 31,
          },
        ],
      },
    })
    const place = { file: "apis/workflow/checkout.json", line: 12, column: 5 }
    run.add(check, {
      type: "assertions.checked",
      assertions: [
        { source: "get.response.status", operator: "exists", status: "failed", ...place, line: 14 },
      ],
    })
    run.finish(check, {
      status: "failed",
      error: { code: "contract-broken", message: "no", hint: "look", ...place },
    })
    const failures = sectionOf(pageOf(run.end({ status: "failed" })), "failures")
    expect(failures).toContain("apis/workflow/checkout.json:12:5 contract-broken no Hint: look")
    expect(failures).toContain(
      "get.response.status exists apis/workflow/checkout.json:14:5 Expected something Received nothing",
    )
    expect(failures).toContain("/body/id expected a string, received 7 apis/shop/openapi.json:31")
  })

  it("nests the blocks as they ran, with iterations and skipped ones, and links failures", () => {
    const runs = sectionOf(html, "runs")
    expect(runs).toContain("✓ setup group 20 ms ✓ create GET /create?a=1 201 12 ms")
    expect(runs).toContain("− pay request, skipped (branch)")
    expect(runs).toContain("✓ lines loop, 3 iterations 40 ms ✓ [0] 0 ✓ line-0 GET /line-0?a=1 200 12 ms")
    expect(runs).toContain("2 of 3 assertions do not hold")
    expect(html).toContain('<a href="#f1">check-order</a>')
    expect(html).toContain('<article id="f1"')
  })

  it("shows requests in time, as numbers, and as bars below an axis", () => {
    const timeline = sectionOf(html, "timeline")
    expect(timeline).toContain(
      "6 requests, from 0 ms, 1.2 s Request Start Duration 0 ms 18 ms 36 ms 54 ms 72 ms login GET /login?a=1 200 0 ms 12 ms setup › create",
    )
    expect(timeline).toContain("lines › [1] › line-1 GET /line-1?a=1 200 48 ms 12 ms")
    expect(html).toContain('<rect x="0%" width="16.7%"')
  })

  describe("of requests that ran at the same time", () => {
    const run = new RunRecorder()
    const runMs = Date.parse("2026-11-21T04:05:06.789Z")
    for (const [id, startMs] of [
      ["two", runMs + 20],
      ["one", runMs + 5],
      ["skewed", runMs - 9],
    ] as const) {
      const block = run.start("request", id)
      run.add(block, { type: "request.sent", startMs, request: { method: "GET", url: "http://h/" } })
      run.finish(block, { durationMs: 50 })
    }
    const events = run.end()

    it("shows them in the order they were sent, at the times they were sent", () => {
      expect(sectionOf(pageOf(events), "timeline")).toContain(
        "skewed GET / no response 0 ms 50 ms one GET / no response 5 ms 50 ms two GET / no response 20 ms 50 ms",
      )
    })

    it("counts them, but shows no timeline, if an old record doesn't know when they were sent", () => {
      const old = events.map((event) => {
        if (event.type !== "request.sent") return event
        const { startMs: _, ...rest } = event
        return rest
      })
      const page = pageOf(old)
      expect(page).not.toContain('id="timeline"')
      expect(visibleText(page)).toContain("Requests 3 ")
    })
  })

  it("is the same for the same events, also from JSON", () => {
    expect(pageOf(throughJson(exampleRun()))).toBe(html)
  })

  it("lists warnings once, and what was left over", () => {
    const run = new RunRecorder()
    for (const _ of [1, 2])
      run.warn({ code: "level-unset", message: "no level", file: "a.json", line: 3, column: 1 })
    const leftovers = [{ api: "shop", url: "http://h/orders/7", operation: "POST /orders" }]
    const page = pageOf([...run.end(), { type: "leftovers.found", run: 0, leftovers }])
    expect(sectionOf(page, "warnings")).toBe(" Warnings 1 ! no level level-unset a.json:3:1 ")
    expect(sectionOf(page, "leftovers")).toContain("shop POST /orders http://h/orders/7")
    expect(
      sectionOf(pageOf([...run.end(), { type: "leftovers.found", run: 0, leftovers: [] }]), "leftovers"),
    ).toContain("✓ The run deleted everything that it created.")
  })

  it("says that a run was cut off, and shows what it did", () => {
    const run = new RunRecorder()
    run.request("login", 200)
    const loop = run.start("loop", "poll")
    run.add(loop, { type: "iteration.started", index: 0, value: 0 })
    run.start("request", "get", { parent: loop, iteration: 0 })
    const page = visibleText(pageOf(run.events))
    expect(page).toContain("checkout could not start")
    expect(page).toContain("✓ login GET /login?a=1 200 12 ms")
    expect(page).toContain("✗ poll loop, not finished [0] ✗ get request, not finished")
  })
})

describe("several runs", () => {
  it("keep failures of retried attempts apart, and show what differed", () => {
    const exchange = (status: number, total: number) => ({
      block: "create",
      request: { method: "POST", url: "http://h/orders" },
      response: { status, body: { total }, durationMs: 1, sizeBytes: 9 },
    })
    const first = new RunRecorder({ suite: "nightly", entry: "buy", role: "main", attempt: 1 })
    const block = first.start("script", "check")
    first.finish(block, { status: "failed", error: { code: "script-error", message: "boom" } })
    const second = new RunRecorder({ run: 1, suite: "nightly", entry: "buy", role: "main", attempt: 2 })
    const differs = { block: "create", first: exchange(500, 1), second: exchange(201, 2) }
    const page = pageOf([
      ...first.end({ status: "failed", isRetried: true }),
      ...second.end({ flaky: true, differs }),
    ])
    expect(visibleText(page)).toContain("nightly passed Runs ✓ 1 passed ↻ 1 flaky")
    expect(sectionOf(page, "failures")).toBe("")
    expect(sectionOf(page, "retried")).toContain("✗ buy › check script-error boom")
    const runs = sectionOf(page, "runs")
    expect(runs).toContain("✓ buy (attempt 2) flaky")
    expect(runs).toContain("What differed between the attempts: create")
    expect(runs).toContain("received 500, the last one 201")
    expect(runs).toContain("Path First attempt Last attempt total 1 2")
  })

  it("show their role, row and repeat, the problems of one that couldn't start, and why one was skipped", () => {
    const before = new RunRecorder({ suite: "s", entry: "login", role: "before", row: 3, repeat: 2 })
    const skipped = new RunRecorder({ run: 1, suite: "s", entry: "buy", role: "main" })
    const problem = {
      code: "block-unknown",
      severity: "error",
      message: "no such block",
      file: "w.json",
      line: 4,
      column: 9,
    } as const
    const error = {
      code: "block-unknown",
      message: "1 problem",
      problems: [{ ...problem, hint: "did you mean x?" }],
    } as const
    const page = pageOf([
      ...before.end({ status: "error", error }),
      ...skipped.end({ status: "skipped", reason: "halted" }),
    ])
    expect(visibleText(page)).toContain("s could not start Runs ✗ 1 could not start − 1 skipped")
    expect(sectionOf(page, "failures")).toContain(
      "✗ login (before, row 3, repeat 2) w.json:4:9 block-unknown no such block Hint: did you mean x?",
    )
    expect(sectionOf(page, "runs")).toContain(
      "Skipped because an earlier step of the suite failed or was canceled",
    )
  })
})

describe("text from outside", () => {
  const attack = [
    `</script><script>alert(1)</script>`,
    `</pre></style><img src=x onerror=alert(1)>"'`,
    "a\u0000b\u001b[31mc\u202ed\u0085e\ud800",
    "::error file=x::y",
    "##vso[task.setvariable variable=PATH]/tmp",
  ].join("\n")
  const page = pageOf(hostileRun(attack))

  it("never becomes markup, a control character or a CI command", () => {
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/<img|alert\(1\)<\/script|onerror=alert\(1\)>/)
    expect(page).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u,
    )
    expect(page).not.toMatch(/##[a-z]*\[|^\s*::/im)
    expect(page.match(/&lt;\/script&gt;&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThan(15)
    expect(page).toContain("a\\u0000b\\u001b[31mc\\u202ed\\u0085e\\ud800")
  })

  it("meets a policy that allows only the page's own style and script", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#39;", "'")
    for (const name of ["style", "script"]) {
      const inner = new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(page)?.[1] ?? ""
      const hash = createHash("sha256").update(inner).digest("base64")
      expect(policy).toContain(`${name}-src 'sha256-${hash}'`)
    }
    expect(policy).toMatch(/^default-src 'none';/)
    expect(page).not.toMatch(/ style="| on[a-z]+="| src="|<link rel="icon" href="(?!data:)/)
  })
})

it("the page has the colors of the app", () => {
  const tokens = readFileSync(new URL("../../../../web/src/styles/tokens.css", import.meta.url), "utf8")
  // The page has a block for each theme, the app both colors in one value.
  const inApp = new Set(
    [
      ...tokens.matchAll(/(--[a-z-]+): (?:light-dark\((#\w+|rgb\([^)]*\)), (#\w+|rgb\([^)]*\))\)|([^;]+));/g),
    ].flatMap(([, name, ...values]) =>
      values.filter((value) => value !== undefined).map((value) => `${name}: ${value};`),
    ),
  )
  const inPage = style.match(/--[a-z-]+: [^;]+;/g) ?? []
  expect(inPage.length).toBeGreaterThan(30)
  expect(inPage.filter((color) => !inApp.has(color))).toEqual([])
})

describe("a long run", () => {
  const body = { items: "x".repeat(1_000_000) }
  const response = {
    status: 200,
    headers: { "content-type": "application/json" },
    body,
    durationMs: 3,
    sizeBytes: 1_000_012,
  }
  const requestBlocks = (run: RunRecorder, count: number, status: "passed" | "failed"): RunEvent[] => {
    const request = { method: "POST", url: "http://127.0.0.1:4010/orders", body }
    for (let at = 0; at < count; at++) {
      const block = run.start("request", `create-order-${at}`)
      run.add(block, { type: "request.sent", request })
      run.add(block, { type: "response.received", response })
      const error = { code: "contract-broken", message: "it violates the contract" } as const
      const exchanges = [{ block: `create-order-${at}`, request, response }]
      if (status === "failed") run.finish(block, { status, error, exchanges })
      else run.finish(block)
    }
    return run.end({ status })
  }

  it("of 10,000 blocks with bodies of 1 MB takes at most 5 MB, and lists every block", () => {
    const page = pageOf(requestBlocks(new RunRecorder(), 10_000, "passed"))
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES)
    expect(page.match(/<li class="passed">/g)).toHaveLength(10_000)
    expect(visibleText(page)).toContain("cut after 2.0 KiB of 976.6 KiB")
    expect(sectionOf(page, "timeline")).toContain("10000 requests")
  })

  it("whose blocks all fail takes at most 5 MB, and counts the failures that it leaves out", () => {
    const page = pageOf(requestBlocks(new RunRecorder(), 10_000, "failed"))
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES)
    const text = visibleText(page)
    expect(text).toContain("Failures 10000")
    expect(text).toMatch(/… [0-9]+ more failures, left out to keep this page small/)
  })

  it("shows failures after any number of passed blocks", () => {
    const run = new RunRecorder()
    const loop = run.start("loop", "many")
    for (let index = 0; index < 30_000; index++) {
      run.add(loop, { type: "iteration.started", index, value: index })
      run.request("get", 200, { parent: loop, iteration: index })
      run.add(loop, { type: "iteration.finished", index, status: "passed" })
    }
    run.finish(loop)
    run.finish(run.start("script", "last"), {
      status: "failed",
      error: { code: "script-error", message: "boom" },
    })
    const page = pageOf(run.end({ status: "failed" }))
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES)
    expect(visibleText(page)).toMatch(
      /loop, 30000 iterations .* … [0-9]+ more, not listed to keep this page small/,
    )
    expect(page).toContain('<a href="#f1">last</a>')
  })

  it("of 3,000 runs takes at most 5 MB, and shows the failed ones", () => {
    const inputs = { text: "x".repeat(5000) }
    const events = Array.from({ length: 3000 }, (_, run) =>
      new RunRecorder({ run, row: run + 1, inputs }).end({ status: run === 2999 ? "failed" : "passed" }),
    )
    const page = pageOf(events.flat())
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES)
    expect(sectionOf(page, "runs")).toContain("✗ checkout (row 3000)")
    expect(visibleText(page)).toMatch(/… [0-9]+ more runs, left out/)
  })

  it("may nest 10,000 blocks deep", () => {
    const run = new RunRecorder()
    const blocks: number[] = []
    for (let depth = 0; depth < 10_000; depth++) {
      const parent = blocks.at(-1)
      blocks.push(run.start("group", `g${depth}`, parent === undefined ? {} : { parent }))
    }
    for (const block of blocks.reverse()) run.finish(block)
    const page = pageOf(run.end())
    expect(visibleText(page)).toContain("✓ g9999 group")
    let depth = 0
    let deepest = 0
    for (const tag of page.match(/<\/?ol>/g) ?? [])
      deepest = Math.max(deepest, (depth += tag === "<ol>" ? 1 : -1))
    expect(deepest).toBeLessThan(20)
  })
})

/** A run with the same text in every place that a page shows. */
function hostileRun(text: string): RunEvent[] {
  const environments = { [text]: { name: text, level: "local", baseUrl: text } } as const
  const run = new RunRecorder({
    workflow: text,
    suite: text,
    entry: text,
    environments,
    inputs: { [text]: text },
  })
  run.warn({ code: "level-unset", message: text, file: text, hint: text })
  const exchange = {
    request: { method: text, url: text, headers: { [text]: text }, bodyText: text },
    response: {
      status: 200,
      headers: { "content-type": "text/plain", [text]: text },
      body: text,
      durationMs: 1,
      sizeBytes: 1,
      redirects: [{ status: 302, url: text, dropped: [text] }],
    },
  }
  const passed = run.start("request", text)
  run.add(passed, { type: "request.checked", problems: [{ path: text, message: text, file: text, line: 1 }] })
  run.add(passed, { type: "request.sent", request: exchange.request })
  run.add(passed, { type: "response.received", response: exchange.response })
  run.add(passed, { type: "outputs.made", outputs: { [text]: text } })
  run.add(passed, { type: "log.written", text })
  run.add(passed, {
    type: "assertions.checked",
    assertions: [{ source: text, operator: "equals", expected: text, actual: text, status: "passed" }],
  })
  run.finish(passed)
  const loop = run.start("loop", text)
  run.add(loop, { type: "iteration.started", index: 0, value: text })
  run.add(loop, { type: "iteration.finished", index: 0, status: "passed" })
  run.finish(loop)
  run.skip("group", text)
  const failed = run.start("assert", text)
  run.add(failed, {
    type: "assertions.checked",
    assertions: [
      { source: text, operator: "equals", expected: text, actual: text, status: "failed", message: text },
      { source: text, operator: "equals", expected: { [text]: text }, actual: {}, status: "failed" },
    ],
  })
  run.add(failed, {
    type: "contract.checked",
    contract: { status: "failed", problems: [{ path: text, message: text, file: text, line: 1 }] },
  })
  run.finish(failed, {
    status: "failed",
    error: { code: "assertion-failed", message: text, hint: text, file: text, line: 1, column: 1 },
    exchanges: [{ block: text, ...exchange }],
  })
  const problem = { code: "block-unknown", severity: "error", message: text, hint: text, file: text } as const
  const events = run.end({
    status: "error",
    error: { code: "block-unknown", message: text, problems: [problem] },
    differs: {
      block: text,
      first: { block: text, ...exchange },
      second: { block: text, request: exchange.request },
    },
  })
  return [
    ...events,
    { type: "leftovers.found", run: 0, leftovers: [{ api: text, url: text, operation: text }] },
  ]
}
