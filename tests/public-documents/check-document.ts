// Checks one document: creates a project with workflows, and validates it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { validateProject } from "@callsheet/language"
import type { Problem } from "@callsheet/format"
import { readProject } from "@callsheet/project"
import { createChance } from "./chance.ts"
import type { PublicDocument } from "./documents.ts"
import { byPath, listRawOperations } from "./list-operations.ts"
import { makeWorkflows, type MadeWorkflow } from "./make-workflows.ts"
import { misspell, type MisspelledWorkflow } from "./misspell.ts"
import { parseDocument } from "./raw-document.ts"

export interface DocumentOutcome {
  readonly operations: number
  readonly workflows: number
  readonly assertions: number
  /** Everything reported for the document and for valid workflows, with its line. */
  readonly said: readonly Said[]
  readonly misspelled: { readonly closed: Tally; readonly listed: Tally }
  /** Wrong sources without a report. */
  readonly missed: readonly string[]
  readonly milliseconds: number
}

export interface Said extends Problem {
  /** The reported line. */
  readonly text: string
  /** The operation to which the line belongs, if a name in the line identifies it. */
  readonly operation: string
}

export interface Tally {
  readonly found: number
  /** The number of these that were reported as errors. */
  readonly errors: number
  readonly of: number
}

/** The maximum number of operations used from one document, chosen by the seed. */
const operationsPerDocument = 300
const misspellingsPerDocument = 20

export async function checkDocument(document: PublicDocument, seed: number): Promise<DocumentOutcome> {
  const text = document.text()
  const root = parseDocument(text, document.extension)
  const chance = createChance(seed)
  const operations = chance.shuffle(listRawOperations(root)).slice(0, operationsPerDocument)
  const workflows = makeWorkflows({ root, chance }, operations)
  const misspelled = misspell({ root, chance }, operations, misspellingsPerDocument)
  const files = new Map([
    [`apis/api/openapi.${document.extension}`, text],
    ...projectFiles([...workflows, misspelled]),
  ])
  const start = performance.now()
  const problems = await validate(files)
  const milliseconds = performance.now() - start
  const withText = problems.map((problem): Said => {
    const text = lineOf(files, problem)
    const index = /\bop(\d+)/.exec(`${text} ${problem.message} ${problem.file}`)?.[1]
    const operation = index === undefined ? undefined : operations[Number(index)]
    return { ...problem, text, operation: operation === undefined ? "" : byPath(operation) }
  })
  const wrong = withText.filter(({ file }) => file?.endsWith("/misspelled.json") === true)
  return {
    operations: operations.length,
    workflows: workflows.length,
    assertions: [...files.values()].join("").split(`"operator"`).length - 1 - misspelled.misspellings.length,
    said: withText.filter((problem) => !wrong.includes(problem)),
    ...tallies(misspelled, wrong),
    milliseconds,
  }
}

function* projectFiles(workflows: readonly MadeWorkflow[]): Iterable<[string, string]> {
  const schema = { version: 1, variables: { baseUrl: { type: "string", required: true } } }
  yield ["apis/api/environments/schema.json", JSON.stringify(schema)]
  yield ["apis/api/environments/local.json", JSON.stringify({ baseUrl: "http://127.0.0.1:9" })]
  yield ["files/data.bin", "data"]
  for (const { name, content, instances } of workflows) {
    yield [`apis/workflow/${name}.json`, JSON.stringify(content, null, 1)]
    for (const { resource, name, content } of instances)
      yield [`apis/api/requests/${resource}/${name}.json`, JSON.stringify(content, null, 1)]
  }
}

async function validate(files: ReadonlyMap<string, string>): Promise<readonly Problem[]> {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-document-"))
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const project = readProject(folder, { workflows: "all", apis: "all" })
    const describe = () => Promise.reject(new Error("these workflows have no scripts"))
    return await validateProject({ project, describe })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lineOf(files: ReadonlyMap<string, string>, { file, line }: Problem): string {
  const text = file === undefined || line === undefined ? "" : files.get(file)?.split("\n")[line - 1]
  return (text ?? "").trim().slice(0, 300)
}

function tallies(
  { misspellings }: MisspelledWorkflow,
  said: readonly Said[],
): Pick<DocumentOutcome, "misspelled" | "missed"> {
  const about = (source: string) => said.filter(({ text }) => text.includes(JSON.stringify(source)))
  const isFound = (source: string) => about(source).length > 0
  const isError = (source: string) => about(source).some(({ severity }) => severity === "error")
  const tally = (last: "closed" | "listed"): Tally => {
    const wrong = misspellings.filter((one) => one.last === last)
    const count = (is: (source: string) => boolean) => wrong.filter(({ source }) => is(source)).length
    return { found: count(isFound), errors: count(isError), of: wrong.length }
  }
  const missed = misspellings
    .filter(({ source }) => !isFound(source))
    .map(({ source, last }) => `${last}: ${source}`)
  return { misspelled: { closed: tally("closed"), listed: tally("listed") }, missed }
}
