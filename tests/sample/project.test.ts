// The sample project teaches the whole format: together its workflows use every feature.

import { readdirSync, readFileSync } from "node:fs"
import {
  blockKinds,
  checkWorkflow,
  operatorNames,
  parseTemplate,
  scriptsOf,
  stringsOf,
  tokensOf,
  walkBlocks,
  type Assertion,
  type Block,
  type SavedRequest,
  type Workflow,
} from "@callsheet/format"
import { beforeAll, describe, expect, it } from "vitest"
import { readDocument, sampleRoot, type Operation } from "./document.ts"

const read = (path: string): string => readFileSync(`${sampleRoot}${path}`, "utf8")
const list = (path: string, extension: string): readonly string[] =>
  readdirSync(`${sampleRoot}${path}`)
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))

const workflowNames = list("apis/workflow", ".json")
const workflows = new Map<string, Workflow>()
const blocks: Block[] = []
const operations = new Map<string, readonly Operation[]>()

beforeAll(async () => {
  for (const name of workflowNames) {
    const file = `apis/workflow/${name}.json`
    const { workflow, problems } = checkWorkflow({ file, text: read(file) })
    if (workflow === undefined) throw new Error(JSON.stringify(problems, undefined, 2))
    workflows.set(name, workflow)
    for (const { block } of walkBlocks(workflow.blocks)) blocks.push(block)
  }
  operations.set("shop", (await readDocument("shop/openapi.json")).operations)
  operations.set("payments", (await readDocument("payments/openapi.yaml")).operations)
})

const of = <K extends Block["type"]>(kind: K): readonly Extract<Block, { type: K }>[] =>
  blocks.filter((block): block is Extract<Block, { type: K }> => block.type === kind)

const savedRequest = (api: string, resource: string, instance: string): SavedRequest =>
  JSON.parse(read(`apis/${api}/requests/${resource}/${instance}.json`)) as SavedRequest

const findOperation = (api: string, name: string): Operation | undefined =>
  operations.get(api)?.find(({ id, method, path }) => id === name || `${method} ${path}` === name)

describe("the sample's workflow files", () => {
  it.each(workflowNames)("%s has no problem and no warning", (name) => {
    const file = `apis/workflow/${name}.json`
    expect(checkWorkflow({ file, text: read(file) }).problems).toEqual([])
  })

  it("use every kind of block", () => {
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(blockKinds))
  })

  it("use every loop mode, sequential and parallel", () => {
    const modes = of("loop").map(({ mode, execution = "sequential" }) => `${mode} ${execution}`)
    expect(new Set(modes)).toEqual(
      new Set([
        "times sequential",
        "times parallel",
        "forEach sequential",
        "forEach parallel",
        "until sequential",
      ]),
    )
  })

  it("end until-loops by an assertion and by a script", () => {
    const untilLoops = of("loop").filter(({ mode }) => mode === "until")
    expect(untilLoops.some(({ until }) => until !== undefined)).toBe(true)
    expect(untilLoops.some(({ script }) => script !== undefined)).toBe(true)
  })

  it("use every operator", () => {
    const assertions: (Assertion | undefined)[] = [
      ...of("assert").flatMap(({ assertions = [] }) => assertions),
      ...of("condition").map((block) => block.if),
      ...of("loop").map(({ until }) => until),
    ]
    const used = assertions.filter((assertion) => assertion !== undefined).map(({ operator }) => operator)
    expect(new Set(used)).toEqual(new Set(operatorNames))
  })

  it("override all five parts", () => {
    const places = of("request").flatMap(({ request: { overrides = {} } }) => [
      ...Object.keys(overrides.params ?? {}),
      ...(overrides.body === undefined ? [] : ["body"]),
    ])
    expect(new Set(places)).toEqual(new Set(["query", "path", "header", "cookie", "body"]))
  })

  it("take both branches of conditions, by assertion and by script", () => {
    const conditions = of("condition")
    expect(conditions.some((block) => block.else !== undefined)).toBe(true)
    expect(conditions.some((block) => block.if !== undefined)).toBe(true)
    expect(conditions.some(({ script }) => script !== undefined)).toBe(true)
  })

  it("have inputs of every type", () => {
    const inputs = [...workflows.values()].flatMap((workflow) => Object.values(workflow.inputs ?? {}))
    expect(new Set(inputs.map(({ type }) => type))).toEqual(new Set(["string", "number", "boolean"]))
  })

  it("validate contracts, and continue after failures if wanted", () => {
    expect([...workflows.values()].every(({ validateContracts }) => validateContracts === true)).toBe(true)
    expect(new Set([...workflows.values()].map(({ onFailure }) => onFailure))).toContain("continue")
  })

  it("use dynamic values, environment variables and tokens inside tokens", () => {
    const texts = [
      ...blocks.flatMap((block) => [block.id, ...stringsOf(block).map(({ text }) => text)]),
      read("apis/shop/requests/orders/gift.json"),
    ]
    for (const wanted of ["{{$uuid}}", "{{$index}}", "{{$isoTimestamp}}", "{{$randomInt}}", "{{env.shop."]) {
      expect(texts.some((text) => text.includes(wanted))).toBe(true)
    }
    const nested = texts.filter((text) => {
      const template = parseTemplate(text)
      return (
        template.ok &&
        tokensOf(template.parts).some(({ inner }) => inner.some((part) => typeof part !== "string"))
      )
    })
    expect(nested.length).toBeGreaterThan(1)
  })

  it("describe what they teach", () => {
    for (const workflow of workflows.values()) {
      const all = [...walkBlocks(workflow.blocks)]
      expect(all.filter(({ block }) => block.description !== undefined).length).toBeGreaterThan(0)
    }
  })
})

describe("references of the sample's workflows", () => {
  it("resolve: operations and saved requests, and every path parameter has a value", () => {
    for (const { id, request } of of("request")) {
      const { api, resource = "", instance, overrides } = request
      const saved = instance === undefined ? undefined : savedRequest(api, resource, instance)
      const name = request.operation ?? saved?.operation ?? `${saved?.method} ${saved?.path}`
      const operation = findOperation(api, name)
      expect(operation, `${id}: ${name}`).toBeDefined()
      const given = { ...saved?.params?.path, ...overrides?.params?.path }
      const wanted = [...(operation?.path ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(new Set(Object.keys(given)), id).toEqual(new Set(wanted))
    }
  })

  it("cover most of both documents", () => {
    const used = new Set(
      of("request").map(({ request: { api, operation = "", resource = "", instance } }) => {
        const saved = instance === undefined ? undefined : savedRequest(api, resource, instance)
        const name = saved === undefined ? operation : (saved.operation ?? `${saved.method} ${saved.path}`)
        return `${api} ${findOperation(api, name)?.id}`
      }),
    )
    const all = [...operations].flatMap(([api, list]) => list.map(({ id }) => `${api} ${id}`))
    expect(used.size / all.length).toBeGreaterThan(0.8)
  })

  it("include saved requests of every body type", () => {
    const types = ["shop", "payments"].flatMap((api) =>
      readdirSync(`${sampleRoot}apis/${api}/requests`).flatMap((resource) =>
        list(`apis/${api}/requests/${resource}`, ".json").map(
          (instance) => savedRequest(api, resource, instance).bodyType ?? "json",
        ),
      ),
    )
    expect(new Set(types)).toEqual(new Set(["json", "form", "multipart", "text", "file"]))
  })

  it("has every script and export, in all four contexts, and a sibling that they import", () => {
    const contexts = new Set<string>()
    for (const [name, workflow] of workflows) {
      for (const { block } of walkBlocks(workflow.blocks)) {
        for (const script of scriptsOf(block)) {
          const text = read(`apis/workflow/scripts/${name}/${script.name}.ts`)
          expect(text).toMatch(new RegExp(`export (?:async )?(?:const|function) ${script.exportName}\\b`))
          contexts.add(block.type)
        }
      }
    }
    expect(contexts).toEqual(new Set(["assert", "condition", "transform", "script", "loop"]))
    expect(read("apis/workflow/scripts/returns/checks.ts")).toContain(`from "./money.ts"`)
  })
})

describe("the sample's environments", () => {
  it.each(["shop", "payments"])(
    "in %s inherit, keep secrets separate, and include production and TLS",
    (api) => {
      const folder = `apis/${api}/environments`
      const names = list(folder, ".json").filter((name) => name !== "schema")
      expect(new Set(names)).toEqual(new Set(["base", "local", "staging", "production", "tls"]))
      const environment = (name: string) =>
        JSON.parse(read(`${folder}/${name}.json`)) as Record<string, unknown>
      expect(environment("production")["level"]).toBe("production")
      expect(environment("tls")["tls"]).toEqual({ verify: false })
      expect(names.filter((name) => "extends" in environment(name))).toHaveLength(4)
      const schema = JSON.parse(read(`${folder}/schema.json`)) as {
        variables: Record<string, { type: string; secret?: boolean }>
      }
      const secrets = Object.entries(schema.variables).filter(([, variable]) => variable.secret)
      expect(secrets.length).toBeGreaterThan(0)
      for (const [name] of secrets) {
        for (const holder of names) expect(environment(holder)).not.toHaveProperty(name)
        expect(read(`${folder}/local.secrets.env`)).toContain(`${name}=`)
      }
    },
  )
})
