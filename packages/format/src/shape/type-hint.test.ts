// Checks that a value of the wrong JSON type, or a file of another tool, says how to write it right.

import { describe, expect, it } from "vitest"
import type { JsonValue } from "../json/value.ts"
import { checkEnvironmentFiles } from "../environment/check-environment-files.ts"
import { checkWorkflow } from "../workflow/check-workflow.ts"

const request = (overrides: JsonValue): JsonValue => ({
  id: "a",
  type: "request",
  request: { api: "shop", operation: "get", overrides },
})
const check = { source: "a.response.status", operator: "equals", value: 200 }
const loop = (more: Record<string, JsonValue>): JsonValue => ({ id: "l", type: "loop", blocks: [], ...more })
const until = (more: Record<string, JsonValue>) =>
  loop({ mode: "until", until: check, maxIterations: 2, ...more })

const problemsOf = (file: JsonValue) =>
  checkWorkflow({ file: "apis/workflow/shop.json", text: JSON.stringify(file) }).problems
const hintsOf = (blocks: readonly JsonValue[]) => problemsOf({ version: 1, blocks }).map(({ hint }) => hint)

const quotes = (text: string) => [`put it in quotes: ${text}`]

describe("a value of the wrong type", () => {
  it.each<[JsonValue, (string | undefined)[]]>([
    [request({ params: { query: { page: 2 } } }), quotes('"2"')],
    [request({ params: { header: { "X-Debug": true } } }), quotes('"true"')],
    [request({ params: { cookie: { theme: 1.5 } } }), quotes('"1.5"')],
    [request({ params: { query: { page: null } } }), [undefined]],
    [request({ params: { query: { ids: [1] } } }), [undefined]],
    [request({ body: '{"sku":"A"}' }), ['write it as JSON, without quotes around it: { "…": … }']],
    [request({ body: "sku=A" }), [undefined]],
    [{ id: "c", type: "assert", assertions: check }, ["put brackets around it: [{ … }]"]],
    [{ id: "c", type: "condition", if: [check], then: [] }, ["remove the brackets around it"]],
    [
      { id: "c", type: "condition", if: [check, check], then: [] },
      ["a check has one assertion; for several, nest condition blocks or use a script"],
    ],
    [until({ delayMs: "1s" }), ["write milliseconds: 1000"]],
    [until({ delayMs: "1.5 min" }), ["write milliseconds: 90000"]],
    [until({ delayMs: "250ms" }), ["write milliseconds: 250"]],
    [until({ delayMs: "500" }), ["write milliseconds: 500"]],
    [until({ maxIterations: "10s" }), [undefined]],
    [until({ delayMs: "soon" }), [undefined]],
  ])("%j", (block, hints) => {
    expect(hintsOf([block])).toEqual(hints)
  })

  it("gets no hint about brackets where a list never helps", () => {
    expect(hintsOf([request({ params: [{ query: {} }, {}] })])).toEqual([undefined])
  })
})

describe("a file of another tool", () => {
  it.each<[string, JsonValue]>([
    ["a Postman collection", { info: { name: "Shop" }, item: [] }],
    ["an Insomnia export", { _type: "export", __export_format: 4, resources: [] }],
    ["a Bruno collection", { version: "1", name: "Shop", items: [] }],
    ["an Arazzo description", { arazzo: "1.0.1", info: {}, workflows: [] }],
    ["an OpenAPI document", { openapi: "3.1.0", info: { title: "Shop" }, paths: {} }],
    ["a HAR file", { log: { version: "1.2", entries: [] } }],
  ])("%s in place of a workflow is one problem", (format, file) => {
    expect(problemsOf(file)).toMatchObject([
      {
        code: "field-type",
        message: `the file is ${format}, which callsheet doesn't read here`,
        hint: "move it elsewhere and import it: callsheet import shop.json",
      },
    ])
  })

  it("is one problem in place of an environment", () => {
    const file = {
      id: "1",
      name: "qa",
      values: [{ key: "a", value: "b" }],
      _postman_variable_scope: "environment",
    }
    const dir = "apis/shop/environments"
    const { problems } = checkEnvironmentFiles({
      api: "shop",
      files: [
        { file: `${dir}/schema.json`, text: '{ "version": 1, "variables": {} }' },
        { file: `${dir}/qa.json`, text: JSON.stringify(file) },
      ],
    })
    expect(problems.map(({ message }) => message)).toEqual([
      "the file is a Postman environment, which callsheet doesn't read here",
    ])
  })

  it("doesn't hide what is wrong in a workflow with a foreign field", () => {
    const problems = problemsOf({ version: 1, openapi: "3.1.0", info: {}, blocks: [] })
    expect(problems.map(({ message }) => message)).toEqual([
      'unknown field "openapi"',
      'unknown field "info"',
    ])
  })
})
