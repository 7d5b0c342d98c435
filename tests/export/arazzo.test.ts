// `callsheet export --to arazzo`: what Arazzo can say comes back by `callsheet import`, with the same verdicts.

import { describe, expect, it } from "vitest"
import { startSampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { startApi } from "../harness/api-server.ts"
import { callsheet, readText } from "../harness/callsheet.ts"
import { exportFrom, projectWith, record, sampleProject, type Alter } from "./export-from.ts"

interface Document {
  readonly arazzo: string
  readonly sourceDescriptions: readonly {
    readonly name: string
    readonly url: string
    readonly type: string
  }[]
  readonly workflows: readonly {
    readonly workflowId: string
    readonly inputs?: { readonly properties: Readonly<Record<string, object>> }
    readonly steps: readonly {
      readonly stepId: string
      readonly operationId?: string
      readonly successCriteria?: readonly { readonly condition: string }[]
      readonly outputs?: Readonly<Record<string, string>>
    }[]
  }[]
}

describe("callsheet export --to arazzo", () => {
  it("refers to the documents, and reads only what inputs and earlier steps provide", async () => {
    const folder = await sampleProject()
    const words = ["checkout", "--env", "local", "--to", "arazzo"]
    const { text, result } = await exportFrom(folder, words)
    const { arazzo, sourceDescriptions, workflows } = JSON.parse(text) as Document
    const [workflow] = workflows
    expect(arazzo).toBe("1.0.1")
    expect(sourceDescriptions).toEqual([
      { name: "shop", url: "./apis/shop/openapi.json", type: "openapi" },
      { name: "payments", url: "./apis/payments/openapi.yaml", type: "openapi" },
    ])
    expect(workflow?.inputs?.properties).toMatchObject({
      sku: { type: "string", default: "MUG-01" },
      quantity: { type: "number", default: 2 },
      shop_password: { type: "string", format: "password" },
    })
    const known = new Set(Object.keys(workflow?.inputs?.properties ?? {}).map((name) => `$inputs.${name}`))
    expect(workflow?.steps.length).toBe(result?.requests)
    for (const step of workflow?.steps ?? []) {
      expect(step.stepId).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(step.operationId).toMatch(/^\$sourceDescriptions\.(?:shop|payments)\.\w+$/)
      for (const output of Object.keys(step.outputs ?? {}))
        known.add(`$steps.${step.stepId}.outputs.${output}`)
      for (const [reference] of JSON.stringify(step).matchAll(/\$(?:inputs|steps)\.[\w.-]+/g))
        expect(known).toContain(reference)
    }
    const [signIn] = workflow?.steps ?? []
    expect(signIn?.successCriteria).toEqual([
      { condition: "$statusCode == 201" },
      { condition: "$response.body#/token != null" },
      { condition: "$response.body#/customer/email == $inputs.shop_email" },
    ])
  })

  it("carries credentials in cookies, and names settings that it has no place for", async () => {
    const schemes = { session: { type: "apiKey", in: "cookie", name: "sid" } }
    const api = await startApi({ "*": {} })
    const document = {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      servers: [{ url: api.url }],
      components: { securitySchemes: schemes },
      paths: { "/me": { get: { operationId: "me", security: [{ session: [] }], responses: {} } } },
    }
    const folder = await projectWith({
      "apis/shop/openapi.json": document,
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { session: { type: "string", required: true, secret: true } },
      },
      "apis/shop/environments/blue.json": { tls: { verify: false } },
      "apis/shop/environments/blue.secrets.env": "session=cookie-secret-1\n",
      "apis/shop/requests/users/me.json": { version: 1, operation: "me", followRedirects: false },
      "apis/workflow/one.json": {
        version: 1,
        blocks: [{ id: "one", type: "request", request: { api: "shop", resource: "users", instance: "me" } }],
      },
    })
    const words = ["one", "--to", "arazzo"]
    const { text, result } = await exportFrom(folder, words)
    expect(result?.losses.map(({ what }) => what)).toEqual(["followRedirects", "tls.verify"])
    const har = await exportFrom(folder, ["one", "--to", "har"])
    expect(har.result?.losses.map(({ what }) => what)).toEqual([
      "followRedirects",
      "tls.verify",
      "secret session",
    ])
    const into = await projectWith({ "one.json": text, "apis/shop/openapi.json": document })
    expect((await callsheet(["import", "one.json", "--api", "shop"], { folder: into })).exitCode).toBe(0)
    const ran = await callsheet(["run", "one", "--input", "session=cookie-secret-1"], { folder: into })
    await api.close()
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0)
    expect(api.requests[0]?.headers.cookie).toBe("sid=cookie-secret-1")
  })

  it("comes back with the same verdicts, also if a server is broken", async () => {
    const api = await startSampleApi()
    const folder = await sampleProject()
    await Promise.all(names.map((name) => exportOf(folder, name)))
    for (const name of names) await importOf(folder, name)
    const verdicts = async (shopUrl: string, words: readonly string[]) => {
      const urls = ["--var", `shop.baseUrl=${shopUrl}`, "--var", `payments.baseUrl=${api.paymentsUrl}`]
      const { report } = await callsheet(["run", "--all", ...urls, ...words, "--json"], { folder })
      return Object.fromEntries(report?.runs.map(({ workflow, status }) => [workflow, status]) ?? [])
    }
    const both = async (shopUrl: string, change?: Alter) => {
      const shop = await record(shopUrl, change)
      const projects = [
        ["--env", "local"],
        ["--project", "new", ...secrets],
      ]
      const [own, again] = await Promise.all(projects.map((words) => verdicts(shop.url, words)))
      await shop.close()
      return { own, again }
    }
    const healthy = await both(api.shopUrl)
    const lost = await both(api.shopUrl, ({ url }, body) =>
      url.endsWith("/shipment") ? body.replaceAll("shipped", "lost") : body,
    )
    await api.close()
    const all = (status: string) => Object.fromEntries(names.map((name) => [name, status]))
    expect(healthy.own).toEqual(all("passed"))
    // Later requests need the files that Arazzo can't send.
    expect(healthy.again).toEqual({ ...all("passed"), documents: "failed" })
    expect(lost.own).toEqual({ ...all("passed"), checkout: "failed", refund: "failed", returns: "failed" })
    expect(lost.again).toEqual({ ...lost.own, documents: "failed" })
  }, 90_000)
})

const names = ["catalog", "checkout", "documents", "negative", "refund", "returns", "sessions", "smoke"]

/** The inputs that the exports have in place of secrets. */
const secrets = [
  "password=kettle-lantern-47",
  "shop_password=kettle-lantern-47",
  "payments_apiKey=pk_sample_9f2b61c07d3e",
  `payments_merchant=${Buffer.from("merchant:ledger-biscuit-88").toString("base64")}`,
].flatMap((input) => ["--input", input])

const exportOf = (folder: string, name: string) =>
  callsheet(["export", name, "--env", "local", "--to", "arazzo", "--output", `${name}.arazzo.json`], {
    folder,
  })

/** Imports an export into the project `new`. */
async function importOf(folder: string, name: string): Promise<void> {
  const file = `${name}.arazzo.json`
  const usesPayments = (await readText(folder, file))?.includes('"name": "payments"') === true
  const api = usesPayments ? [] : ["--api", "shop"]
  const imported = await callsheet(["import", file, ...api, "--into", "new", "--json"], { folder })
  expect(imported.exitCode, imported.stdout + imported.stderr).toBe(0)
}
