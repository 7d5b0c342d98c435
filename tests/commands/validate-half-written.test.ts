import { rm } from "node:fs/promises"
import { beforeAll, afterAll, describe, expect, it } from "vitest"
import { callsheet, createFolder, writeFiles } from "../harness/callsheet.ts"

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:9" }],
  paths: { "/ping": { get: { operationId: "ping", responses: { 200: { description: "Done." } } } } },
}

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`

let folder: string
beforeAll(async () => {
  folder = await createFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes a file beside the document, and returns the problems of the file as `line code`. */
async function problemsOf(file: string, text: string, others: Readonly<Record<string, string>> = {}) {
  await rm(folder, { recursive: true, force: true })
  await writeFiles(folder, { "apis/shop/openapi.json": document, ...others, [file]: text })
  const { stdout, stderr, exitCode } = await callsheet(["validate", "--json"], { folder })
  const { problems } = JSON.parse(stdout) as {
    problems: readonly { file: string; line: number; code: string }[]
  }
  const own = problems.filter((problem) => problem.file === file)
  return { found: own.map(({ line, code }) => `${line} ${code}`), output: stdout + stderr, exitCode }
}

const workflow = "apis/workflow/checkout.json"

/** A workflow with mistakes in lines 2, 7, 14 and 21. */
const mistaken = [
  "{",
  '  "onFailure": "never",',
  '  "version": 1,',
  '  "blocks": [',
  "    {",
  '      "id": "first",',
  '      "type": "requst",',
  '      "request": { "api": "shop", "operation": "ping" }',
  "    },",
  "    {",
  '      "id": "second",',
  '      "type": "request",',
  '      "description": "In the middle.",',
  '      "request": { "api": "shop", "operation": "pnig" }',
  "    },",
  "    {",
  '      "id": "third",',
  '      "type": "assert",',
  '      "assertions": [',
  '        { "source": "second.response.status", "operator": "equals", "value": 200 },',
  '        { "source": "second.response.status", "operator": "equal", "value": 200 }',
  "      ]",
  "    }",
  "  ]",
  "}",
]
const mistakes = ["2 field-value", "7 field-value", "14 operation-unknown", "21 field-value"]

const withLine = (line: number, text: string): string => lines(...mistaken.with(line - 1, text))

describe("validate reports the syntax error and everything outside the broken value", () => {
  it("of a workflow without syntax errors", async () => {
    expect((await problemsOf(workflow, lines(...mistaken))).found).toEqual(mistakes)
  })

  it.each([
    ["in the first member", 3, '  "version": ,', "3 json-syntax"],
    ["that lacks its end quote", 3, '  "$schema": "x,', "3 json-syntax"],
    ["in the first block", 6, '      "id": "first', "6 json-syntax"],
    ["in the middle, in a string", 13, '      "description": "In the mid', "13 json-syntax"],
    ["in the last block", 17, '      "id": ', "18 json-syntax"],
    ["at the end", 25, "", "26 json-syntax"],
  ])("of a workflow with a half-written line %s", async (_, line, text, error) => {
    const { found, exitCode } = await problemsOf(workflow, withLine(line, text))
    expect(found).toContain(error)
    expect(exitCode).toBe(1)
    // The block's own mistakes are found where its JSON is sound; what it sends is checked when it can be read.
    const others = mistakes.filter((mistake) => line !== 13 || mistake !== "14 operation-unknown")
    expect(found.filter((problem) => problem !== error)).toEqual(others)
  })

  it("of a workflow with half a key, a missing comma and a missing brace", async () => {
    expect((await problemsOf(workflow, withLine(13, '      "desc'))).found).toEqual([
      "2 field-value",
      "7 field-value",
      "13 json-syntax",
      "21 field-value",
    ])
    expect((await problemsOf(workflow, withLine(12, '      "type": "request"'))).found).toEqual([
      "2 field-value",
      "7 field-value",
      "13 json-syntax",
      "14 operation-unknown",
      "21 field-value",
    ])
    expect((await problemsOf(workflow, withLine(15, ""))).found).toEqual([
      "2 field-value",
      "7 field-value",
      "16 json-syntax",
      "21 field-value",
    ])
  })

  it.each([
    [
      "a saved request",
      "apis/shop/requests/pings/new.json",
      lines("{", '  "version": 1,', '  "operation": "pi', '  "bodyType": "yaml",', '  "x": 1', "}"),
      ["3 json-syntax", "4 field-value", "5 field-unknown"],
    ],
    [
      "schema.json",
      "apis/shop/environments/schema.json",
      lines(
        "{",
        '  "version": 2,',
        '  "variables": {',
        '    "a": { "type": "strin", "required": true },',
        '    "b": { "type": "string", "req },',
        '    "c": { "type": "number" }',
        "  }",
        "}",
      ),
      ["2 version-invalid", "4 field-value", "5 json-syntax", "6 field-missing"],
    ],
    [
      "callsheet.json",
      "callsheet.json",
      lines("{", '  "version": 1,', '  "suits": {},', '  "defaults": { "env": ', "}"),
      ["3 field-unknown", "5 json-syntax"],
    ],
    [
      "the baseline",
      "callsheet.baseline.json",
      lines(
        "{",
        '  "version": 1,',
        '  "violations": [',
        "    {",
        '      "operation": "pi',
        "    },",
        "    7",
        "  ]",
        "}",
      ),
      ["5 json-syntax", "7 field-type"],
    ],
  ])("of %s", async (_, file, text, expected) => {
    expect((await problemsOf(file, text)).found).toEqual(expected)
  })

  it("of a value file, without any part of a half-written value", async () => {
    const schema = JSON.stringify({
      version: 1,
      variables: {
        token: { type: "string", required: true, secret: true },
        size: { type: "number", required: true },
      },
    })
    const others = { "apis/shop/environments/schema.json": schema }
    for (const value of ['"s3cr3t-1', '"s3cr3t"s3cr3t-2": 1', 's3cr3t-3": "x"', "s3cr3t-4: 5"]) {
      const text = lines("{", '  "other": 1,', `  "token": ${value},`, '  "size": "large"', "}")
      const { found, output } = await problemsOf("apis/shop/environments/local.json", text, others)
      expect(found).toEqual(["2 variable-undeclared", "3 json-syntax", "4 variable-type"])
      expect(output).not.toContain("s3cr3t")
    }
  })

  it("but only the markers of a file with merge conflicts", async () => {
    const text = withLine(13, '<<<<<<< ours\n      "description": "x",\n=======\n>>>>>>> theirs')
    expect((await problemsOf(workflow, text)).found).toEqual(["13 file-conflict"])
  })
})

describe("run with a half-written file", () => {
  it("refuses, and sends nothing, although the rest of the file is sound", async () => {
    const sound = ["{", '  "version": 1,', '  "blocks": [', "    {", '      "id": "ping",']
    const request = ['      "type": "request",', '      "request": { "api": "shop", "operation": "ping" }']
    const text = lines(...sound, '      "description": "x', ...request, "    }", "  ]", "}")
    await problemsOf(workflow, text)
    const { exitCode, stdout, stderr } = await callsheet(["run", "checkout"], { folder })
    expect(exitCode).toBe(2)
    expect(stdout + stderr).toContain("checkout.json:6:22: a string must end on the line where it starts")
    expect(stdout + stderr).not.toContain("1 failed")
  })
})
