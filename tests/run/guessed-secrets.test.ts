// Credentials in responses that no request uses: masked by their names, in every output, from the response on.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunEvent } from "@callsheet/format"
import { run } from "../../packages/cli/src/index.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, type Files, readText } from "../harness/callsheet.ts"
import { assert } from "./shop-project.ts"

const values = {
  access: "acc3ss+t0ken/42==",
  refresh: "r3fresh t0ken",
  apiKey: "k3y-of-the-sh0p",
  session: "3f2504e04f8911d39a0c0305e82c3301",
}
const oauth = { access_token: values.access, refresh_token: values.refresh, token_type: "Bearer" }

const operations = ["signIn", "account", "form", "invalid", "echo"]
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: Object.fromEntries(
    operations.map((operationId) => [
      `/${operationId}`,
      { get: { operationId, responses: { default: { description: "Any." } } } },
    ]),
  ),
}

const routes: Parameters<typeof startApi>[0] = {
  "GET /signIn": { body: oauth },
  "GET /account": {
    headers: { "set-cookie": [`session_id=${values.session}; Path=/`, "theme=dark-mode"] },
    body: { user: { name: "Ann", apiKey: values.apiKey }, passwordHint: "the name of the cat" },
  },
  "GET /form": {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `access_token=${encodeURIComponent(values.access)}&scope=all`,
  },
  "GET /invalid": { status: 422, body: { errors: { password: "must have a number" } } },
  "GET /echo": ({ url }) => ({ body: { url } }),
}

let api: ApiServer
beforeAll(async () => {
  api = await startApi(routes)
})
afterAll(() => api.close())

const call = (operation: string, overrides?: object) => ({
  id: operation,
  type: "request",
  request: { api: "shop", operation, ...(overrides && { overrides }) },
})

const projectOf = (blocks: readonly unknown[]): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: api.url },
  "apis/workflow/w.json": { version: 1, blocks },
})

const formats = ["json", "ndjson", "junit", "html", "github", "har", "ctrf"]

/** Returns everything that a run writes, live output included. */
async function everythingOf(blocks: readonly unknown[], words: readonly string[] = []): Promise<string> {
  const folder = await createFolder(projectOf(blocks))
  const reporters = formats.flatMap((name) => ["--reporter", `${name}=out.${name}`])
  const ran = await callsheet(
    ["run", "w", "-vv", "--reporter", "pretty", ...reporters, "--record", "r.callsheet", ...words],
    { folder },
  )
  const files = await Promise.all(formats.map((name) => readText(folder, `out.${name}`)))
  expect(files).not.toContain(undefined)
  const shown = await callsheet(["report", "r.callsheet", "--json"], { folder })
  expect(shown.stdout).toContain('"runs"')
  return [ran.stdout, ran.stderr, ...files, shown.stdout].join("\n")
}

describe("a credential that no request uses", () => {
  it("is masked in every output of a workflow that only signs in", async () => {
    const all = await everythingOf([call("signIn"), call("account"), call("form")])
    for (const value of Object.values(values)) {
      expect(all).not.toContain(value)
      expect(all).not.toContain(encodeURIComponent(value))
    }
    expect(all).toContain("theme=dark-mode")
    expect(all).toContain("the name of the cat")
  })

  it("is masked in failures, outputs, logs and later requests", async () => {
    const all = await everythingOf(
      [
        call("signIn"),
        { id: "kept", type: "transform", transforms: { kept: "signIn.response.body.refresh_token" } },
        call("echo", { params: { query: { q: "{{kept.kept}}" } } }),
        assert("wrong", ["signIn.response.body.access_token", "equals", "other"]),
      ],
      ["--on-failure", "continue"],
    )
    expect(all).not.toContain(values.access)
    expect(all).not.toMatch(/r3fresh(?: |%20|\+)t0ken/)
  })

  it("is masked in events that a listener receives live", async () => {
    const folder = await createFolder(projectOf([call("signIn"), call("account")]))
    const events: string[] = []
    const onEvent = (event: RunEvent) => void events.push(JSON.stringify(event))
    const report = await run({ workflows: ["w"], project: folder, onEvent, verifyNoLeak: true })
    expect(report.status).toBe("passed")
    expect(events.filter((text) => Object.values(values).some((value) => text.includes(value)))).toEqual([])
  })

  it("can be checked by a workflow as usual", async () => {
    const folder = await createFolder(
      projectOf([
        call("signIn"),
        assert("ok", ["signIn.response.body.access_token", "equals", values.access]),
        assert("there", ["signIn.response.body.refresh_token", "exists"]),
      ]),
    )
    const { exitCode } = await callsheet(["run", "w", "--strict"], { folder })
    expect(exitCode).toBe(0)
  })
})

describe("--no-guess-secrets", () => {
  it("shows fields that only their names mark, but not those of an OAuth token response", async () => {
    const all = await everythingOf([call("signIn"), call("account")], ["--no-guess-secrets"])
    expect(all).toContain(values.apiKey)
    expect(all).toContain(values.session)
    expect(all).not.toContain(values.access)
    expect(all).not.toContain(values.refresh)
  })

  it("is an option of run(), too", async () => {
    const folder = await createFolder(projectOf([call("account")]))
    const report = await run({ workflows: ["w"], project: folder, guessesSecrets: false })
    expect(report.runs[0]?.blocks[0]?.response?.body).toMatchObject({ user: { apiKey: values.apiKey } })
  })

  it("is part of the command that a hint repeats", async () => {
    const other = { "apis/shop/environments/other.json": { baseUrl: api.url } }
    const folder = await createFolder({ ...projectOf([call("account")]), ...other })
    const { stderr } = await callsheet(["run", "w", "--no-guess-secrets"], { folder })
    expect(stderr).toContain("callsheet run w --env shop=local --no-guess-secrets")
  })
})

describe("a validation message", () => {
  it("is shown, although the field has the name of a credential", async () => {
    const all = await everythingOf([call("invalid")])
    expect(all).toContain("must have a number")
  })
})
