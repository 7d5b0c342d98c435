import { describe, expect, it } from "vitest"
import { checkEnvironmentFiles } from "./check-environment-files.ts"
import {
  ambiguousProcessVariables,
  processVariableName,
  resolveEnvironment,
  type ResolveRequest,
  secretValues,
} from "./resolve-environment.ts"

const folder = "apis/shop/environments"

interface Given extends Partial<ResolveRequest> {
  readonly variables?: Record<string, unknown>
  /** Value files by environment. */
  readonly values?: Record<string, unknown>
  /** Secrets files by environment. */
  readonly secrets?: Record<string, string>
}

const filesOf = ({ variables = {}, values = { local: {} }, secrets = {} }: Given) =>
  checkEnvironmentFiles({
    api: "shop",
    files: [
      { file: `${folder}/schema.json`, text: JSON.stringify({ version: 1, variables }) },
      ...Object.entries(values).map(([name, content]) => ({
        file: `${folder}/${name}.json`,
        text: JSON.stringify(content),
      })),
      ...Object.entries(secrets).map(([name, text]) => ({ file: `${folder}/${name}.secrets.env`, text })),
    ],
  })

const resolve = (given: Given) => {
  const files = filesOf(given)
  return resolveEnvironment({ ...given, files, name: given.name ?? "local" })
}

const optional = { type: "string", required: false }

/** The value of the variable `x` and where it comes from. */
const resolveX = (given: Given) => {
  const { environment, problems } = resolve({ variables: { x: optional }, ...given })
  const { name: _, declaration: __, ...hit } = environment.variables.get("x")!
  return { ...hit, problems: problems.map(({ code }) => code) }
}

const NAME = processVariableName("shop", "x")

describe("resolveEnvironment", () => {
  it("treats an empty number as missing in a secrets file and as an error in an override", () => {
    const variables = { x: { type: "number", required: false, default: 1 } }
    const fromFile = resolveX({ variables, secrets: { local: "x=" } })
    expect(fromFile).toMatchObject({ from: "secrets", problems: [] })
    expect(fromFile.value).toBeUndefined()
    expect(resolveX({ variables, overrides: new Map([["x", ""]]) }).problems).toEqual(["variable-type"])
    expect(resolveX({ variables, processEnvironment: { [NAME]: "" } })).toMatchObject({
      value: 1,
      from: "default",
    })
  })

  it("doesn't repeat what a file's own problems already say about a value", () => {
    const variables = { x: { type: "number", required: true } }
    expect(resolveX({ variables, values: { local: { x: "5" } } }).problems).toEqual([])
    expect(resolveX({ variables, secrets: { local: "x=five" } }).problems).toEqual([])
  })

  it("rejects overrides of undeclared variables", () => {
    const { problems } = resolve({
      variables: { timeout: optional },
      overrides: new Map([["timeuot", "S3CRET"]]),
    })
    expect(problems).toMatchObject([{ code: "variable-undeclared", hint: 'did you mean "timeout"?' }])
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
  })

  it("inherits level and tls as a whole, from the nearest parent", () => {
    const values = {
      a: { extends: "b", tls: {} },
      b: { extends: "c", level: "staging" },
      c: { level: "production", tls: { verify: false } },
      d: { extends: "c" },
      e: {},
    }
    const shown = (name: string) => {
      const { environment } = resolve({ values, name })
      return [environment.level, environment.verifyTls, environment.extends]
    }
    expect(shown("a")).toEqual(["staging", true, "b"])
    expect(shown("b")).toEqual(["staging", false, "c"])
    expect(shown("d")).toEqual(["production", false, "c"])
    expect(shown("e")).toEqual(["local", true, undefined])
  })

  it("throws if the environment doesn't exist", () => {
    expect(() => resolve({ name: "locl" })).toThrow(
      expect.objectContaining({ code: "env-missing", hint: 'did you mean "local"?' }),
    )
  })

  it("returns the secrets that resolve, from any source", () => {
    const secret = { type: "string", required: false, secret: true }
    const { environment } = resolve({
      variables: {
        a: secret,
        b: secret,
        c: { ...secret, default: "3" },
        d: secret,
        e: optional,
        n: { ...secret, type: "number" },
      },
      values: { local: { a: "1", e: "open", n: 5 } },
      secrets: { local: "b=2" },
      overrides: new Map([["a", "over"]]),
    })
    expect(secretValues(environment)).toEqual([
      { name: "a", value: "over" },
      { name: "b", value: "2" },
      { name: "c", value: "3" },
      { name: "n", value: 5 },
    ])
  })
})

describe("processVariableName", () => {
  it.each([
    ["shop-eu", "apiKey", "CALLSHEET_VAR__SHOP_EU__API_KEY"],
    ["shop", "baseURL", "CALLSHEET_VAR__SHOP__BASE_URL"],
    ["shop", "HTTPPort", "CALLSHEET_VAR__SHOP__HTTP_PORT"],
    ["shop", "v2Key", "CALLSHEET_VAR__SHOP__V2_KEY"],
    ["shop", "api-key", "CALLSHEET_VAR__SHOP__API_KEY"],
    ["shop", "API_KEY", "CALLSHEET_VAR__SHOP__API_KEY"],
    ["shop", "aBCd", "CALLSHEET_VAR__SHOP__A_B_CD"],
    ["shop", "token", "CALLSHEET_VAR__SHOP__TOKEN"],
    ["s2_x", "x", "CALLSHEET_VAR__S2_X__X"],
  ])("names %s/%s %s", (api, name, expected) => {
    expect(processVariableName(api, name)).toBe(expected)
  })
})

describe("ambiguousProcessVariables", () => {
  it("reports variables of two APIs that share a name", () => {
    const declare = (api: string, name: string) => {
      const variables = { [name]: { type: "string", required: false } }
      const schema = JSON.stringify({ version: 1, variables })
      const files = [{ file: `apis/${api}/environments/schema.json`, text: schema }]
      return checkEnvironmentFiles({ api, files })
    }
    const files = [declare("a-b", "x"), declare("a_b", "x")]
    const problems = ambiguousProcessVariables(files, { CALLSHEET_VAR__A_B__X: "1" })
    expect(problems).toMatchObject([{ code: "variable-ambiguous" }])
  })
})
