// A process variable `CALLSHEET_VAR__…` sets a declared variable for `run` and `validate`. Both name one that doesn't.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"

const declared = (variables: object) => ({ version: 1, variables })
const required = { type: "string", required: true }
const files = {
  "apis/shop-eu/environments/schema.json": declared({
    baseUrl: required,
    apiKey: { ...required, secret: true },
    HTTPPort: { type: "number", required: true },
  }),
  "apis/shop-eu/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
  "apis/pay/environments/schema.json": declared({ token: { type: "string", required: false } }),
  "apis/pay/environments/local.json": {},
  "apis/workflow/w.json": {
    version: 1,
    blocks: [{ id: "t", type: "transform", transforms: { a: "env.x" } }],
  },
}

const named =
  /no declared variable reads the environment variable (\S+) \(variable-undeclared\)(?:\n {2}hint: (.*))?/g
const namesIn = (text: string) => [...text.matchAll(named)].map(([, name, hint]) => [name, hint])

describe("a process variable that matches no declared variable", () => {
  it.each([
    ["CALLSHEET_VAR__SHOP_EU__API_KY", 'did you mean "CALLSHEET_VAR__SHOP_EU__API_KEY"?'],
    ["CALLSHEET_VAR__SHOP_E__API_KEY", 'did you mean "CALLSHEET_VAR__SHOP_EU__API_KEY"?'],
    ["CALLSHEET_VAR__SHOP_EU__HTTP__PORT", 'did you mean "CALLSHEET_VAR__SHOP_EU__HTTP_PORT"?'],
    ["CALLSHEET_VAR__shop_eu__api_key", expect.any(String)],
    ["CALLSHEET_VAR__PAY__TOKENS", 'did you mean "CALLSHEET_VAR__PAY__TOKEN"?'],
    [
      "CALLSHEET_VAR__NOBODY__ZZZZZZZZZZZZZZZZZZZZZZZZZ",
      expect.stringContaining("CALLSHEET_VAR__<API>__<NAME>"),
    ],
    ["CALLSHEET_VAR__", expect.any(String)],
  ])("is a warning with a suggestion: %s", async (name, hint) => {
    const value = "v3ry-s3cret-value"
    const { stdout } = await callsheet(["validate"], { files, env: { [name]: value } })
    expect(namesIn(stdout)).toEqual([[name, hint]])
    expect(stdout).not.toContain(value)
    const run = await callsheet(["run", "w", "--json"], { files, env: { [name]: value } })
    const warnings = run.report?.warnings?.filter(({ code }) => code === "variable-undeclared") ?? []
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining(name)])
    expect(run.stdout + run.stderr).not.toContain(value)
  })

  it("is named once in a session, and fails a strict one", async () => {
    const more = { ...files, "apis/workflow/v.json": files["apis/workflow/w.json"] }
    const env = { CALLSHEET_VAR__PAY__TOKENS: "x", CALLSHEET_VAR__A__B: "y" }
    const { report, exitCode } = await callsheet(["run", "--all", "--json"], { files: more, env })
    expect([exitCode, report?.warnings?.filter(({ code }) => code === "variable-undeclared").length]).toEqual(
      [0, 2],
    )
    expect((await callsheet(["run", "--all", "--strict"], { files: more, env })).exitCode).toBe(1)
  })

  it("is nothing if it is empty, or if it matches a variable of an API that the run doesn't use", async () => {
    const env = { CALLSHEET_VAR__PAY__TOKENS: "", CALLSHEET_VAR__PAY__TOKEN: "x", CALLSHEET_VARIABLE: "z" }
    for (const words of [["validate"], ["run", "w"]]) {
      const { stdout, stderr } = await callsheet(words, { files, env })
      expect(stdout + stderr).not.toContain("no declared variable reads")
    }
  })
})

describe("a process variable that matches", () => {
  const port = "CALLSHEET_VAR__SHOP_EU__HTTP_PORT"
  it("is a value for validate", async () => {
    const missing = 'no value for the required variable "HTTPPort"'
    expect((await callsheet(["validate"], { files })).stdout).toContain(missing)
    expect((await callsheet(["validate"], { files, env: { [port]: "8080" } })).stdout).not.toContain(missing)
    // An empty one counts as not set.
    expect((await callsheet(["validate"], { files, env: { [port]: "" } })).stdout).toContain(missing)
  })
})
