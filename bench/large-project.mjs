// Writes the project for the `validate` benchmark, which has no errors: 10 APIs with documents of 100 KB, 200 workflows
// of 20 blocks, and 2,000 environments with 20 variables each.

import { writeFiles } from "./write-files.mjs"

export const largeProject = { apis: 10, workflows: 200, environments: 200 }

const resources = 22
const numbers = (count) => Array.from({ length: count }, (_, number) => number)

/** Writes the project into `folder`. */
export async function writeLargeProject(folder) {
  const files = Object.fromEntries([
    ...numbers(largeProject.apis).flatMap(apiFiles),
    ...numbers(largeProject.workflows).map((at) => [`apis/workflow/flow-${at}.json`, workflow(at)]),
  ])
  await writeFiles(folder, files)
}

const apiName = (at) => `service-${at % largeProject.apis}`

function apiFiles(at) {
  const folder = `apis/${apiName(at)}`
  return [
    [`${folder}/openapi.json`, openapi(at)],
    [`${folder}/environments/schema.json`, { version: 1, variables }],
    ...numbers(largeProject.environments).map((number) => [
      `${folder}/environments/customer-${number}.json`,
      environment(at, number),
    ]),
    ...numbers(largeProject.environments)
      .filter((number) => number % 10 === 0)
      .map((number) => [
        `${folder}/environments/customer-${number}.secrets.env`,
        `apiKey="key of ${number}"\n`,
      ]),
  ]
}

const variables = {
  baseUrl: { type: "string", required: true, description: "The API's server." },
  apiKey: { type: "string", required: false, secret: true },
  retries: { type: "number", required: false, default: 3 },
  verbose: { type: "boolean", required: false },
  ...Object.fromEntries(
    numbers(17).map((number) => [
      `setting${number}`,
      { type: "string", required: number < 5, description: "One of many." },
    ]),
  ),
}

const environment = (at, number) => ({
  ...(number % 20 === 0 ? { level: "staging" } : { extends: `customer-${number - (number % 20)}` }),
  baseUrl: `https://customer-${number}.${apiName(at)}.example.com/v1`,
  retries: number % 5,
  verbose: number % 2 === 0,
  ...Object.fromEntries(
    numbers(17).map((index) => [`setting${index}`, `value ${index} of customer ${number}`]),
  ),
})

/** Returns the document of an API. Each resource has three operations and a schema. */
export function openapi(at, count = resources) {
  const names = numbers(count).map((number) => `Item${number}`)
  return {
    openapi: "3.1.0",
    info: { title: `Service ${at}`, version: "1.0.0", description: "One of the services of the bench." },
    servers: [{ url: `https://${apiName(at)}.example.com` }],
    paths: Object.fromEntries(names.flatMap(pathsOf)),
    components: { schemas: Object.fromEntries(names.map((name) => [name, itemSchema(name)])) },
  }
}

const schemaOf = (name) => ({ $ref: `#/components/schemas/${name}` })
const json = (description, schema) => ({ description, content: { "application/json": { schema } } })
const idParameter = { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }

const pathsOf = (name) => [
  [
    `/${name.toLowerCase()}`,
    {
      get: {
        operationId: `list${name}`,
        tags: [name],
        summary: `All of ${name}, page by page.`,
        parameters: [{ name: "page", in: "query", schema: { type: "integer", minimum: 1 } }],
        responses: {
          200: json("A page.", {
            type: "object",
            required: ["items", "total"],
            properties: { items: { type: "array", items: schemaOf(name) }, total: { type: "integer" } },
          }),
        },
      },
      post: {
        operationId: `create${name}`,
        tags: [name],
        summary: `A new ${name}.`,
        requestBody: { required: true, ...json(`The ${name}.`, schemaOf(name)) },
        responses: {
          201: json(`The new ${name}.`, schemaOf(name)),
          400: { description: "Something is wrong with it." },
        },
      },
    },
  ],
  [
    `/${name.toLowerCase()}/{id}`,
    {
      get: {
        operationId: `get${name}`,
        tags: [name],
        summary: `One ${name} by its id.`,
        parameters: [idParameter],
        responses: {
          200: json(`The ${name}.`, schemaOf(name)),
          404: { description: "The id doesn't exist." },
        },
      },
    },
  ],
]

const itemSchema = (name) => ({
  type: "object",
  description: `${name} as the service keeps it, with all that belongs to it.`,
  required: ["name", "count"],
  properties: {
    id: { type: "string", format: "uuid", readOnly: true },
    name: { type: "string", minLength: 1, maxLength: 200, description: "The display name." },
    count: { type: "integer", minimum: 0, description: "How many there are." },
    price: {
      type: "object",
      required: ["amount", "currency"],
      properties: { amount: { type: "number" }, currency: { type: "string", enum: ["EUR", "USD", "GBP"] } },
    },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    ...Object.fromEntries(
      numbers(10).map((number) => [
        `field${number}`,
        { type: ["string", "null"], maxLength: 100, description: `Field ${number} of ${name}.` },
      ]),
    ),
  },
})

function workflow(at) {
  const pick = (number) => ({ api: apiName(at + number), item: `Item${(at * 7 + number * 3) % resources}` })
  return {
    version: 1,
    inputs: { name: { type: "string", default: "something" } },
    blocks: [
      ...numbers(3).flatMap((number) => journey(pick(number), `${number}`)),
      {
        id: "again",
        type: "group",
        description: "Repeats the requests and checks their results.",
        blocks: [...journey(pick(3), "again"), ...listing(pick(3))],
      },
    ],
  }
}

const journey = ({ api, item }, id) => [
  {
    id: `create-${id}`,
    type: "request",
    request: {
      api,
      resource: item,
      operation: `create${item}`,
      overrides: {
        body: { name: "{{name}} {{$uuid}}", count: 3, "price.amount": 12.5, "price.currency": "EUR" },
      },
    },
  },
  {
    id: `created-${id}`,
    type: "assert",
    assertions: [
      { source: `create-${id}.response.status`, operator: "equals", value: 201 },
      { source: `create-${id}.response.body.id`, operator: "exists" },
      { source: `create-${id}.response.body.price.currency`, operator: "equals", value: "EUR" },
    ],
  },
  { id: `keep-${id}`, type: "transform", transforms: { id: `create-${id}.response.body.id` } },
  {
    id: `get-${id}`,
    type: "request",
    request: {
      api,
      resource: item,
      operation: `get${item}`,
      overrides: { params: { path: { id: `{{keep-${id}.id}}` } } },
    },
  },
  {
    id: `got-${id}`,
    type: "assert",
    assertions: [
      { source: `get-${id}.response.status`, operator: "equals", value: 200 },
      { source: `get-${id}.response.body.count`, operator: "greaterThan", value: 2 },
    ],
  },
]

const listing = ({ api, item }) => [
  { id: "list", type: "request", request: { api, resource: item, operation: `list${item}` } },
  {
    id: "each",
    type: "loop",
    mode: "forEach",
    source: "list.response.body.items",
    iteratorVar: "item",
    blocks: [{ id: "named", type: "assert", assertions: [{ source: "item.name", operator: "hasValue" }] }],
  },
]
