// Measures `callsheet impact` on two versions of a large document, and of one whose operations all share their schemas.

import { join } from "node:path"
import { openapi } from "./large-project.mjs"
import { measure, median } from "./measure.mjs"
import { writeFiles } from "./write-files.mjs"

const workflows = 500
const numbers = (count) => Array.from({ length: count }, (_, number) => number)

/** The two versions of each document, and the operations that workflows send. */
const documents = {
  large: {
    what: "two documents of 13 MB",
    write: largeDocument,
    operation: (at) => `getItem${at % 1_400}`,
    source: "body.price.amount",
  },
  shared: {
    what: "12,000 operations that share 20 schemas",
    write: sharedDocument,
    operation: (at) => `get${at * 2}`,
    source: "body.s3.name",
  },
}

const explanation =
  "Only people who may read the repository can call this. It takes a page, and says where the next is. "

/** A tenth of the schemas have lost a property. As in most public documents, most of the text is descriptions. */
function largeDocument(version) {
  const document = openapi(0, 1_400)
  for (const pathItem of Object.values(document.paths))
    for (const operation of Object.values(pathItem)) operation.description = explanation.repeat(11)
  if (version === 2)
    for (const [at, { properties }] of Object.values(document.components.schemas).entries())
      if (at % 10 === 0) delete properties.price
  return document
}

/** Each schema leads to all others, and has changed. */
function sharedDocument(version) {
  const names = numbers(20).map((number) => `s${number}`)
  const schemaOf = (name) => ({ $ref: `#/components/schemas/${name}` })
  const schema = {
    type: "object",
    properties: {
      name: version === 1 ? { type: "string" } : { type: "integer" },
      ...Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    },
  }
  const operation = (number) => ({
    operationId: `get${number}`,
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
    responses: { 200: { description: "One.", content: { "application/json": { schema: schemaOf("s0") } } } },
  })
  return {
    openapi: "3.1.0",
    info: { title: "Shared", version: `${version}` },
    servers: [{ url: "https://shared.example" }],
    paths: Object.fromEntries(
      numbers(12_000).map((number) => [`/things/${number}/{id}`, { get: operation(number) }]),
    ),
    components: {
      schemas: Object.fromEntries(names.map((name) => [name, { ...schema, description: name }])),
    },
  }
}

const workflow = (at, { operation, source }) => ({
  version: 1,
  blocks: numbers(10).flatMap((number) => [
    {
      id: `get-${number}`,
      type: "request",
      request: {
        api: "bench",
        operation: operation(at * 10 + number),
        overrides: { params: { path: { id: "1" } } },
      },
    },
    {
      id: `check-${number}`,
      type: "assert",
      assertions: [{ source: `get-${number}.response.${source}`, operator: "hasValue" }],
    },
  ]),
})

/** Writes the project with the large document. */
export const writeLargeDocument = (folder) => writeProject(folder, documents.large)

const writeProject = (folder, document) =>
  writeFiles(folder, {
    "old.json": document.write(1),
    "apis/bench/openapi.json": document.write(2),
    ...Object.fromEntries(
      numbers(workflows).map((at) => [`apis/workflow/w${at}.json`, workflow(at, document)]),
    ),
  })

/** Returns the rows of all documents. */
export async function compareImpact({ folder, program, rounds, progress }) {
  const rows = []
  for (const [name, document] of Object.entries(documents)) {
    const project = join(folder, name)
    await writeProject(project, document)
    const words = ["impact", "--against-file", "old.json", "--api", "bench", "--fail-on", "none"]
    const what = `(t) impact: ${document.what}, ${workflows} workflows`
    const samples = []
    for (let round = 0; round < rounds; round++) {
      samples.push(await measure([...program, ...words], { cwd: project, memory: true }))
      progress(`${what}: ${round + 1} of ${rounds}`)
    }
    progress("")
    const cpu = median(samples.map(({ cpuMs }) => cpuMs))
    const peak = median(samples.map(({ peakBytes }) => peakBytes / 1024 / 1024))
    rows.push(
      {
        what,
        measured: "CPU",
        ours: `${cpu.toFixed(0)} ms`,
        baseline: "at most 5000 ms",
        ratio: cpu / 5_000,
        goal: 1,
      },
      {
        what,
        measured: "peak memory",
        ours: `${peak.toFixed(0)} MiB`,
        baseline: "at most 512 MiB",
        ratio: peak / 512,
        goal: 1,
      },
    )
  }
  return rows
}
