// `callsheet export --to curl`: the script runs in bash and sends what a run sends.

import { describe, expect, it } from "vitest"
import { startSampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { callsheet } from "../harness/callsheet.ts"
import { nastyFiles, NASTY_SECRET } from "./nasty-project.ts"
import {
  comparable,
  exportFrom,
  projectWith,
  record,
  runBash,
  sampleProject,
  type Sent,
} from "./export-from.ts"

const secrets = {
  CALLSHEET_VAR__SHOP__PASSWORD: "kettle-lantern-47",
  CALLSHEET_VAR__PAYMENTS__API_KEY: "pk_sample_9f2b61c07d3e",
  CALLSHEET_VAR__PAYMENTS__MERCHANT: "merchant:ledger-biscuit-88",
}

/** Runs a workflow of the sample project, and its exported script, each against a new sample API. */
async function bothWays(workflow: string) {
  const folder = await sampleProject()
  const all: Sent[][] = []
  let losses: readonly { readonly what: string }[] = []
  let output = ""
  for (const way of ["run", "export"]) {
    const api = await startSampleApi()
    const [shop, payments] = [await record(api.shopUrl), await record(api.paymentsUrl)]
    const sent: Sent[] = []
    for (const one of [shop, payments]) one.onSent = (request) => sent.push(request)
    const words = [
      workflow,
      "--env",
      "local",
      "--var",
      `shop.baseUrl=${shop.url}`,
      "--var",
      `payments.baseUrl=${payments.url}`,
    ]
    if (way === "run") output += (await callsheet(["run", ...words], { folder })).stderr
    else {
      const exported = await exportFrom(folder, [...words, "--to", "curl"])
      losses = exported.result?.losses ?? []
      for (const value of Object.values(secrets))
        expect(exported.stdout + exported.stderr).not.toContain(value)
      const ran = await runBash(exported.text, folder, secrets)
      output += ran.output
      expect(ran.code, ran.output).toBe(0)
    }
    all.push(sent)
    for (const server of [shop, payments, api]) await server.close()
  }
  const [run = [], script = []] = all
  return { run: comparable(run), script: comparable(script), losses, output }
}

async function nastyBothWays() {
  const server = await record()
  const folder = await projectWith(nastyFiles(server.url))
  const ran = await callsheet(["run", "nasty"], { folder })
  expect(ran.exitCode, ran.stderr).toBe(0)
  const run = comparable(server.sent.splice(0))
  const exported = await exportFrom(folder, ["nasty", "--to", "curl"])
  const bash = await runBash(exported.text, folder, { CALLSHEET_VAR__SHOP__API_KEY: NASTY_SECRET })
  const script = comparable(server.sent)
  await server.close()
  return { run, script, exported, bash }
}

describe("callsheet export --to curl", () => {
  it("needs no variable for a signature that curl doesn't make", async () => {
    const server = await record()
    const sig = {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      "x-amazon-apigateway-authtype": "awsSigv4",
    }
    const folder = await projectWith({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        components: { securitySchemes: { sig } },
        paths: { "/signed": { get: { operationId: "read", security: [{ sig: [] }], responses: {} } } },
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: Object.fromEntries(
          ["baseUrl", "sig_accessKeyId", "sig_secretAccessKey"].map((name) => [
            name,
            { type: "string", required: true },
          ]),
        ),
      },
      "apis/shop/environments/blue.json": {
        baseUrl: server.url,
        sig_accessKeyId: "a",
        sig_secretAccessKey: "b",
      },
      "apis/workflow/one.json": {
        version: 1,
        blocks: [{ id: "one", type: "request", request: { api: "shop", operation: "read" } }],
      },
    })
    const { text, result } = await exportFrom(folder, ["one", "--to", "curl"])
    expect(result?.losses.map(({ what }) => what)).toEqual(["AWS Signature Version 4"])
    const { code, output } = await runBash(text, folder, {})
    await server.close()
    expect(code, output).toBe(0)
    expect(server.sent.map(({ url }) => url)).toEqual(["/signed"])
  })

  it("sends every byte of hostile values as a run does, without their secrets in the script", async () => {
    const { run, script, exported, bash } = await nastyBothWays()
    expect(bash.code, bash.output).toBe(0)
    expect(exported.result?.losses).toEqual([])
    expect(exported.exitCode).toBe(0)
    expect(script).toEqual(run)
    expect(script.length).toBe(exported.result?.requests)
    expect(exported.text).not.toContain("secret")
  })

  it.each(["sessions", "documents"])("sends the requests of the sample's %s", async (workflow) => {
    const { run, script, losses } = await bothWays(workflow)
    expect(losses.map(({ what }) => what).filter((what) => what !== "assertions")).toEqual([
      "validateContracts",
    ])
    expect(script).toEqual(run)
  })
})
