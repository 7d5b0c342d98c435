// Names of other tools in placeholders: a run and `validate` say what to write instead.

import { rm } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"

const filesOf = (token: string) => ({
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
  "apis/workflow/w.json": {
    version: 1,
    blocks: [
      {
        id: "a",
        type: "request",
        request: { api: "shop", operation: "GET /orders", overrides: { params: { query: { q: token } } } },
      },
    ],
  },
})

async function messagesOf(token: string): Promise<{ run: string; validate: string }> {
  const folder = await createFolder({
    ...filesOf(token),
    "apis/shop/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: { "/orders": { get: { responses: { 200: { description: "Orders." } } } } },
    },
  })
  try {
    const { exitCode, stdout } = await callsheet(["run", "w", "--json"], { folder })
    expect(exitCode).toBe(1)
    const report = JSON.parse(stdout) as {
      runs: { blocks: { error?: { code: string; message: string } }[] }[]
    }
    const validated = await callsheet(["validate", "w", "--json"], { folder })
    const { problems } = JSON.parse(validated.stdout) as { problems: { code: string; hint?: string }[] }
    return {
      run: report.runs[0]?.blocks[0]?.error?.message ?? "",
      validate: problems.find(({ code }) => code === "token-unresolved")?.hint ?? "",
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe("a placeholder", () => {
  it.each([
    ["{{$guid}}", 'did you mean "$uuid"?'],
    ["{{$timestamps}}", 'did you mean "$timestamp"?'],
    ["{{$randomEmail}}", "use one of $index, $uuid, $timestamp, $isoTimestamp, $randomInt"],
    ["{{process.env.KEY}}", "a process variable is read only as CALLSHEET_VAR__<API>__<NAME>"],
    ["{{secrets.KEY}}", "a variable is env.<api>.<name>"],
    ["{{vars.key}}", "a variable is env.<api>.<name>"],
    ["{{captures.id}}", "a result is <id>.response.body.<name>"],
    ["{{inputs.sku}}", "an input is only its name: {{<name>}}"],
  ])("%s is explained by a run and by validate", async (token, advice) => {
    const { run, validate } = await messagesOf(token)
    expect(run).toContain(`; ${advice}`)
    expect(validate).toContain(advice)
  })
})
