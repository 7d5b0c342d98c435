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

  it("reports undeclared keys and suggests the likely name", () => {
    const { problems } = check({ "schema.json": schema, "a.json": '{\n  "baseUrl": "x",\n  "timeuot": 1\n}' })
    expect(problems).toEqual([
      {
        code: "variable-undeclared",
        severity: "error",
        message: '"timeuot" is not declared in schema.json',
        file: `${folder}/a.json`,
        line: 3,
        column: 3,
        hint: 'did you mean "timeout"?',
      },
    ])
    expect(
      problemsOf({ "schema.json": schema, "a.json": { $schema: "x", extend: "b", constructor: 1 } }),
    ).toHaveLength(3)
  })

  it("reports 200,000 undeclared keys", () => {
    const keys = Array.from({ length: 200_000 }, (_, index) => [`timeuot${index}`, 1])
    expect(check({ "schema.json": schema, "a.json": Object.fromEntries(keys) }).problems).toHaveLength(
      200_000,
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

  it.each([
    ["extends", "variable-reserved"],
    ["level", "variable-reserved"],
    ["tls", "variable-reserved"],
    ["my key", "variable-name"],
    ["1st", "variable-name"],
    ["", "variable-name"],
  ])("rejects a variable named %j (%s)", (name, code) => {
    const variables = { [name]: { type: "string", required: false } }
    expect(check({ "schema.json": { version: 1, variables } }).problems).toMatchObject([{ code, line: 1 }])
  })

  it.each([
    [{ variables: {} }],
    [{ version: "1", variables: {} }],
    [{ version: 2, variables: {} }],
    [{ version: null, variables: {} }],
  ])("rejects version %j", (text) => {
    expect(check({ "schema.json": text }).problems).toMatchObject([{ code: "version-invalid" }])
  })

  it("accepts a variable named like a property of Object, without prototype pollution", () => {
    const files = check({
      "schema.json": '{"version": 1, "variables": {"__proto__": {"type": "string", "required": true}}}',
      "a.json": '{"__proto__": "x"}',
    })
    expect(files.problems).toEqual([])
    expect(files.environments.get("a")?.values.get("__proto__")).toBe("x")
    expect(({} as Record<string, unknown>)["type"]).toBeUndefined()
  })

  it("reports a value of the wrong type without quoting the value", () => {
    const { problems } = check({
      "schema.json": schema,
      "a.json": { timeout: "77777", sandbox: "true", baseUrl: 77777, pin: "S3CRET", apiKey: ["S3CRET"] },
      "a.secrets.env": "pin=S3CRET\nsandbox=True\ntimeout=0x10",
    })
    expect(problems.filter(({ code }) => code === "variable-type")).toHaveLength(8)
    expect(problems.find(({ message }) => message.startsWith('"timeout"'))?.hint).toBe(
      "write it without quotes",
    )
    expect(problems.find(({ message }) => message.startsWith('"baseUrl"'))?.hint).toBe("write it in quotes")
    expect(JSON.stringify(problems)).not.toMatch(/S3CRET|77777|0x10/)
  })

  it("allows null for any variable", () => {
    const nothing = { baseUrl: null, timeout: null, sandbox: null, apiKey: null }
    expect(problemsOf({ "schema.json": schema, "a.json": nothing })).toEqual([])
  })

  it("warns about a secret in a value file without showing it", () => {
    const { problems } = check({
      "schema.json": schema,
      "a.json": { apiKey: "S3CRET" },
      "b.json": { apiKey: "" },
    })
    expect(problems).toMatchObject([
      { code: "secret-committed", severity: "warning", file: `${folder}/a.json` },
    ])
    expect(problems[0]!.message).toContain('"apiKey"')
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
  })

  it("warns about a secret with a default without showing it", () => {
    const variables = { apiKey: { type: "string", required: true, secret: true, default: "S3CRET" } }
    const { problems, variables: declared } = check({ "schema.json": { version: 1, variables } })
    expect(problems).toMatchObject([{ code: "secret-default", severity: "warning" }])
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
    expect(declared.has("apiKey")).toBe(true)
  })

  it.each([
    [{ level: "prod" }, 'did you mean "production"?'],
    [{ level: "Production" }, 'did you mean "production"?'],
    [{ level: "production " }, 'did you mean "production"?'],
    [{ level: "stage" }, 'did you mean "staging"?'],
    [{ level: "test" }, undefined],
    [{ level: null }, undefined],
    [{ level: 1 }, undefined],
  ])("rejects %j", (values, hint) => {
    const files = check({ "prod.json": values })
    expect(files.problems).toHaveLength(1)
    expect(files.problems[0]?.hint).toBe(hint)
    expect(files.environments.get("prod")?.level).toBeUndefined()
  })

  it.each([["false"], [0], [null], [{}]])("never reads tls.verify %j as off", (verify) => {
    expect(check({ "a.json": { tls: { verify } } }).problems).toMatchObject([
      { code: "field-type", severity: "error" },
    ])
  })

  it("rejects a tls that is not an object, and warns about options that are ignored", () => {
    expect(check({ "a.json": { tls: false } }).problems).toMatchObject([{ code: "field-type" }])
    expect(check({ "a.json": { tls: { verfiy: false } } }).problems).toMatchObject([
      { code: "field-unknown", severity: "warning", hint: 'did you mean "verify"?' },
    ])
  })

  it.each(["[]", '"x"', "null", "5"])("rejects a value file that is %s", (text) => {
    expect(check({ "a.json": text }).problems).toMatchObject([{ code: "field-type", line: 1, column: 1 }])
  })

  it.each([
    ["stagin", 'did you mean "staging"?'],
    ["staging.json", 'did you mean "staging"?'],
    ["Staging", 'did you mean "staging"?'],
    ["schema", undefined],
    ["elsewhere", undefined],
  ])("reports that the parent %j is missing", (parent, hint) => {
    const { problems } = check({ "a.json": `{\n "extends": "${parent}"\n}`, "staging.json": {} })
    expect(problems).toMatchObject([{ code: "extends-missing", line: 2, column: 13 }])
    expect(problems[0]?.hint).toBe(hint)
  })

  it.each(["../../x", "/etc/passwd", "..\\x", "\\\\host\\share", "", "con", "a b", "x\u0000"])(
    "rejects %j as the name of a parent",
    (parent) => {
      expect(check({ "a.json": { extends: parent } }).problems).toMatchObject([{ code: "env-name" }])
    },
  )

  it.each([5, null, ["b"]])("rejects the parent %j", (parent) => {
    expect(check({ "a.json": { extends: parent } }).problems).toMatchObject([{ code: "field-type" }])
  })

  it("reports a cycle once, in order, even if it is entered from outside", () => {
    expect(problemsOf({ "x.json": { extends: "x" } })).toEqual([
      'x.json:1:12: the environment "x" extends itself (extends-cycle)',
    ])
    const files = {
      "a.json": { extends: "d" },
      "b.json": { extends: "c" },
      "c.json": { extends: "d" },
      "d.json": { extends: "b" },
      "e.json": { extends: "a" },
      "y.json": { extends: "z" },
      "z.json": { extends: "y" },
    }
    expect(problemsOf(files)).toEqual([
      "b.json:1:12: environments extend each other in a cycle: b → c → d → b (extends-cycle)",
      "y.json:1:12: environments extend each other in a cycle: y → z → y (extends-cycle)",
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

  it("names only the parent's file if the parent is broken", () => {
    expect(
      problemsOf({
        "base.json": '{"extends": }',
        "a.json": { extends: "base" },
        "b-prod.json": { extends: "base" },
      }),
    ).toEqual(['base.json:1:13: expected a JSON value, received "}" (json-syntax)'])
  })

  it("warns about an environment with a production-like name and no level, own or inherited", () => {
    const files = {
      "base.json": { level: "production" },
      "prod-eu.json": { extends: "base" },
      "production.json": {},
      "preprod.json": { level: "staging" },
    }
    expect(check(files).problems).toMatchObject([
      { code: "level-unset", severity: "warning", file: `${folder}/production.json` },
    ])
  })

  it("rejects names that some file system or platform doesn't allow, on every platform", () => {
    const names = ["my env", "Schema", "con", "NUL.x", "LPT1", "-x", "x\ny", "ü"]
    const files = check(Object.fromEntries(names.map((name) => [`${name}.json`, {}])))
    expect(files.problems.map(({ code }) => code)).toEqual(names.map(() => "env-name"))
    expect(files.environments.size).toBe(0)
  })

  it("rejects names that differ only in case", () => {
    expect(check({ "Staging.json": {}, "staging.json": {} }).problems).toMatchObject([{ code: "env-name" }])
  })

  it("warns about a secrets file without an environment and ignores its content", () => {
    expect(check({ "stagin.secrets.env": "<<<<<<< x", "staging.json": {} }).problems).toMatchObject([
      { code: "env-missing", severity: "warning", hint: 'did you mean "staging"?' },
    ])
  })

  it("reports broken lines of a secrets file and quotes no name from it", () => {
    const text = 'apiKey="-----BEGIN\nS3CRETAA==\nS3CRETBB/c\n'
    const { problems } = check({ "schema.json": schema, "a.json": {}, "a.secrets.env": text })
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["dotenv-syntax", 1],
      ["variable-undeclared", 2],
      ["dotenv-syntax", 3],
    ])
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
  })

  it("says where a reserved key of a secrets file belongs", () => {
    const { problems } = check({ "schema.json": schema, "a.json": {}, "a.secrets.env": "level=production" })
    expect(problems).toMatchObject([
      { code: "variable-undeclared", hint: expect.stringContaining("value file") as string },
    ])
  })

  it("reports merge conflicts in both kinds of files and reads neither side", () => {
    const conflict = "<<<<<<< a\napiKey=1\n=======\napiKey=2\n>>>>>>> b\n"
    const files = check({ "schema.json": schema, "a.json": `{\n${conflict}}`, "a.secrets.env": conflict })
    expect(files.problems.map(({ code, line }) => [code, line])).toEqual([
      ["file-conflict", 2],
      ["file-conflict", 1],
    ])
    expect(files.environments.get("a")?.secrets.size).toBe(0)
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
