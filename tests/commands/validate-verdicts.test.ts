// Checks that `validate` finds requests that can't be sent and scripts that can't be called.

import { describe, expect, it } from "vitest"
import { callsheet, type Files } from "../harness/callsheet.ts"

const upload = {
  operationId: "upload",
  requestBody: { content: { "multipart/form-data": { schema: { type: "object" } } } },
  responses: { 200: { description: "Done." } },
}

const project = (files: Files): Files => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/uploads": { post: upload } },
  },
  "apis/shop/environments/local.json": {},
  ...files,
})

const workflow = (...blocks: object[]) => ({ version: 1, blocks })

const send = (overrides: object, target: object = { operation: "upload" }) => ({
  id: "send",
  type: "request",
  request: { api: "shop", ...target, overrides },
})

/** Returns the findings as `severity file:line code: message`. */
async function findings(files: Files): Promise<readonly string[]> {
  const { stdout } = await callsheet(["validate", "--json"], { files: project(files) })
  const { problems } = JSON.parse(stdout) as { problems: Record<string, unknown>[] }
  return problems.map(
    ({ severity, file, line, code, message }) =>
      `${String(severity)} ${String(file)}:${String(line)} ${String(code)}: ${String(message)}`,
  )
}

describe("callsheet validate", () => {
  it("finds headers that HTTP can't carry, in workflows and saved requests", async () => {
    const header = { "x key": "1", "X-Lines": "a\r\n{{$uuid}}", "X-Fine": "{{$uuid}}", "X-List": "[\n1]" }
    const files = {
      "apis/workflow/w.json": workflow(send({ params: { header } })),
      "apis/shop/requests/uploads/one.json": {
        version: 1,
        operation: "upload",
        params: { header: { "X-Emoji": "🙂", "": "1" } },
      },
    }
    expect(await findings(files)).toEqual([
      'error apis/shop/requests/uploads/one.json:6 field-value: the header "X-Emoji" contains a character outside Latin-1, which HTTP does not allow',
      'error apis/shop/requests/uploads/one.json:7 field-value: the header name "" is not a valid HTTP token',
      'error apis/workflow/w.json:13 field-value: the header name "x key" is not a valid HTTP token',
      'error apis/workflow/w.json:14 field-value: the header "X-Lines" contains a line break, which HTTP does not allow',
    ])
    const { report } = await callsheet(["run", "w", "--json"], { files: project(files) })
    expect(report?.runs[0]?.blocks[0]?.error?.message).toBe(
      'the request was not sent: the header name "x key" is not a valid HTTP token',
    )
  })

  it("finds a default of null", async () => {
    const variables = {
      key: { type: "string", required: false, default: null },
      token: { type: "string", required: false, secret: true, default: null },
    }
    expect(await findings({ "apis/shop/environments/schema.json": { version: 1, variables } })).toEqual([
      'warning apis/shop/environments/schema.json:7 variable-type: the default of "key" is null, which is the same as no default',
      'warning apis/shop/environments/schema.json:13 variable-type: the default of "token" is null, which is the same as no default',
    ])
  })

  it("finds a missing file that an override sends", async () => {
    const bodies = {
      "photos[0]": { file: "gone.png" },
      "cover.file": "there.png",
      "back.file": "{{$uuid}}.png",
      note: { text: "gone.png" },
    }
    expect(
      await findings({
        "there.png": "",
        "apis/workflow/w.json": workflow(send({ body: bodies })),
        "apis/workflow/saved.json": workflow(
          send({ body: { "photo.file": "../out.png" } }, { instance: "photo" }),
        ),
        "apis/shop/requests/uploads/photo.json": {
          version: 1,
          operation: "upload",
          bodyType: "multipart",
          body: { photo: { file: "there.png" }, other: { file: "gone-too.png" } },
        },
      }),
    ).toEqual([
      'warning apis/shop/requests/uploads/photo.json:10 file-unreadable: "gone-too.png": can\'t read the file: it does not exist',
      'error apis/workflow/saved.json:12 link-outside: "../out.png": the path leads outside the project',
      'warning apis/workflow/w.json:13 file-unreadable: "gone.png": can\'t read the file: it does not exist',
    ])
  })

  it("finds exports that are not functions", async () => {
    const call = (exportName: string) => ({
      id: exportName,
      type: "script",
      script: { name: "all", exportName },
    })
    const names = ["limit", "list", "Money", "text", "default", "maybe", "made", "fine"]
    const script = [
      "export const limit = 5 as const",
      "export const list = ['a'], maybe = Math.random",
      "export class Money {}",
      "const label = `a`",
      "export { label as text }",
      "export default { a: 1 }",
      "export let made: unknown = 1",
      "export const fine = () => true",
    ]
    const found = await findings({
      "apis/workflow/w.json": workflow(...names.map(call)),
      "apis/workflow/scripts/w/all.ts": script.join("\n"),
    })
    expect(found.map((line) => line.replace(/^.*scripts\/w\//, ""))).toEqual([
      'all.ts exports "limit" as a number; expected a function',
      'all.ts exports "list" as an array; expected a function',
      'all.ts exports "Money" as a class; expected a function',
      'all.ts exports "text" as a string; expected a function',
      'all.ts exports "default" as an object; expected a function',
    ])
  })

  it("finds missing and broken files that a script imports", async () => {
    const script = [
      'import { a } from "./lib/there"',
      'import { b } from "./lib/there.js"',
      'import type { Gone } from "./gone-type"',
      'import { OnlyType } from "./gone-too"',
      'import { c } from "./gone"',
      'export * from "../shared"',
      "export const go = async (value: OnlyType) => [a, b, c, await import('./late').catch(() => 1), value as Gone]",
    ]
    const files = {
      "apis/workflow/w.json": workflow({
        id: "go",
        type: "script",
        script: { name: "go", exportName: "go" },
      }),
      "apis/workflow/scripts/w/go.ts": script.join("\n"),
      "apis/workflow/scripts/w/lib/there.ts":
        'import "../go.ts"\nimport "./nowhere.json"\nexport const a = 1\nexport const b = 2\n',
      "apis/workflow/scripts/shared/index.ts": "export const = 1\n",
    }
    expect(await findings(files)).toEqual([
      'error apis/workflow/scripts/shared/index.ts:1 script-syntax: Unexpected token "="',
      'error apis/workflow/scripts/w/go.ts:5 script-missing: the imported file "./gone" does not exist',
      'error apis/workflow/scripts/w/lib/there.ts:2 script-missing: the imported file "./nowhere.json" does not exist',
    ])
  })
})

describe("callsheet run", () => {
  it("follows the aliases of the nearest tsconfig.json, with what it extends", async () => {
    const script = `import { sum } from "@/money"\nimport { two } from "two"\nimport { ok } from "node:assert"
export const go = () => ok(sum(1, two) === 3)\n`
    const files = {
      "tsconfig.json": '{ "extends": "./base.json", /* own */ "compilerOptions": { "strict": true } }',
      "base.json": { compilerOptions: { paths: { "@/*": ["./lib/*"], two: ["./lib/two.ts"] } } },
      "lib/money.ts": "export const sum = (a: number, b: number) => a + b\n",
      "lib/two.ts": "export const two = 2\n",
      "apis/workflow/w.json": workflow({
        id: "go",
        type: "script",
        script: { name: "go", exportName: "go" },
      }),
      "apis/workflow/scripts/w/go.ts": script,
    }
    expect(await findings(files)).toEqual([])
    const { report, exitCode } = await callsheet(["run", "w", "--json"], { files: project(files) })
    expect(report?.runs[0]?.blocks[0]?.error).toBeUndefined()
    expect(exitCode).toBe(0)
  })
})
