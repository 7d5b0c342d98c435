// `callsheet export` to HAR, Postman, Arazzo and k6: valid, without secrets, and with the requests of a run.

import { createRequire } from "node:module"
import { Ajv, type AnySchema } from "ajv"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }
import addFormats from "ajv-formats"
import { describe, expect, it } from "vitest"
import { startSampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { comparable, exportFrom, projectWith, record, sampleProject } from "./export-from.ts"
import { nastyFiles, NASTY_SECRET } from "./nasty-project.ts"
import { runK6 } from "./run-k6.ts"

const targets = ["curl", "har", "postman", "arazzo", "k6"]
const env = {
  CALLSHEET_VAR__SHOP__PASSWORD: "kettle-lantern-47",
  CALLSHEET_VAR__PAYMENTS__API_KEY: "pk_sample_9f2b61c07d3e",
}

async function nasty() {
  const server = await record()
  const folder = await projectWith(nastyFiles(server.url))
  const ran = await callsheet(["run", "nasty"], { folder })
  expect(ran.exitCode, ran.stderr).toBe(0)
  return { server, folder, run: comparable(server.sent.splice(0)) }
}

describe("callsheet export --to har", () => {
  it("is valid by the schema of HAR 1.2, and masks secrets", async () => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    ajv.addMetaSchema(draft06)
    addFormats.default(ajv)
    const schemas = createRequire(import.meta.url)("har-schema") as Readonly<Record<string, AnySchema>>
    for (const schema of Object.values(schemas)) ajv.addSchema(schema)
    const { server, folder } = await nasty()
    const { text, result } = await exportFrom(folder, ["nasty", "--to", "har"])
    await server.close()
    ajv.validate("har.json#", JSON.parse(text))
    expect(ajv.errors).toBeNull()
    expect(text).not.toContain("$(secret)")
    expect(result?.losses.map(({ what }) => what)).toContain("secret apiKey")
    expect(text).toContain("***")
    const revealed = await exportFrom(folder, ["nasty", "--to", "har", "--reveal"])
    expect(revealed.text).toContain(JSON.stringify(`k ${NASTY_SECRET}`))
  })
})

describe("callsheet export --to postman", () => {
  it("is imported again with the same requests", async () => {
    const { server, folder, run } = await nasty()
    const { text, result } = await exportFrom(folder, ["nasty", "--to", "postman"])
    expect(result?.requests).toBe(run.length)
    expect(text).not.toContain("$(secret)")
    expect(text).toContain(`"type": "secret"`)
    const into = await projectWith({
      "shop.json": text,
      "data/it's.bin": new Uint8Array([0, 255, 10, 13, 39, 34, 36, 0]),
    })
    const imported = await callsheet(["import", "shop.json", "--api", "shop", "--files", "data", "--json"], {
      folder: into,
    })
    const { losses } = JSON.parse(imported.stdout) as { losses: object[] }
    expect(losses).toMatchObject([{ what: "content type of form field json" }])
    const ran = await callsheet(["run", "--all", "--var", "shop.apiKey=-"], {
      folder: into,
      stdin: NASTY_SECRET,
    })
    expect(ran.exitCode, ran.stderr).toBe(0)
    await server.close()
    // Postman has no type of a text part, and no other name of a file.
    const withoutLost = (sent: typeof run) =>
      sent.map(({ body, ...rest }) => ({
        ...rest,
        body:
          typeof body === "string"
            ? body
            : body.filter((line) => !/^content-type: application\/json|filename=/.test(line)),
      }))
    expect(withoutLost(comparable(server.sent))).toEqual(withoutLost(run))
  })
})

describe("callsheet export --to k6", () => {
  it("sends the requests of a run", async () => {
    const { server, folder, run } = await nasty()
    const { text, result } = await exportFrom(folder, ["nasty", "--to", "k6"])
    expect(text).not.toContain("$(secret)")
    expect(result?.losses.map(({ what }) => what)).toEqual(["headers"])
    expect(await runK6(text, folder, { CALLSHEET_VAR__SHOP__API_KEY: NASTY_SECRET })).toBe("[]")
    await server.close()
    const withoutLost = (sent: typeof run) =>
      sent.map(({ headers: { "x-quote": _, ...headers }, ...rest }) => ({ ...rest, headers }))
    expect(withoutLost(comparable(server.sent))).toEqual(withoutLost(run))
  })

  it.each(["checkout", "refund"])("runs the sample's %s, with its loops and conditions", async (workflow) => {
    const folder = await sampleProject()
    const api = await startSampleApi()
    const words = ["--var", `shop.baseUrl=${api.shopUrl}`, "--var", `payments.baseUrl=${api.paymentsUrl}`]
    const { text, result } = await exportFrom(folder, [workflow, "--env", "local", ...words, "--to", "k6"])
    expect(result?.losses.map(({ what }) => what).filter((what) => what !== "execution")).toEqual([
      "validateContracts",
    ])
    expect(await runK6(text, folder, env)).toBe("[]")
    await api.close()
  })
})

describe("callsheet export", () => {
  it.each(["postman", "arazzo", "k6"])("keeps values with the same name apart in %s", async (target) => {
    const api = await startApi({ "*": { body: { a_b: "1", a: { b: "2" }, text: "x::y" } } })
    const get = (id: string, query: object) => ({
      id,
      type: "request",
      request: { api: "shop", operation: "read", overrides: { params: { query } } },
    })
    const assertions = [
      { source: "first.response.body.text", operator: "equals", value: "x::y" },
      { source: "first.response.durationMs", operator: "lessThan", value: 60_000 },
    ]
    const files = {
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: Object.fromEntries(
          ["baseUrl", "email"].map((name) => [name, { type: "string", required: true }]),
        ),
      },
      "apis/shop/environments/blue.json": { baseUrl: api.url, email: "theirs" },
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: { "/read": { get: { operationId: "read", responses: {} } } },
      },
      "apis/workflow/names.json": {
        version: 1,
        inputs: {
          email: { type: "string", default: "mine" },
          big: { type: "number", required: true },
        },
        blocks: [
          {
            id: "a::b",
            type: "group",
            blocks: [get("first", { mine: "{{email}}", theirs: "{{env.shop.email}}", big: "{{big}}" })],
          },
          { id: "check", type: "assert", assertions },
          get("second", { one: "{{first.response.body.a_b}}", other: "{{first.response.body.a.b}}" }),
        ],
      },
    }
    const folder = await projectWith(files)
    const input = "big=12345678901234567890"
    const { text, result } = await exportFrom(folder, ["names", "--input", input, "--to", target])
    const lost = target === "arazzo" ? ["assertion first.response.durationMs", "shop.baseUrl"] : []
    expect(result?.losses.map(({ what }) => what)).toEqual(lost)
    if (target === "k6") expect(await runK6(text, folder, {})).toBe("[]")
    else {
      const into = await projectWith({ "names.json": text, "openapi.json": files["apis/shop/openapi.json"] })
      const words = ["import", "names.json", "--document", "openapi.json", "--api", "shop"]
      expect((await callsheet(words, { folder: into })).exitCode).toBe(0)
      const ran = await callsheet(["run", "--all", "--var", `shop.baseUrl=${api.url}`], { folder: into })
      expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0)
    }
    await api.close()
    expect(api.requests.map(({ url }) => url)).toEqual([
      "/read?mine=mine&theirs=theirs&big=12345678901234567890",
      "/read?one=1&other=2",
    ])
  })

  it.each([
    ["postman", { bodyType: "text", body: "a \\{{name}}" }, "text"],
    ["curl", { bodyType: "multipart", body: { "a=b": "1" } }, "form field a=b"],
  ])("names what %s would send differently", async (target, request, what) => {
    const folder = await projectWith({
      "apis/shop/environments/schema.json": { version: 1, variables: {} },
      "apis/shop/environments/blue.json": {},
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "S", version: "1" },
        servers: [{ url: "http://127.0.0.1:1" }],
        paths: {},
      },
      "apis/shop/requests/things/one.json": { version: 1, method: "POST", path: "/x", ...request },
      "apis/workflow/one.json": {
        version: 1,
        blocks: [
          { id: "one", type: "request", request: { api: "shop", resource: "things", instance: "one" } },
        ],
      },
    })
    const { result, stderr } = await exportFrom(folder, ["one", "--to", target])
    expect(
      result?.losses.map((loss) => loss.what),
      stderr,
    ).toEqual([what])
  })

  it("reads bodies as text in postman if only a text can be meant", async () => {
    const request = (id: string, overrides?: object) => ({
      id,
      type: "request",
      request: { api: "shop", operation: "GET /a", overrides },
    })
    const body = "first.response.body"
    const folder = await projectWith({
      "apis/shop/environments/schema.json": { version: 1, variables: {} },
      "apis/shop/environments/blue.json": {},
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        servers: [{ url: "http://127.0.0.1:1" }],
        paths: { "/a": { get: { responses: {} } } },
      },
      "apis/workflow/one.json": {
        version: 1,
        blocks: [
          request("first"),
          { id: "check", type: "assert", assertions: [{ source: body, operator: "contains", value: "x" }] },
          request("second", { params: { header: { "X-Token": `{{${body}}}` } } }),
        ],
      },
    })
    const { text, result, stderr } = await exportFrom(folder, ["one", "--to", "postman"])
    expect(result?.losses, stderr).toEqual([])
    expect(text).toContain(String.raw`set(\"first_body\", pm.response.text())`)
    expect(text).toContain(String.raw`pm.expect(pm.response.text()).to.include(\"x\")`)
    const into = await projectWith({ "one.json": text })
    const imported = await callsheet(["import", "one.json", "--json"], { folder: into })
    expect(JSON.parse(imported.stdout)).toMatchObject({ requests: 2, losses: [] })
    const header = Object.values(await textsIn(into)).join("")
    expect(header).toContain("first-values.first_body")
  })

  it.each(targets)("writes no secret to %s", async (target) => {
    const folder = await sampleProject()
    const { text, stderr, stdout } = await exportFrom(folder, ["checkout", "--env", "local", "--to", target])
    expect(text).not.toBe("")
    for (const secret of ["kettle-lantern-47", "pk_sample_9f2b61c07d3e", "ledger-biscuit-88"])
      expect(text + stderr + stdout).not.toContain(secret)
  })

  it.each(targets)("masks a secret that files quote outside its variable in %s", async (target) => {
    const secret = "quoted-secret-77"
    const request = {
      api: "shop",
      instance: "ping",
      overrides: { params: { query: { [secret]: `a ${secret}` }, header: { [`X-${secret}`]: secret } } },
    }
    const later = { ...request, overrides: { body: { id: `{{${secret}.response.body.${secret}}}` } } }
    const folder = await projectWith({
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true, default: "http://127.0.0.1:1" },
          token: { type: "string", required: true, secret: true },
        },
      },
      "apis/shop/environments/blue.json": {},
      "apis/shop/environments/blue.secrets.env": `token=${secret}\n`,
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: { "/ping": { post: { operationId: "ping", responses: {} } } },
      },
      "apis/shop/requests/things/ping.json": { version: 1, operation: "ping", body: { [secret]: secret } },
      "apis/workflow/quoted.json": {
        version: 1,
        blocks: [
          { id: secret, type: "request", description: `has ${secret}`, request },
          { id: "later", type: "request", request: later },
          {
            id: "check",
            type: "assert",
            assertions: [{ source: `${secret}.response.body.${secret}`, operator: "equals", value: secret }],
          },
        ],
      },
    })
    const { exitCode, result, stdout, stderr } = await exportFrom(folder, ["quoted", "--to", target])
    expect(exitCode, stderr).toBe(1)
    expect(result?.requests).toBe(2)
    expect(stdout + stderr).not.toContain(secret)
    expect(result?.losses.map(({ what }) => what)).toContain("secret")
  })
})
