import { expect, it } from "vitest"
import { request, runBlocks } from "./shop-project.ts"

/** A Swagger 2.0 document of a server at `url`, with operations below `/v1`. */
const swagger = (url: string) => ({
  swagger: "2.0",
  info: { title: "Shop", version: "1" },
  host: new URL(url).host,
  basePath: "/v1",
  schemes: ["http"],
  consumes: ["application/json"],
  produces: ["application/json"],
  securityDefinitions: {
    header_key: { type: "apiKey", in: "header", name: "X-Key" },
    query_key: { type: "apiKey", in: "query", name: "api_key" },
  },
  security: [{ header_key: [] }],
  definitions: {
    Order: {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer" }, note: { type: "string", "x-nullable": true } },
    },
  },
  responses: { Order: { description: "One.", schema: { $ref: "#/definitions/Order" } } },
  paths: {
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, type: "integer" }],
      get: {
        operationId: "getOrder",
        responses: { 200: { $ref: "#/responses/Order" }, 404: { description: "None." } },
      },
    },
    "/orders": {
      post: {
        operationId: "createOrder",
        security: [{ query_key: [] }],
        parameters: [{ name: "order", in: "body", required: true, schema: { $ref: "#/definitions/Order" } }],
        responses: {
          201: {
            description: "Made.",
            schema: { $ref: "#/definitions/Order" },
            headers: { "X-Rate": { type: "integer" } },
          },
        },
      },
    },
    "/notes": {
      post: {
        operationId: "note",
        consumes: ["application/x-www-form-urlencoded"],
        parameters: [
          { name: "title", in: "formData", type: "string", required: true },
          {
            name: "tags",
            in: "formData",
            type: "array",
            items: { type: "string" },
            collectionFormat: "multi",
          },
        ],
        responses: { 204: { description: "Kept." } },
      },
    },
    "/photos": {
      post: {
        operationId: "photo",
        consumes: ["multipart/form-data"],
        parameters: [{ name: "photo", in: "formData", type: "file", required: true }],
        responses: { 204: { description: "Kept." } },
      },
    },
  },
})

const files = (url: string) => ({
  "apis/shop/openapi.json": swagger(url),
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      header_key: { type: "string", required: true, secret: true },
      query_key: { type: "string", required: true, secret: true },
    },
  },
  "apis/shop/environments/local.json": {},
  "apis/shop/environments/local.secrets.env": "header_key=h34d3r-k3y\nquery_key=qu3ry-k3y\n",
  "files/photo.txt": "a photo",
})

const workflow = { validateContracts: true }

it("runs the operations of a Swagger 2.0 document, and checks the responses against it", async () => {
  const result = await runBlocks(
    [
      request("get", { operation: "getOrder", overrides: { params: { path: { id: "7" } } } }),
      request("create", { operation: "createOrder", overrides: { body: { id: 8 } } }),
      request("note", { operation: "note", overrides: { body: { title: "a b", tags: ["x", "y"] } } }),
      request("photo", { operation: "photo", overrides: { body: { photo: { file: "files/photo.txt" } } } }),
    ],
    {
      workflow,
      files,
      routes: {
        "GET /v1/orders/7": { body: { id: 7, note: null } },
        "POST /v1/orders": { status: 201, headers: { "x-rate": "5" }, body: { id: 8 } },
        "POST /v1/notes": { status: 204 },
        "POST /v1/photos": { status: 204 },
      },
    },
  )
  expect(result.outline).toEqual(["get passed", "create passed", "note passed", "photo passed"])
  expect(result.run.blocks.map(({ contract }) => contract?.status)).toEqual(Array(4).fill("passed"))
  const [get, create, note, photo] = result.requests
  expect([get?.url, get?.headers["x-key"]]).toEqual(["/v1/orders/7", "h34d3r-k3y"])
  expect([create?.url, create?.json]).toEqual(["/v1/orders?api_key=qu3ry-k3y", { id: 8 }])
  expect(create?.headers["x-key"]).toBeUndefined()
  expect([note?.headers["content-type"], note?.text]).toEqual([
    "application/x-www-form-urlencoded",
    "title=a+b&tags=x&tags=y",
  ])
  expect(photo?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/)
  expect(photo?.text).toContain("a photo")
  expect(result.stdout).not.toMatch(/h34d3r-k3y|qu3ry-k3y/)
})

it("reports where a response violates a Swagger 2.0 document", async () => {
  const result = await runBlocks(
    [
      request("body", { operation: "getOrder", overrides: { params: { path: { id: "7" } } } }),
      request("type", { operation: "getOrder", overrides: { params: { path: { id: "8" } } } }),
      request("header", { operation: "createOrder", overrides: { body: { id: 8 } } }),
      request("status", { operation: "note", overrides: { body: { title: "a" } } }),
    ],
    {
      workflow: { ...workflow, onFailure: "continue" },
      files,
      routes: {
        "GET /v1/orders/7": { body: { id: "7", note: null } },
        "GET /v1/orders/8": { headers: { "content-type": "text/html" }, body: "<p>" },
        "POST /v1/orders": { status: 201, headers: { "x-rate": "many" }, body: { id: 8 } },
        "POST /v1/notes": { status: 200, body: {} },
      },
    },
  )
  expect(result.exitCode).toBe(1)
  const problems = result.run.blocks.map(({ id, contract }) => [
    id,
    contract?.problems.map(({ path, message }) => `${path}: ${message}`),
  ])
  expect(problems).toEqual([
    ["body", [`/body/id: expected an integer, received a string: "7"`]],
    ["type", ["/headers/content-type: expected application/json, received text/html"]],
    ["header", [`/headers/x-rate: expected an integer, received a string: "many"`]],
    ["status", ["/status: expected 204 as documented, received 200"]],
  ])
})
