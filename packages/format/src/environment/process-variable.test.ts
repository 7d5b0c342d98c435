import { describe, expect, it } from "vitest"
import { checkEnvironmentFiles } from "./check-environment-files.ts"
import { ambiguousProcessVariables, nearMiss, processVariableName } from "./resolve-environment.ts"

const declare = (api: string, ...names: string[]) =>
  checkEnvironmentFiles({
    api,
    files: [
      {
        file: `apis/${api}/environments/schema.json`,
        text: JSON.stringify({
          version: 1,
          variables: Object.fromEntries(names.map((name) => [name, { type: "string", required: false }])),
        }),
      },
    ],
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
  const shop = declare("shop", "apiKey", "api-key", "other")

  it("reports variables that share a name if that process variable is set", () => {
    const set = { CALLSHEET_VAR__SHOP__API_KEY: "S3CRET", CALLSHEET_VAR__SHOP__OTHER: "x" }
    const problems = ambiguousProcessVariables([shop], set)
    expect(problems).toMatchObject([{ code: "variable-ambiguous", severity: "error" }])
    expect(problems[0]!.message).toContain("shop.apiKey and shop.api-key")
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
    expect(ambiguousProcessVariables([shop], {})).toEqual([])
    expect(ambiguousProcessVariables([shop], { CALLSHEET_VAR__SHOP__API_KEY: "" })).toEqual([])
  })

  it("reports variables of two APIs that share a name", () => {
    const apis = [declare("shop-eu", "key"), declare("shop_eu", "key")]
    expect(ambiguousProcessVariables(apis, { CALLSHEET_VAR__SHOP_EU__KEY: "x" })).toHaveLength(1)
  })
})

const find = (name: string) => nearMiss({ [name]: "x" }, "shop", "apiKey")

describe("nearMiss", () => {
  it("finds a process variable whose name differs only in underscores or case", () => {
    expect(find("CALLSHEET_VAR__SHOP__APIKEY")).toBe("CALLSHEET_VAR__SHOP__APIKEY")
    expect(find("CALLSHEET_VAR_SHOP_API_KEY")).toBe("CALLSHEET_VAR_SHOP_API_KEY")
    expect(find("CALLSHEET_VAR__SHOP__API_KEY")).toBeUndefined()
    expect(find("APIKEY")).toBeUndefined()
  })
})
