// Inputs of Arazzo with any schema become inputs that a workflow of callsheet can have.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

let api: ApiServer
beforeAll(async () => {
  api = await startApi({ "*": { body: { id: 7 } } })
})
afterAll(async () => api.close())

const schema = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } }

/** A document with a single step that sends the payload. */
const arazzo = (properties: object, payload: object, required: readonly string[] = []) => ({
  "o.json": {
    openapi: "3.1.0",
    info: { title: "O", version: "1" },
    servers: [{ url: api.url }],
    paths: {
      "/a": {
        post: {
          operationId: "a",
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
          responses: { default: { description: "any", content: { "application/json": { schema } } } },
        },
      },
    },
  },
  "shop.json": {
    arazzo: "1.0.1",
    info: { title: "Shop", version: "1" },
    sourceDescriptions: [{ name: "o", url: "o.json", type: "openapi" }],
    components: { inputs: { user: schema } },
    workflows: [
      {
        workflowId: "shop",
        inputs: { type: "object", properties, required },
        steps: [
          {
            stepId: "s",
            operationId: "a",
            requestBody: { contentType: "application/json", payload },
            successCriteria: [{ condition: "$response.body#/id == $inputs.user.id" }],
          },
        ],
      },
    ],
  },
})

async function imported(files: ReturnType<typeof arazzo>) {
  const folder = await folderWith(files)
  const { result } = await importInto(folder, ["shop.json", "--into", "p"])
  const problems = await validated(`${folder}/p`)
  const workflow = await readJson(`${folder}/p`, "apis/workflow/shop.json")
  return { folder, result, problems, inputs: (workflow as { inputs: object }).inputs }
}

describe("an input that is an object", () => {
  it.each([
    ["a type", { ...schema, default: { id: 7, name: "Ada" } }],
    ["a reference", { allOf: [{ $ref: "#/components/inputs/user" }], default: { id: 7, name: "Ada" } }],
    ["alternatives", { oneOf: [{ type: "string" }, schema], default: { id: 7, name: "Ada" } }],
  ])("becomes an input for each place that steps read, by %s", async (_, user) => {
    const { folder, result, problems, inputs } = await imported(
      arazzo({ user }, { n: "$inputs.user.name", t: "{$inputs.user.name}!", i: "$inputs.user#/id" }, [
        "user",
      ]),
    )
    expect(problems).toEqual([])
    expect(result?.losses).toEqual([])
    expect(inputs).toEqual({
      user_name: { type: "string", default: "Ada" },
      user_id: { type: "number", default: 7 },
    })
    const from = api.requests.length
    const ran = await callsheet(["run", "shop", "--project", "p", "--input", "user_name=Bo"], { folder })
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(api.requests.slice(from).map(({ json }) => json)).toEqual([{ n: "Bo", t: "Bo!", i: 7 }])
  })

  it("is required in the places that its schema requires", async () => {
    const user = { ...schema, required: ["id"] }
    const { problems, inputs } = await imported(arazzo({ user }, { n: "$inputs.user.name" }, ["user"]))
    expect(problems).toEqual([])
    expect(inputs).toEqual({ user_name: { type: "string" }, user_id: { type: "number", required: true } })
  })

  it("is a loss if a step reads it whole", async () => {
    const { result, problems } = await imported(arazzo({ user: schema }, { whole: "$inputs.user" }))
    expect(problems.filter((one) => one.startsWith("error"))).toEqual([])
    expect(result?.losses).toMatchObject([{ what: "input user" }])
  })
})

describe("an input with other schemas", () => {
  it.each<[string, object, object, readonly string[]]>([
    ["oneOf of one type", { oneOf: [{ type: "number" }, { type: "integer" }] }, { type: "number" }, []],
    [
      "oneOf of two types",
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      { type: "string" },
      ["input x"],
    ],
    ["anyOf with null", { anyOf: [{ type: "boolean" }, { type: "null" }] }, { type: "boolean" }, []],
    ["a list of types", { type: ["string", "null"] }, { type: "string" }, []],
    ["an enum", { enum: [1, 2] }, { type: "number" }, []],
    ["a const", { const: true }, { type: "boolean" }, []],
    ["only a default", { default: 3 }, { type: "number", default: 3 }, []],
    ["nothing", {}, { type: "string" }, []],
  ])("has no error: %s", async (_, x, input, losses) => {
    const { problems, inputs, result } = await imported(arazzo({ x, user: schema }, { x: "$inputs.x" }))
    expect(problems).toEqual([])
    expect(inputs).toMatchObject({ x: input })
    expect(result?.losses.map(({ what }) => what)).toEqual(losses)
  })

  it("reads an item of a list", async () => {
    const list = { type: "array", items: { type: "integer" }, default: [4, 5] }
    const { problems, inputs } = await imported(arazzo({ list, user: schema }, { l: "$inputs.list[1]" }))
    expect(problems).toEqual([])
    expect(inputs).toMatchObject({ list_1: { type: "number", default: 5 } })
  })
})
