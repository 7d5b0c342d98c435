// Writes the project that callsheet runs in the benchmark, with loops of these lengths.

import { createHash } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { contractDocument, contractWorkflow, documentedResponses } from "./contracts.mjs"

/** 50 MB, just below the default limit of 50 MiB for a response. */
export const bigBodyBytes = 50_000_000

const openapi = {
  openapi: "3.0.3",
  info: { title: "Bench", version: "1" },
  paths: {
    "/item": {
      get: { operationId: "getItem", tags: ["items"], responses: { 200: { description: "One item." } } },
    },
    "/big": {
      get: { operationId: "getBig", tags: ["items"], responses: { 200: { description: "Many items." } } },
    },
  },
}

/** The number of chains. Each sends five requests. */
export const chainCount = 500

const answered = (status) => ({ responses: { [status]: { description: "As asked." } } })
const jsonBody = { requestBody: { content: { "application/json": {} } } }
const things = {
  openapi: "3.0.3",
  info: { title: "Things", version: "1" },
  paths: {
    "/login": { post: { operationId: "login", tags: ["things"], ...jsonBody, ...answered(200) } },
    "/things": { post: { operationId: "createThing", tags: ["things"], ...jsonBody, ...answered(201) } },
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { operationId: "readThing", tags: ["things"], ...answered(200) },
      put: { operationId: "updateThing", tags: ["things"], ...jsonBody, ...answered(200) },
      delete: { operationId: "deleteThing", tags: ["things"], ...answered(204) },
    },
  },
}

const step = (id, operation, { params, body } = {}) => ({
  id,
  type: "request",
  request: {
    api: "things",
    resource: "things",
    operation,
    overrides: {
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body }),
    },
  },
})

const header = { authorization: "Bearer {{login.response.body.token}}" }
const path = { id: "{{create.response.body.id}}" }
const chain = {
  version: 1,
  blocks: [
    {
      id: "repeat",
      type: "loop",
      mode: "times",
      count: chainCount,
      execution: "sequential",
      blocks: [
        step("login", "login", { body: { user: "ann", password: "correct horse" } }),
        step("create", "createThing", { params: { header }, body: { name: "tea", count: "{{$index}}" } }),
        step("read", "readThing", { params: { header, path } }),
        step("update", "updateThing", { params: { header, path }, body: { name: "tea", count: 0 } }),
        step("delete", "deleteThing", { params: { header, path } }),
        {
          id: "check",
          type: "assert",
          assertions: Object.entries({ login: 200, create: 201, read: 200, update: 200, delete: 204 }).map(
            ([id, status]) => ({ source: `${id}.response.status`, operator: "equals", value: status }),
          ),
        },
      ],
    },
  ],
}

const getItem = {
  id: "get",
  type: "request",
  request: { api: "bench", resource: "items", operation: "getItem" },
}

const threeAssertions = {
  id: "check",
  type: "assert",
  assertions: [
    { source: "get.response.status", operator: "equals", value: 200 },
    { source: "get.response.body.sku", operator: "equals", value: "tea-250" },
    { source: "get.response.body.stock.count", operator: "greaterThan", value: 0 },
  ],
}

const repeated = (count, execution) => ({
  version: 1,
  blocks: [
    { id: "repeat", type: "loop", mode: "times", count, execution, blocks: [getItem, threeAssertions] },
  ],
})

/** Each row of a data file sets its input. */
const row = {
  version: 1,
  inputs: { sku: { type: "string", required: true } },
  blocks: [
    { ...getItem, request: { ...getItem.request, overrides: { params: { query: { sku: "{{sku}}" } } } } },
    threeAssertions,
  ],
}

const rowsOf = (count) =>
  ["sku", ...Array.from({ length: count }, (_, index) => `tea-${index}`), ""].join("\n")

/** The number of entries in the suite `large`. Half of them clean up after the others. */
export const entryCount = 10_000

/** The `callsheet.json` of that suite. */
export const largeSuite = {
  version: 1,
  suites: {
    large: {
      before: [{ workflow: "check", as: "fails", inputs: { sku: "coffee" } }],
      workflows: Array.from({ length: entryCount / 2 }, (_, index) => ({
        workflow: "check",
        as: `entry-${index}`,
        inputs: { sku: `tea-${index}` },
        finally: [{ workflow: "check", inputs: { sku: "{{named.sku}}" } }],
      })),
    },
  },
}

const workflows = (counts) => ({
  row,
  check: {
    version: 1,
    inputs: row.inputs,
    blocks: [
      { id: "named", type: "transform", transforms: { sku: "sku" } },
      {
        id: "check",
        type: "assert",
        assertions: [{ source: "named.sku", operator: "contains", value: "tea" }],
      },
    ],
  },
  one: {
    version: 1,
    blocks: [
      getItem,
      {
        id: "check",
        type: "assert",
        assertions: [{ source: "get.response.status", operator: "equals", value: 200 }],
      },
    ],
  },
  chain,
  big: {
    version: 1,
    blocks: [
      { id: "big", type: "request", request: { api: "bench", resource: "items", operation: "getBig" } },
      {
        id: "check",
        type: "assert",
        assertions: [{ source: "big.response.body.items.9.id", operator: "equals", value: 9 }],
      },
    ],
  },
  ...Object.fromEntries(
    counts.flatMap((count) => [
      [`sequential-${count}`, repeated(count, "sequential")],
      [`parallel-${count}`, repeated(count, "parallel")],
    ]),
  ),
})

const contractWorkflows = (counts) =>
  Object.fromEntries(
    Object.keys(documentedResponses).flatMap((name) =>
      counts.flatMap((count) => [
        [`${name}-unvalidated-${count}`, contractWorkflow(name, { count, validateContracts: false })],
        [`${name}-validated-${count}`, contractWorkflow(name, { count, validateContracts: true })],
      ]),
    ),
  )

/** Returns a value that looks like a key or a password. It is the same in each run. */
const valueOf = (index) => {
  const digits = createHash("sha256").update(String(index)).digest("base64url")
  return [`sk_live_${digits.slice(0, 24)}`, digits, `p4$$ w/${digits.slice(0, 12)}`, `ü${digits}`][index % 4]
}

/**
 * Writes the project into `folder`. It has a sequential and a parallel workflow for each count, and two workflows for
 * each documented response: with and without validation. `variables` is the number of additional variables.
 */
export async function writeProject(folder, { port, counts, variables = 0, secret = false }) {
  const more = Array.from({ length: variables }, (_, index) => [`key${index}`, valueOf(index)])
  const files = {}
  for (const count of counts) files[`rows-${count}.csv`] = rowsOf(count)
  for (const [api, document] of Object.entries({ bench: openapi, documented: contractDocument, things })) {
    files[`apis/${api}/openapi.json`] = document
    files[`apis/${api}/environments/schema.json`] = {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        ...Object.fromEntries(more.map(([name]) => [name, { type: "string", required: true, secret }])),
      },
    }
    files[`apis/${api}/environments/local.json`] = { baseUrl: `http://127.0.0.1:${port}` }
    files[`apis/${api}/environments/local.secrets.env`] = more
      .map(([name, value]) => `${name}='${value}'\n`)
      .join("")
  }
  for (const [name, workflow] of Object.entries({ ...workflows(counts), ...contractWorkflows(counts) }))
    files[`apis/workflow/${name}.json`] = workflow
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(
      file,
      typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`,
    )
  }
}
