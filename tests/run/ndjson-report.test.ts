// `--reporter ndjson`: each event is a line, printed when it happens.

import { expect, it } from "vitest"
import type { RunEvent } from "@callsheet/format"
import { callsheet, readText } from "../harness/callsheet.ts"
import { hostile, openNightly } from "./nightly-suite.ts"
import { echo, request, shopFiles } from "./shop-project.ts"

type Line = RunEvent | { readonly type: "session.finished"; readonly end: object }

const read = (text: string): Line[] =>
  text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

it("prints the events of every run, and how the session ended", async () => {
  const { run } = await openNightly()
  const { exitCode, stdout } = await run("--reporter=ndjson")
  const lines = read(stdout)
  expect(exitCode).toBe(1)
  const runs = lines.flatMap((line) => (line.type === "run.finished" ? [[line.run, line.status]] : []))
  expect(runs).toEqual([
    [0, "passed"],
    [1, "failed"],
    [2, "passed"],
    [3, "passed"],
    [4, "failed"],
    [5, "skipped"],
    [6, "passed"],
  ])
  expect(lines).toContainEqual(
    expect.objectContaining({ type: "request.sent", run: 0, startMs: expect.any(Number) }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ type: "warning.raised", run: 4 }))
  expect(lines.at(-2)).toMatchObject({ type: "leftovers.found", leftovers: [{ operation: "POST /orders" }] })
  expect(lines.at(-1)).toEqual({
    type: "session.finished",
    end: { status: "failed", exitCode: 1, durationMs: expect.any(Number) },
  })
  expect(lines.map(({ type }) => typeof type)).not.toContain("undefined")
})

it("prints a response while the run waits for the next one", async () => {
  const silent = { "GET /items/first": { body: {} }, "GET /items/second": () => undefined }
  const get = (id: string) => request(id, { operation: "getItem", overrides: { params: { path: { id } } } })
  const { folder } = await openNightly(silent, (url) => shopFiles(url, ["first", "second"].map(get)))
  const { exitCode, stdout } = await callsheet(["run", "w", "--env=local", "--reporter=ndjson"], {
    folder,
    signal: { name: "SIGINT", after: '"type":"response.received"' },
  })
  expect(exitCode).toBe(130)
  expect(read(stdout).slice(-2)).toMatchObject([
    { type: "run.finished", status: "failed" },
    { end: { status: "failed", exitCode: 130 } },
  ])
})

it("writes the same lines to a file, except those with a secret that the run learned later", async () => {
  const capture = [echo("get"), { id: "keep", type: "script", script: { name: "keep", exportName: "keep" } }]
  const { call, folder } = await openNightly({ "GET /echo": { body: { text: "learned-late" } } }, (url) => ({
    ...shopFiles(url, capture),
    "apis/workflow/scripts/w/keep.ts":
      'export const keep = (ctx) => ctx.secret(ctx.get("get.response.body.text"))\n',
  }))
  const { stdout, stderr } = await call("run", "w", "--env=local", "--reporter=ndjson=out/events.ndjson")
  expect(stderr).toBe("")
  expect(stdout).toContain("✓ w passed")
  const text = (await readText(folder, "out/events.ndjson")) ?? ""
  expect(text).toContain('"text":"***"')
  expect(text).not.toContain("learned-late")
  expect(read(text).at(-1)).toMatchObject({ end: { status: "passed", exitCode: 0 } })
})

it("contains no command and no control character, whatever a server sends", async () => {
  const { run } = await openNightly()
  const { stdout } = await run("--reporter=ndjson")
  expect(stdout).toContain("onerror=alert(1)")
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##[a-z]*\[/m)
  expect(read(stdout)).toContainEqual(
    expect.objectContaining({ response: expect.objectContaining({ body: { text: hostile } }) }),
  )
})
