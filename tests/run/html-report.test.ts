// Checks `--reporter html` as a user runs it: a suite with every role, against a hostile server.

import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { assert, document, echo, request, shopFiles } from "./shop-project.ts"

const attack = `</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000::error::x\n::error::y`

let api: ApiServer
let folder: string
let html: string
beforeAll(async () => {
  api = await startApi({
    "GET /echo": {
      status: 200,
      headers: { "x-attack": "</pre><script>alert(2)</script>" },
      body: { attack },
    },
    "GET /orders": { body: [] },
  })
  folder = await createFolder({
    ...shopFiles(api.url, [
      echo("look", { attack }),
      assert(
        "check",
        ["look.response.body", "equals", { attack: "none" }],
        ["look.response.status", "equals", 200],
      ),
    ]),
    "apis/shop/openapi.json": document,
    "apis/workflow/sign-in.json": {
      version: 1,
      blocks: [request("orders", { resource: "orders", operation: "list" })],
    },
    "callsheet.json": {
      version: 1,
      suites: {
        nightly: {
          before: ["sign-in"],
          workflows: ["w", { workflow: "sign-in", as: "again" }],
          finally: [{ workflow: "sign-in", as: "clean-up" }],
        },
      },
    },
  })
  const words = ["run", "--suite", "nightly", "--env", "local", "--retries", "1", "--leftovers", "report"]
  const { exitCode, stdout, stderr } = await callsheet([...words, "--reporter", "html=out/report.html"], {
    folder,
  })
  expect(exitCode, stdout + stderr).toBe(1)
  html = await readFile(join(folder, "out/report.html"), "utf8")
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

it("writes one page with the failures, the runs with their roles, the requests and the coverage", () => {
  const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
  expect(html).toMatch(/^<!doctype html>.*<\/html>\n$/s)
  for (const part of [
    "nightly failed Runs ✓ 3 passed ✗ 1 failed",
    `shop local ${api.url}`,
    "✗ w (attempt 2) › check apis/workflow/w.json:",
    "Path Expected Received attack &quot;none&quot;",
    "✓ sign-in (before) 1 passed",
    "✗ w retried 1 passed, 1 failed",
    "✓ clean-up (cleanup) 1 passed",
    "✓ The run deleted everything that it created.",
    "orders GET /orders 200",
    "Operations 2/7 (28.5 %)",
  ])
    expect(text).toContain(part)
})

it("contains nothing that runs, loads or commands, whatever the server sends", () => {
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).not.toMatch(/<img| style="| src="|\u202e|\u0000|^\s*::/m)
  expect(html).toContain("&lt;script&gt;alert(2)")
  expect(html).toContain("\\u202e\\u0000")
})

it("masks secrets", () => {
  expect(html).not.toContain("s3cr3t-t0k3n")
})

it("writes the same page to standard output", async () => {
  const { stdout, exitCode } = await callsheet(["run", "sign-in", "--env", "local", "--reporter", "html"], {
    folder,
  })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^<!doctype html>.*sign-in.*<\/html>\n$/s)
})
