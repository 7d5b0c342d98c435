// `callsheet export`: its options, files and errors.

import { stat } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { callsheet, readText } from "../harness/callsheet.ts"
import { exportFrom, projectWith } from "./export-from.ts"

const request = (id: string, overrides: object) => ({
  id,
  type: "request",
  request: { api: "shop", instance: "ping", overrides },
})

const files = {
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      token: { type: "string", required: false, secret: true },
    },
  },
  "apis/shop/environments/blue.json": { baseUrl: "http://127.0.0.1:1/v1" },
  "apis/shop/environments/red.json": { baseUrl: "http://127.0.0.1:2" },
  "apis/shop/environments/blue.secrets.env": "token=secret://vault/shop\n",
  "apis/shop/requests/things/ping.json": { version: 1, method: "GET", path: "/ping" },
  "apis/workflow/ping.json": {
    version: 1,
    inputs: { sku: { type: "string", required: true } },
    blocks: [
      request("ping", { params: { query: { sku: "{{sku}}" }, header: { "X-Token": "{{token}}" } } }),
      { id: "written", type: "script", script: { name: "checks", exportName: "run" } },
    ],
  },
  "apis/workflow/scripts/ping/checks.ts": "export const run = () => {}\n",
}

const given = ["--env", "blue", "--input", "sku=A-1"]

describe("callsheet export", () => {
  it("refuses what a run refuses, with the same message", async () => {
    const folder = await projectWith(files)
    const calls = [
      ["pong"],
      ["ping", "--env", "green"],
      ["ping"],
      ["ping", "--env", "blue"],
      ["ping", ...given, "--input", "sky=1"],
      ["ping", ...given, "--var", "shop.tokn=1"],
    ]
    for (const words of calls) {
      const [run, exported] = [
        await callsheet(["run", ...words, "--json"], { folder }),
        await callsheet(["export", ...words, "--to", "har"], { folder }),
      ]
      const errors = (text: string): readonly string[] =>
        text.split("\n").filter((line) => /\([a-z]+-[a-z-]+\)$/.test(line))
      expect(exported.exitCode).toBe(2)
      expect(exported.stdout).toBe("")
      expect(errors(exported.stderr).length).toBeGreaterThan(0)
      expect(errors(exported.stderr)).toEqual(errors(run.stderr))
    }
    const { stderr } = await callsheet(["export", "ping", "--to", "har", "--output", "a b.har"], { folder })
    expect(stderr).toContain("try: callsheet export --to har --output 'a b.har' ping --env shop=blue")
  })

  it("fills in the bound environment and the inputs, names losses, and starts no resolver", async () => {
    const folder = await projectWith(files)
    const { exitCode, result, text } = await exportFrom(folder, ["ping", ...given, "--to", "curl"])
    expect(exitCode).toBe(1)
    expect(text).toContain("'http://127.0.0.1:1/v1/ping?sku=A-1'")
    expect(text).toContain(`'X-Token: '"$CALLSHEET_VAR__SHOP__TOKEN"`)
    expect(text).toMatch(/^curl --silent/m)
    expect(result).toMatchObject({
      target: "curl",
      requests: 1,
      files: [],
      losses: [{ where: "ping: written", what: "script script" }],
    })
    const variable = await exportFrom(folder, [
      "ping",
      ...given,
      "--var",
      "shop.baseUrl=http://127.0.0.1:3",
      "--to",
      "curl",
    ])
    expect(variable.text).toContain("'http://127.0.0.1:3/ping?sku=A-1'")
  })

  it("writes a whole file or none, and replaces one only with --force", async () => {
    const folder = await projectWith({ ...files, "out/ping.har": "mine" })
    const words = ["export", "ping", ...given, "--to", "har", "--output", "out/ping.har"]
    const refused = await callsheet(words, { folder })
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(`"out/ping.har" already exists (file-exists)`)
    expect(await readText(folder, "out/ping.har")).toBe("mine")
    const forced = await callsheet([...words, "--force", "--json"], { folder })
    expect(JSON.parse(forced.stdout)).toMatchObject({ target: "har", requests: 1, files: ["out/ping.har"] })
    expect(JSON.parse((await readText(folder, "out/ping.har")) ?? "")).toHaveProperty("log.version", "1.2")
    const created = await callsheet(["export", "ping", ...given, "--to", "k6", "--output", "new/ping.js"], {
      folder,
    })
    expect(created.stdout).toBe("")
    expect(created.stderr).toContain("ping: written: script script")
    expect((await stat(`${folder}/new/ping.js`)).size).toBeGreaterThan(100)
  })

  it("needs a known format", async () => {
    const folder = await projectWith(files)
    const { exitCode, stderr } = await callsheet(["export", "ping", "--to", "k7"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--to must be one of: curl, har, postman, arazzo, k6")
    expect(stderr).toContain(`did you mean "k6"?`)
    expect((await callsheet(["export", "ping"], { folder })).exitCode).toBe(2)
  })
})
