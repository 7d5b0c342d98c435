// The reporter for GitHub Actions: annotations at their lines, and the summary of the step.

import { rm } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type Files } from "../harness/callsheet.ts"
import { assert, document, request, shopFiles } from "./shop-project.ts"

const hostile =
  "::error::gone%0A\n::warning file=a::b\n##[error]c | <script>alert(1)</script> `x` s3cr3t-t0k3n"

let api: ApiServer
let folder: string

beforeEach(async () => {
  api = await startApi({
    "/items/hostile": { body: { text: hostile } },
    "/items/none": { status: 404, body: {} },
    "/items/flaky": () => ({ status: api.requests.length === 1 ? 500 : 200, body: {} }),
    "/orders": { status: 200, body: { id: 7 } },
    "*": { body: { text: "fine" } },
  })
  folder = await createFolder()
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const item = (id: string, name: string) =>
  request(id, { operation: "getItem", overrides: { params: { path: { id: name } } } })

const strict = {
  ...document,
  paths: {
    ...document.paths,
    "/orders": {
      get: {
        operationId: "list",
        tags: ["orders"],
        responses: {
          200: {
            description: "One order.",
            content: {
              "application/json": { schema: { type: "object", properties: { id: { type: "string" } } } },
            },
          },
        },
      },
    },
  },
}

async function run(blocks: readonly unknown[], words: readonly string[] = [], more: Files = {}) {
  const project = Object.fromEntries(
    Object.entries({ ...shopFiles(api.url, blocks, { onFailure: "continue" }), ...more }).map(
      ([path, file]) => [`repository/tests/${path}`, file],
    ),
  )
  const result = await callsheet(["run", "w", "--reporter", "github", ...words], {
    folder,
    cwd: "repository/tests",
    files: { ...project, "repository/.git/HEAD": "", "summary.md": "# Before\n" },
    env: { GITHUB_WORKSPACE: `${folder}/repository`, GITHUB_STEP_SUMMARY: `${folder}/summary.md` },
  })
  const annotations = result.stdout.split("\n").filter((line) => line.startsWith("::"))
  return { ...result, annotations, summary: await readText(folder, "summary.md") }
}

describe("--reporter github", () => {
  it("annotates each failed assertion at its line, after the lines of pretty", async () => {
    const { exitCode, stdout, annotations } = await run([
      item("get", "1"),
      assert("check", ["get.response.status", "equals", 404], ["get.response.body.text", "equals", "bad"]),
    ])
    expect(exitCode).toBe(1)
    expect(annotations).toHaveLength(2)
    expect(annotations[0]).toMatch(
      /^::error file=tests\/apis\/workflow\/w\.json,line=\d+,col=\d+,title=w%3A check::.*404/,
    )
    expect(stdout.indexOf("✗ w failed")).toBeLessThan(stdout.indexOf("::error"))
    expect(stdout.indexOf("✗ w failed")).toBeGreaterThan(0)
  })

  it("annotates a broken contract at the block and at the schema in the document", async () => {
    const { annotations } = await run([request("list", { operation: "list", resource: "orders" })], [], {
      "apis/shop/openapi.json": strict,
      "apis/workflow/w.json": {
        version: 1,
        validateContracts: true,
        blocks: [request("list", { operation: "list", resource: "orders" })],
      },
    })
    expect(annotations.map((line) => /file=([^,]+)/.exec(line)?.[1])).toEqual([
      "tests/apis/workflow/w.json",
      "tests/apis/shop/openapi.json",
    ])
    expect(annotations[1]).toMatch(/::\/body\/id: /)
  })

  it("writes a summary with runs, failures and coverage after what the step wrote before", async () => {
    const { summary } = await run([item("get", "1"), assert("check", ["get.response.status", "equals", 404])])
    expect(summary).toMatch(/^# Before\n## callsheet\n/)
    expect(summary).toMatch(/^\| w \| ❌ failed \| 1 \| 1 \| 0 \| .* \|$/m)
    expect(summary).toMatch(/^- \*\*w&#58; check\*\*: .*404.* \(tests\/apis\/workflow\/w.json&#58;\d+\)$/m)
    expect(summary).toMatch(/^\| shop \| 1\/7 \(14.2 %\) \| /m)
  })

  it("lets no text of a response become a command, markup or a secret", async () => {
    const { annotations, stdout, summary } = await run([
      item("get", "hostile"),
      assert("check", ["get.response.body.text", "equals", "fine"]),
    ])
    expect(annotations).toHaveLength(1)
    expect(stdout.split("\n").filter((line) => /^\s*::(?!error file=tests)/.test(line))).toEqual([])
    expect(`${stdout}${summary}`).not.toMatch(/##\[|s3cr3t-t0k3n/)
    expect(summary).not.toContain("<script>")
    expect(summary?.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(1)
  })

  it("shows a failed attempt that is repeated as a warning", async () => {
    const { exitCode, annotations, summary } = await run(
      [item("get", "flaky"), assert("check", ["get.response.status", "equals", 200])],
      ["--retries", "1"],
    )
    expect(exitCode).toBe(0)
    expect(annotations.map((line) => line.slice(0, 9))).toEqual(["::warning", "::warning"])
    expect(annotations[1]).toMatch(/title=flaky::w .*passed after a retry$/)
    expect(summary).toMatch(/\| ✅ flaky \|/)
  })

  it("shows a warning of several runs once", async () => {
    const { annotations } = await run([item("get", "none")], ["--repeat", "2"])
    expect(annotations.filter((line) => line.includes("status-unread"))).toHaveLength(1)
  })

  it("writes to a file, and needs neither a workspace nor a summary", async () => {
    const files = shopFiles(api.url, [
      item("get", "1"),
      assert("check", ["get.response.status", "equals", 404]),
    ])
    const { stdout } = await callsheet(["run", "w", "--reporter", "github=notes.txt"], { folder, files })
    expect(stdout).not.toContain("::error")
    expect(await readText(folder, "notes.txt")).toMatch(/^::error file=apis\/workflow\/w.json,line=/)
  })
})
