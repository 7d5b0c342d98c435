// One document: it is read from a project, its operations are listed, and responses are checked against it.

import { isDeepStrictEqual } from "node:util"
import { createContractChecker, listOperations, readDocument } from "@callsheet/openapi"
import { readProject } from "@callsheet/project"
import { callsheet, createFolder } from "../../harness/callsheet.ts"
import { rm } from "node:fs/promises"
import type { ContractDocument, ReadContent } from "./contract-documents.ts"
import { documentedResponses, type DocumentedResponse } from "./documented-responses.ts"
import { measureLoading, type Loading } from "./measure-loading.ts"
import { tryResponses, type Tally } from "./try-responses.ts"
import { walkPaths } from "./walk-paths.ts"

export interface ContractOutcome extends Tally {
  readonly version: string
  readonly bytes: number
  readonly operations: number
  /** Names, methods and paths equal those of a plain walk, in order. */
  readonly isListedRight: boolean
  readonly isListedRightByCommand: boolean
  /** Responses with a documented body, and how many of them were checked. */
  readonly documented: number
  readonly tried: number
  readonly loading: Loading
  readonly milliseconds: number
}

/** The maximum number of checked responses per document, spread evenly. An operation's success comes first. */
export const responsesPerDocument = 600

export async function checkContracts(document: ContractDocument, seed: number): Promise<ContractOutcome> {
  const start = performance.now()
  const content = document.read()
  const folder = await createFolder(projectFiles(document, content))
  try {
    return { ...(await checkIn(folder, content, seed)), milliseconds: performance.now() - start }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const projectFiles = ({ extension }: ContractDocument, { text, others }: ReadContent) => ({
  "apis/api/environments/schema.json": { version: 1, variables: {} },
  [`apis/api/openapi.${extension}`]: text,
  ...Object.fromEntries([...others].map(([path, other]) => [`apis/api/${path}`, other])),
})

async function checkIn(
  folder: string,
  { root, text, others }: ReadContent,
  seed: number,
): Promise<Omit<ContractOutcome, "milliseconds">> {
  const { document: source, readFile } =
    readProject(folder, { workflows: [], apis: "all" }).apis.get("api") ?? {}
  if (source === undefined) throw new Error("the project has no document")
  const { document, problems } = await readDocument(source, { readFile })
  if (document === undefined) throw new Error(JSON.stringify(problems))
  const walked = walkPaths(root)
  const listed = listOperations(document)
  const isAsWalked = (operations: readonly Named[]) =>
    isDeepStrictEqual(operations.map(named), walked.map(named))
  const { all, tried } = chooseResponses(documentedResponses(root, walked))
  const checker = createContractChecker(document)
  const tally = await tryResponses({ root, seed }, tried, ({ index }, response) => {
    const operation = listed[index]
    if (operation === undefined) throw new Error("an operation is not listed")
    return checker.check({ operation, method: operation.method, ...response })
  })
  return {
    ...tally,
    version: document.version,
    bytes: [text, ...others.values()].reduce((bytes, one) => bytes + Buffer.byteLength(one), 0),
    operations: walked.length,
    isListedRight: isAsWalked(listed),
    isListedRightByCommand: isAsWalked(await listByCommand(folder)),
    documented: all,
    tried: tried.length,
    loading: await measureLoading(source, readFile),
  }
}

interface Named {
  readonly name: string
  readonly method: string
  readonly path: string
}

const named = ({ name, method, path }: Named): Named => ({ name, method, path })

async function listByCommand(folder: string): Promise<readonly Named[]> {
  const { stdout } = await callsheet(["list", "operations", "--json"], { folder, timeoutMs: 60_000 })
  const { operations } = JSON.parse(stdout) as {
    readonly operations: readonly {
      readonly operation: string
      readonly method: string
      readonly path: string
    }[]
  }
  return operations.map(({ operation, method, path }) => ({ name: operation, method, path }))
}

/** One response of each operation first, then the others. */
function chooseResponses(ofOperations: readonly (readonly DocumentedResponse[])[]) {
  const firsts = ofOperations.flatMap((responses) => responses.slice(0, 1))
  const others = ofOperations.flatMap((responses) => responses.slice(1))
  const chosen = spread(firsts, responsesPerDocument)
  const tried = [...chosen, ...spread(others, responsesPerDocument - chosen.length)]
  return { all: firsts.length + others.length, tried }
}

function spread<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items
  const step = items.length / count
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
