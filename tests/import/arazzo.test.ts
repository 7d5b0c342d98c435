import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn, type Files } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const responses = { 200: { description: "Done.", content: { "application/json": { schema: {} } } } }
const parameter = (name: string, place: string) => ({
  name,
  in: place,
  required: place === "path",
  schema: { type: "string" },
})

const shop = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url }],
  paths: {
    "/login": {
      post: {
        operationId: "login",
        requestBody: { content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } } },
        responses,
      },
    },
    "/orders": {
      post: {
        operationId: "createOrder",
        parameters: [parameter("X-Key", "header")],
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses,
      },
    },
    "/notes": {
      post: {
        operationId: "addNote",
        tags: ["Notes"],
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses,
      },
    },
    "/orders/{id}": {
      get: { parameters: [parameter("id", "path"), parameter("page", "query")], responses },
    },
  },
})

const arazzo = `arazzo: 1.1.0
info: { title: Checkout, version: "1", description: How to buy. }
sourceDescriptions:
  - { name: shop, url: ./shop.json, type: openapi }
workflows:
  - workflowId: buy-it
    summary: Buys an item.
    inputs: { $ref: "#/components/inputs/buyer" }
    parameters:
      - { name: X-Key, in: header, value: workflow-key }
      - { name: page, in: query, value: 1 }
    dependsOn: [other]
    steps:
      - stepId: signIn
        operationId: login
        requestBody:
          payload: { user: $inputs.name, grant: "for {$inputs.name}" }
        successCriteria:
          - condition: $statusCode == 200 && $response.body#/token != null
          - { context: $response.header.Content-Type, type: regex, condition: json }
          - { context: $response.body, type: jsonpath, condition: "$.roles[?@ == 'buyer']" }
          - { context: $response.body, type: jsonpath, condition: $.token }
          - { context: $response.body, type: jsonpath, condition: "$[?count(@.roles) > 1]" }
        outputs:
          token: $response.body#/token
          self: $inputs.name
          user: $response.body#/user
      - stepId: order
        description: Orders it.
        operationId: createOrder
        parameters:
          - { reference: $components.parameters.auth, value: "Bearer {$steps.signIn.outputs.token}" }
        requestBody:
          contentType: application/json
          payload:
            count: $inputs.count
            note: "{$steps.signIn.outputs.self} buys"
            buyer: { id: none }
          replacements:
            - { target: /buyer/id, value: $steps.signIn.outputs.user#/id }
            - { target: "//xpath", value: 1 }
        successCriteria:
          - condition: $response.body#/count == $inputs.count
          - condition: 0 < $response.body#/id
          - condition: $steps.signIn.outputs.token == 'tok'
        onFailure: [{ name: again, type: retry }]
        outputs: { id: $response.body#/id }
      - stepId: read
        operationPath: "{$sourceDescriptions.shop.url}#/paths/~1orders~1{id}/get"
        parameters:
          - { name: id, in: path, value: $steps.order.outputs.id }
          - { name: page, in: query, value: 2 }
          - { name: sid, in: cookie, value: abc }
      - stepId: note
        operationId: addNote
        requestBody: { contentType: text/plain, payload: { by: $inputs.name } }
      - { stepId: sub, workflowId: other }
    outputs: { orderId: $steps.order.outputs.id }
  - workflowId: other
    steps: [{ stepId: gone, operationId: nowhere }]
components:
  inputs:
    buyer:
      type: object
      required: [name]
      properties:
        name: { type: string, description: Who buys. }
        count: { $ref: "#/components/inputs/count" }
    count: { type: integer, default: 3 }
  parameters:
    auth: { name: Authorization, in: header, value: none }
`

describe("callsheet import of an Arazzo document", () => {
  it("runs the workflows, with inputs, outputs and criteria", async () => {
    const api = await startApi({
      "POST /login": { body: { token: "tok", roles: ["buyer"], user: { id: 9 } } },
      "POST /orders": { body: { id: 7, count: 3 } },
      "GET /orders/7": { body: {} },
      "POST /notes": { body: {} },
    })
    const folder = await folderWith({ "a/flow.arazzo.yaml": arazzo, "a/shop.json": shop(api.url) })
    const { exitCode, result, stderr } = await importInto(folder, [
      "a/flow.arazzo.yaml",
      "--api",
      "shop",
      "--into",
      "p",
    ])
    expect(stderr).toBe("")
    expect(exitCode).toBe(1)
    expect(result).toMatchObject({ source: "arazzo", requests: 5, operations: 4, saved: 0 })
    expect(result?.workflows).toEqual(["buy-it", "other"])
    const at = "a/flow.arazzo.yaml: buy-it"
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      `${at}: dependsOn`,
      `${at} / signIn / criterion 5: jsonpath criterion`,
      `${at} / order: replacement //xpath`,
      `${at} / sub: step`,
      "a/flow.arazzo.yaml: other / gone: request",
    ])
    // The parameters of the workflow go to every step.
    expect(await validated(`${folder}/p`)).toEqual(Array<string>(3).fill("parameter-unknown"))
    const workflow = await readJson(folder, "p/apis/workflow/buy-it.json")
    expect(workflow).toMatchObject({
      inputs: {
        name: { type: "string", required: true, description: "Who buys." },
        count: { type: "number", default: 3 },
      },
    })
    expect(workflow).not.toHaveProperty("onFailure")
    const ran = await callsheet(["run", "buy-it", "--project", "p", "--input", "name=Ada"], { folder })
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0)
    const failing = await callsheet(
      ["run", "buy-it", "--project", "p", "--input", "name=Ada", "--input", "count=4"],
      { folder },
    )
    await api.close()
    expect(failing.exitCode).toBe(1)
    const [login, order, read, note, , again, ...others] = api.requests
    expect(login?.text).toBe("user=Ada&grant=for+Ada")
    expect(order?.json).toEqual({ count: 3, note: "Ada buys", buyer: { id: 9 } })
    expect(order?.headers).toMatchObject({ authorization: "Bearer tok", "x-key": "workflow-key" })
    expect(read?.url).toBe("/orders/7?page=2")
    expect(read?.headers.cookie).toBe("sid=abc")
    expect(note?.text).toBe('{"by":"Ada"}')
    expect(note?.headers["content-type"]).toBe("text/plain")
    expect(again?.json).toMatchObject({ count: 4 })
    // The step has one retry.
    expect(others.map(({ json }) => json)).toEqual([again?.json])
    const repeated = await importInto(folder, ["a/flow.arazzo.yaml", "--api", "shop", "--into", "p"])
    expect(repeated.result?.files).toEqual([])
  })

  it("repeats steps until their criteria are met, and skips steps under conditions", async () => {
    const condition = (...conditions: string[]) => conditions.map((one) => ({ condition: one }))
    const retry = { name: "wait", type: "retry", retryAfter: 0.01, retryLimit: 4 }
    const flow = {
      arazzo: "1.0.1",
      info: { title: "Poll", version: "1" },
      sourceDescriptions: [{ name: "shop", url: "shop.json", type: "openapi" }],
      workflows: [
        {
          workflowId: "poll",
          failureActions: [{ reference: "$components.failureActions.wait" }],
          steps: [
            {
              stepId: "all",
              operationId: "createOrder",
              successCriteria: condition("$statusCode == 200", "$response.body#/turn > 2"),
              onSuccess: [
                {
                  name: "is-big",
                  type: "goto",
                  stepId: "end",
                  criteria: condition("$response.body#/turn > 99"),
                },
                {
                  name: "is-odd",
                  type: "goto",
                  stepId: "note",
                  criteria: condition("$response.body#/turn == 3"),
                },
              ],
            },
            { stepId: "skipped", operationId: "login" },
            {
              stepId: "note",
              operationId: "addNote",
              successCriteria: condition("$statusCode == 200"),
              onFailure: [{ ...retry, criteria: condition("$statusCode == 503") }],
            },
            {
              stepId: "end",
              operationId: "addNote",
              successCriteria: condition("$response.body#/turn == 2"),
              onFailure: [{ name: "stop", type: "end" }],
              onSuccess: [{ name: "stop", type: "end", criteria: condition("$response.body#/turn != 7") }],
            },
            { stepId: "last", operationId: "login" },
          ],
        },
        {
          workflowId: "lost",
          steps: [
            {
              stepId: "a",
              operationId: "login",
              successCriteria: condition("$statusCode == 200"),
              onFailure: [{ ...retry, stepId: "b" }],
              onSuccess: [
                { name: "next", type: "goto", stepId: "a", criteria: condition("$statusCode == 1") },
              ],
            },
            {
              stepId: "b",
              operationId: "login",
              successCriteria: condition("$statusCode == 200"),
              onFailure: [{ ...retry, criteria: condition("$response.body#/wait == true") }],
            },
            { stepId: "c", operationId: "login", onFailure: [{ ...retry }] },
          ],
        },
      ],
      components: { failureActions: { wait: retry } },
    }
    const turns = new Map<string, number>()
    const turn = (name: string) => {
      turns.set(name, (turns.get(name) ?? 0) + 1)
      return { turn: turns.get(name) }
    }
    const api = await startApi({
      "POST /orders": () => ({ body: turn("orders") }),
      "POST /notes": () => ({ body: turn("notes"), status: turns.get("notes") === 1 ? 503 : 200 }),
    })
    const folder = await folderWith({ "flow.json": flow, "shop.json": shop(api.url) })
    const { exitCode, result } = await importInto(folder, ["flow.json", "--api", "shop"])
    expect(exitCode).toBe(1)
    const lost = ["a: onFailure", "a: onSuccess", "b: onFailure", "c: onFailure"]
    // The steps without criteria never fail.
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`).sort()).toEqual([
      ...lost.map((one) => `flow.json: lost / ${one}`),
      "flow.json: poll: failureActions",
    ])
    expect(await validated(folder)).toEqual([])
    const ran = await callsheet(["run", "poll"], { folder })
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(1)
    const sent = api.requests.map(({ path }) => path)
    expect(sent).toEqual([...Array<string>(3).fill("/orders"), ...Array<string>(3).fill("/notes")])
    turns.set("notes", 1)
    turns.set("orders", 99)
    const jumped = await callsheet(["run", "poll"], { folder })
    expect(jumped.exitCode, jumped.stdout + jumped.stderr).toBe(0)
    await api.close()
    expect(api.requests.slice(sent.length).map(({ path }) => path)).toEqual(["/orders", "/notes"])
  })

  it("binds the steps of several documents, and takes --document only for a single one", async () => {
    const step = (id: string, source: string) => ({
      stepId: id,
      operationId: `$sourceDescriptions.${source}.createOrder`,
    })
    const flow = (url: string) => ({
      arazzo: "1.0.1",
      info: { title: "Both", version: "1" },
      sourceDescriptions: [
        { name: "shop", url: "docs/shop.json", type: "openapi" },
        { name: "Other Shop", url, type: "openapi" },
        { name: "other", url: "other.arazzo.yaml", type: "arazzo" },
      ].map((one) => ({ ...one, name: one.name.replace(" ", "_") })),
      workflows: [{ workflowId: "both", steps: [step("one", "shop"), step("two", "Other_Shop")] }],
    })
    const files: Files = { "docs/shop.json": shop("https://shop.example") }
    const folder = await folderWith({
      ...files,
      "flow.json": flow("docs/other.json"),
      "docs/other.json": shop("https://other.example"),
    })
    const { result } = await importInto(folder, ["flow.json"])
    expect(result).toMatchObject({ requests: 2, operations: 2, saved: 0 })
    expect(result?.files).toEqual(
      expect.arrayContaining(["apis/shop/openapi.json", "apis/other-shop/openapi.json"]),
    )
    expect(await validated(folder)).toEqual([])
    const refused = await importInto(folder, ["flow.json", "--document", "docs/shop.json"])
    expect([refused.exitCode, refused.stdout]).toEqual([2, ""])
    expect(refused.stderr).toContain("Other_Shop")
    // The document of an API that the project has wins, and nothing outside of the source's directory is read.
    const outside = await folderWith({
      "out.json": shop("https://x.example"),
      "in/flow.json": flow("../out.json"),
      "in/docs/shop.json": shop("https://shop.example"),
    })
    const lost = await importInto(outside, ["in/flow.json", "--into", "p"])
    expect(lost.result).toMatchObject({ requests: 2, operations: 1 })
    expect(Object.values(await textsIn(`${outside}/p`)).join("")).not.toContain("x.example")
  })

  it.each<readonly [string, string, number]>([
    ["references that never end", '"inputs":{"$ref":"#/components/inputs/a"}', 0],
    ["a name like __proto__", '"workflowId":"__proto__","outputs":{"__proto__":"$inputs.__proto__"}', 0],
    ["no steps", '"steps":null', 0],
  ])("survives %s", async (_, member, exitCode) => {
    const text = `{"arazzo":"1.0.1","info":{"title":"__proto__"},"workflows":[{${member}}],"components":{"inputs":{"a":{"$ref":"#/components/inputs/a"}}}}`
    const folder = await folderWith({ "flow.json": text })
    const imported = await importInto(folder, ["flow.json"])
    expect(imported.stderr).toBe("")
    expect(imported.exitCode).toBe(exitCode)
    expect((await validated(folder)).filter((one) => one.startsWith("error"))).toEqual([])
  })

  it.each([
    ["a payload nested too deep", `{"arazzo":"1.0.1","workflows":${"[".repeat(100_000)}`],
    ["broken YAML", "arazzo: 1.0.1\ninfo: ["],
  ])("refuses %s and writes nothing", async (_, text) => {
    const folder = await folderWith({ "flow.arazzo.yaml": text })
    const { exitCode, stdout, stderr } = await importInto(folder, ["flow.arazzo.yaml"])
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("flow.arazzo.yaml")
    expect(stderr).not.toContain("bug")
    expect(Object.keys(await textsIn(folder))).toEqual(["flow.arazzo.yaml"])
  })
})
