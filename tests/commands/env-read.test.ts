import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"

const SECRET = "s3cr3t-canary-78"
const folder = "apis/shop/environments"

const files = {
  [`${folder}/schema.json`]: {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: { type: "string", required: true, secret: true },
      timeout: { type: "number", required: false, default: 5000 },
      note: { type: "string", required: false },
      dry: { type: "boolean", required: false },
    },
  },
  [`${folder}/local.json`]: { baseUrl: "http://127.0.0.1:1", note: null },
  [`${folder}/local.secrets.env`]: `apiKey=${SECRET}\n`,
  [`${folder}/staging.json`]: { extends: "local", level: "staging", baseUrl: "https://staging" },
  [`${folder}/production.json`]: { extends: "staging", level: "production" },
}

const read = (...words: string[]) => callsheet(["env", "read", "shop", ...words], { files })

describe("callsheet env list", () => {
  it("lists environments with their resolved level", async () => {
    const { stdout, exitCode } = await callsheet(["env", "list", "--json"], { files })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      { api: "shop", name: "local", level: "local" },
      { api: "shop", name: "production", level: "production", extends: "staging" },
      { api: "shop", name: "staging", level: "staging", extends: "local" },
    ])
  })

  it("shows them in columns", async () => {
    const { stdout } = await callsheet(["env", "list", "shop"], { files })
    expect(stdout).toContain("shop  staging      staging     local\n")
  })

  it("rejects an unknown API", async () => {
    const result = await callsheet(["env", "list", "shp"], { files })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toBe('the API "shp" does not exist (api-unknown)\n  hint: did you mean "shop"?\n')
  })
})

describe("callsheet env read", () => {
  it("shows where each value comes from, and hides secrets", async () => {
    const { stdout, exitCode } = await read("staging", "--json")
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      api: "shop",
      environment: "staging",
      level: "staging",
      extends: "local",
      variables: {
        baseUrl: {
          value: "https://staging",
          type: "string",
          secret: false,
          from: "values",
          environment: "staging",
          file: `${folder}/staging.json`,
        },
        apiKey: {
          value: "***",
          type: "string",
          secret: true,
          from: "secrets",
          environment: "local",
          file: `${folder}/local.secrets.env`,
        },
        timeout: {
          value: 5000,
          type: "number",
          secret: false,
          from: "default",
          file: `${folder}/schema.json`,
        },
        note: {
          type: "string",
          secret: false,
          from: "values",
          environment: "local",
          file: `${folder}/local.json`,
        },
        dry: { type: "boolean", secret: false, from: "none" },
      },
    })
  })

  it("shows secrets only on request", async () => {
    expect((await read("local")).stdout).not.toContain(SECRET)
    expect((await read("local", "--reveal")).stdout).toContain(SECRET)
  })

  it("shows only the file's own values", async () => {
    const { stdout } = await read("staging", "--own", "--json")
    expect(Object.keys((JSON.parse(stdout) as { variables: object }).variables)).toEqual(["baseUrl"])
  })

  it("prints one bare value", async () => {
    expect(await read("staging", "baseUrl")).toMatchObject({
      exitCode: 0,
      stdout: "https://staging\n",
      stderr: "",
    })
    expect((await read("staging", "apiKey", "--reveal")).stdout).toBe(`${SECRET}\n`)
    const hidden = await read("staging", "apiKey")
    expect(hidden).toMatchObject({
      exitCode: 0,
      stdout: "***\n",
      stderr: "apiKey is a secret; --reveal shows it\n",
    })
  })

  it("reads values from process variables like a run", async () => {
    const env = { CALLSHEET_VAR__SHOP__TIMEOUT: "7" }
    const result = await callsheet(["env", "read", "shop", "local", "timeout", "--json"], { files, env })
    expect(result.stdout).toBe("7\n")
  })

  it.each([
    [["local", "note"], '"note" has no value in the environment "local" (variable-missing)'],
    [["local", "note"], `hint: ${folder}/local.json doesn't set it`],
    [["local", "dry"], "hint: no file sets it"],
    [["another"], "hint: it has local, production, staging"],
    [["local", "apikey"], 'did you mean "apiKey"?'],
    [["stagin"], 'did you mean "staging"?'],
    [["production", "baseUrl", "--own"], `don't set "baseUrl"`],
  ])("rejects %j", async (words, text) => {
    const result = await read(...words)
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(text)
  })

  it("reads an environment next to a broken one, and reports the problems of its own files", async () => {
    const broken = { ...files, [`${folder}/production.json`]: { extnds: "x" } }
    const call = (name: string) => callsheet(["env", "read", "shop", name], { files: broken })
    expect(await call("local")).toMatchObject({ exitCode: 0, stderr: "" })
    const result = await call("production")
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain(`${folder}/production.json:2:3: `)
  })
})
