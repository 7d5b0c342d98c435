// `callsheet export --to arazzo`: what Arazzo can say comes back by `callsheet import`, with the same verdicts.

import { describe, expect, it } from "vitest"
import { startSampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { callsheet } from "../harness/callsheet.ts"
import { exportFrom, sampleProject } from "./export-from.ts"

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

  it("comes back with the same verdicts", async () => {
    const api = await startSampleApi()
    const folder = await sampleProject()
    const file = "exports/sessions.arazzo.yaml"
    const exported = await callsheet(
      ["export", "sessions", "--env", "local", "--to", "arazzo", "--output", file, "--json"],
      { folder },
    )
    expect(JSON.parse(exported.stdout)).toMatchObject({ files: [file] })
    const words = [file, "--document", "apis/shop/openapi.json", "--api", "shop", "--into", "new", "--json"]
    const imported = await callsheet(["import", ...words], { folder })
    expect(imported.exitCode, imported.stderr).toBe(0)
    const verdicts = async (input: string) => {
      const all = ["sessions", "--project", "new", "--var", `shop.baseUrl=${api.shopUrl}`, "--input", input]
      return callsheet(["run", ...all, "--json"], { folder })
    }
    const passed = await verdicts("password=kettle-lantern-47")
    const failed = await verdicts("password=wrong")
    await api.close()
    expect(passed.exitCode, passed.stderr).toBe(0)
    expect(failed.exitCode).toBe(1)
  })
})
