import { describe, expect, it } from "vitest"
import { formatProblem } from "../problems.ts"
import { checkEnvironmentFiles } from "./check-environment-files.ts"

const folder = "apis/shop/environments"

const check = (files: Record<string, unknown>) =>
  checkEnvironmentFiles({
    api: "shop",
    files: Object.entries(files).map(([name, content]) => ({
      file: `${folder}/${name}`,
      text: typeof content === "string" ? content : JSON.stringify(content),
    })),
  })

/** Formats the problems as a user sees them, without the directory. */
const problemsOf = (files: Record<string, unknown>) =>
  check(files).problems.map((problem) => formatProblem(problem).replaceAll(`${folder}/`, ""))

const schema = {
  version: 1,
  variables: {
    baseUrl: { type: "string", required: true },
    timeout: { type: "number", required: false, default: 5000 },
    sandbox: { type: "boolean", required: false },
    apiKey: { type: "string", required: true, secret: true },
    pin: { type: "number", required: false, secret: true },
  },
}

describe("checkEnvironmentFiles", () => {
  it("reads the schema, value files and secrets files of an API", () => {
    const files = check({
      "schema.json": schema,
      "local.json": { baseUrl: "http://127.0.0.1", timeout: null, level: "local" },
      "staging.json": {
        extends: "local",
        level: "staging",
        tls: { verify: false, ca: "x" },
        timeout: 1,
      },
      "staging.secrets.env": "apiKey=abc\napiKey=def\npin=",
      "README.md": "# hello",
    })
    expect(files.problems).toEqual([])
    expect([...files.variables.keys()]).toEqual(["baseUrl", "timeout", "sandbox", "apiKey", "pin"])
    expect([...files.environments.keys()]).toEqual(["local", "staging"])
    expect(files.environments.get("staging")).toMatchObject({
      extends: "local",
      level: "staging",
      tls: { verify: false },
    })
    expect(files.environments.get("local")?.values).toEqual(
      new Map<string, unknown>([
        ["baseUrl", "http://127.0.0.1"],
        ["timeout", null],
      ]),
    )
    expect(files.environments.get("staging")?.secrets).toEqual(
      new Map([
        ["apiKey", "def"],
        ["pin", ""],
      ]),
    )
    expect(files.schemaFile?.file).toBe(`${folder}/schema.json`)
  })

  it("keeps every digit of a big integer in a value file", () => {
    const files = check({ "schema.json": schema, "a.json": '{"timeout": 12345678901234567890}' })
    expect(files.environments.get("a")?.values.get("timeout")).toBe(12345678901234567890n)
  })

  it("reports 130,000 undeclared keys", () => {
    const keys = Array.from({ length: 130_000 }, (_, index) => [`timeuot${index}`, 1])
    expect(check({ "schema.json": schema, "a.json": Object.fromEntries(keys) }).problems).toHaveLength(
      130_000,
    )
  })

  it("declares nothing without a schema", () => {
    expect(problemsOf({ "a.json": '{"x": 1}', "a.secrets.env": "y=1" })).toEqual([
      'a.json:1:2: "x" is not declared in schema.json (variable-undeclared)',
      "a.secrets.env:1:1: a name in this line is not declared in schema.json (variable-undeclared)",
    ])
  })

  it("reports nothing else when the schema can't be read", () => {
    expect(problemsOf({ "schema.json": "{", "a.json": { x: 1 }, "a.secrets.env": "y=1" })).toEqual([
      "schema.json:1:2: expected a key in double quotes, received the end of the file (json-syntax)",
    ])
    expect(problemsOf({ "schema.json": { version: 1 }, "a.json": { x: 1 } })).toEqual([
      'schema.json:1:1: "variables" is missing (field-missing)',
    ])
  })

  it.each([
    [{ type: "text", required: true }, "field-value"],
    [{ type: "__proto__", required: true }, "field-value"],
    [{ type: "string" }, "field-missing"],
    [{ type: "string", required: "yes" }, "field-type"],
    [{ type: "string", required: true, secret: "yes" }, "field-type"],
    [{ type: "string", required: true, secret: null }, "field-type"],
    [{ type: "string", required: true, secrte: true }, "field-unknown"],
    [{ type: "string", required: true, default: 5 }, "variable-type"],
    [{ type: "number", required: true, default: "5" }, "variable-type"],
    [{ type: "boolean", required: true, default: {} }, "variable-type"],
    ["string", "field-type"],
  ])("rejects the declaration %j (%s)", (declaration, code) => {
    const files = check({
      "schema.json": {
        version: 1,
        variables: { token: declaration, ok: { type: "string", required: false } },
      },
      // A broken declaration is reported once. Its key is not reported as undeclared too.
      "a.json": { token: 1 },
      "a.secrets.env": "token=1",
    })
    expect(files.problems.map((problem) => problem.code)).toEqual([code])
    expect([...files.variables.keys()]).toEqual(["ok"])
  })

  it("allows null for any variable", () => {
    const nothing = { baseUrl: null, timeout: null, sandbox: null, apiKey: null }
    expect(problemsOf({ "schema.json": schema, "a.json": nothing })).toEqual([])
  })

  it("rejects a tls that is not an object, and warns about options that are ignored", () => {
    expect(check({ "a.json": { tls: false } }).problems).toMatchObject([{ code: "field-type" }])
    expect(check({ "a.json": { tls: { verfiy: false } } }).problems).toMatchObject([
      { code: "field-unknown", severity: "warning", hint: 'did you mean "verify"?' },
    ])
  })

  it("reports what is wrong in a chain of 1,000 parents and in 1,000 children of one cycle", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`e${index}.json`, { extends: `e${index + 1}` }]),
    )
    const start = performance.now()
    expect(check(chain).problems).toMatchObject([{ code: "extends-missing", file: `${folder}/e999.json` }])
    expect(check({ ...chain, "e1000.json": { extends: "e500" } }).problems).toMatchObject([
      { code: "extends-cycle" },
    ])
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it("warns about a secrets file without an environment and ignores its content", () => {
    expect(check({ "stagin.secrets.env": "<<<<<<< x", "staging.json": {} }).problems).toMatchObject([
      { code: "env-missing", severity: "warning", hint: 'did you mean "staging"?' },
    ])
  })

  it("says where a reserved key of a secrets file belongs", () => {
    const { problems } = check({ "schema.json": schema, "a.json": {}, "a.secrets.env": "level=production" })
    expect(problems).toMatchObject([
      { code: "variable-undeclared", hint: expect.stringContaining("value file") as string },
    ])
  })

  it("reports files that can't be read, and still knows their environments", () => {
    const unreadable = [
      { code: "file-unreadable", severity: "error", message: "no", file: `${folder}/prod.json` },
      { code: "file-unreadable", severity: "error", message: "no", file: `${folder}/prod.secrets.env` },
    ] as const
    const files = checkEnvironmentFiles({
      api: "shop",
      files: [{ file: `${folder}/a.json`, text: '{"extends": "prod"}' }],
      unreadable,
    })
    expect(files.problems).toEqual(unreadable)
    expect([...files.environments.keys()]).toEqual(["a", "prod"])
  })

  it("reports all problems in the order of files and positions", () => {
    expect(
      problemsOf({
        "b.secrets.env": "oops",
        "b.json": '{"q": 1,\n "p": 1}',
        "a.json": '{"extends": "c"}',
        "schema.json": { version: 1, variables: {}, extra: 1 },
        "A b.json": "{}",
      }).map((line) => line.replace(/: .*/, "")),
    ).toEqual([
      "schema.json:1:29",
      "A b.json",
      "a.json:1:13",
      "b.json:1:2",
      "b.json:2:2",
      "b.secrets.env:1:1",
    ])
  })
})
