import { readDocument } from "@callsheet/openapi"
import { memberType, type ValueType } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { projectOf } from "../testing/project-of.ts"
import { shop } from "../testing/shop.ts"
import { scriptScope, type ScriptScope } from "./script-scope.ts"

const script = { name: "checks", exportName: "check" }
const create = { id: "create", type: "request", request: { api: "shop", operation: "createOrder" } }
const list = { id: "list", type: "request", request: { api: "shop", operation: "listOrders" } }
const check = { id: "check", type: "assert", script }
const later = { id: "later", type: "transform", transforms: { id: "create.response.body.id" } }

async function scopeOf(blocks: readonly unknown[], more: object = {}): Promise<ScriptScope> {
  const project = projectOf({
    workflows: { pay: { version: 1, blocks, ...more } },
    apis: { shop },
    scripts: { checks: ["check"] },
  })
  const apis = new Map()
  for (const api of project.apis.values()) {
    const { document } = api.document === undefined ? {} : await readDocument(api.document)
    apis.set(api.name, { api, ...(document === undefined ? {} : { document }) })
  }
  const [file] = project.workflows.values()
  const scope = file === undefined ? undefined : scriptScope({ file, apis, apiNames: project.apiNames })
  if (scope === undefined) throw new Error("the workflow cannot be read")
  return scope
}

/** Returns the type at the end of a path through a type. */
const at = (type: ValueType | undefined, ...way: readonly string[]): ValueType | undefined =>
  way.reduce((here, name) => (here === undefined ? undefined : memberType(here, name)), type)

describe("completions in scripts", () => {
  it("come from documented responses, transform names, inputs, iterators and variables", async () => {
    const each = {
      id: "each",
      type: "loop",
      mode: "forEach",
      source: "list.response.body",
      iteratorVar: "item",
      blocks: [check],
    }
    const scope = await scopeOf([create, later, list, each], { inputs: { sku: { type: "string" } } })
    expect([...scope.names.keys()].sort()).toEqual(["create", "env", "item", "later", "list", "sku"])
    expect(at(scope.names.get("create"), "response", "body")?.names()).toContain("id")
    expect(at(scope.names.get("later"), "id")?.kinds).toEqual(
      at(scope.names.get("create"), "response", "body", "id")?.kinds,
    )
    expect(scope.names.get("item")?.names()).toEqual(
      at(scope.names.get("list"), "response", "body", "0")?.names(),
    )
    expect(scope.inputs.get("sku")?.kinds).toEqual(new Set(["string"]))
    expect(at(scope.names.get("env"), "shop")?.names()).toEqual([
      ...(scope.environments.get("shop")?.keys() ?? []),
    ])
    expect(scope.environments.get("shop")?.size).toBeGreaterThan(0)
  })

  it("in a function include what is in scope where a block calls it", async () => {
    const { calls } = await scopeOf([create, check, later])
    expect(calls).toEqual([
      {
        context: "AssertContext",
        block: "check",
        script: "checks",
        exportName: "check",
        names: ["create", "env"],
      },
    ])
  })

  it("skip unreadable documents, and list only names in a workflow without calls", async () => {
    const broken = { id: "odd", type: "request", request: { api: 1 } }
    const scope = await scopeOf([broken, create])
    expect(scope.calls).toEqual([])
    expect(at(scope.names.get("create"), "response", "body")?.names()).toContain("id")
  })
})
