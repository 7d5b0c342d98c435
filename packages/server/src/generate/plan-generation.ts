// Works out what `generate` would write: reads the project and its documents, generates, and merges with hand edits.

import { createHash } from "node:crypto"
import {
  type Api,
  CallsheetError,
  checkProjectFile,
  emptyState,
  formatMessages,
  GENERATED_FILE,
  type GeneratedState,
  generatedStateText,
  isJsonObject,
  member,
  nameKey,
  ownOf,
  parseJson,
  type Problem,
  type ProcessEnvironment,
  problemsAtOffsets,
  type Project,
  PROJECT_FILE,
  readGeneratedState,
  setOwn,
} from "@callsheet/format"
import {
  type FindSecrets,
  type Generated,
  generatedText,
  type GenerateChoice,
  generate as generateTests,
  type GeneratingApi,
  hideSecrets,
  type Kept,
  keptReasons,
  mergeProject,
  type MergedProject,
  type Skipped,
  workflowNameOf,
} from "@callsheet/language"
import { findOperation, listOperations, ofResource, readDocument } from "@callsheet/openapi"
import {
  applyTextEdits,
  readAllEnvironments,
  readProject,
  readTextFile,
  type TextEdit,
} from "@callsheet/project"
import { messages } from "../messages.ts"
import { findingSecrets } from "./find-secrets.ts"

export interface Generation {
  readonly edits: readonly TextEdit[]
  readonly removed: readonly Pick<TextEdit, "file" | "before">[]
  readonly result: GenerationResult
}

/** What `callsheet generate --json` prints. */
export interface GenerationResult {
  readonly workflows: readonly string[]
  readonly suites: readonly string[]
  /** The files that are written or removed. */
  readonly files: readonly string[]
  readonly kept: readonly Kept[]
  readonly skipped: readonly Skipped[]
  /** The operations that the documents added and lost since the last time. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export interface GenerationJob {
  readonly root: string
  readonly choice: GenerateChoice
  /** May have secrets of the project, which no generated file must contain. */
  readonly processEnvironment: ProcessEnvironment
}

/** Throws `api-unknown`, `operation-unknown`, the problems of documents, and misuse of a choice. Writes nothing. */
export async function planGeneration({
  root,
  choice,
  processEnvironment,
}: GenerationJob): Promise<Generation> {
  const project = readProject(root, { workflows: "all", apis: "all" })
  const apis = await readGeneratingApis(project, choice.api)
  requireChosen(apis, choice)
  const state = readState(root)
  const find = findingSecrets(readAllEnvironments(project), processEnvironment)
  const { generated, possible, foreign } = generate(project, { apis, choice, state, find })
  const settings = readSettings(root)
  const merged = mergeProject({
    files: generated.files,
    suites: generated.suites as Readonly<Record<string, never>>,
    helpers: generated.helpers,
    possible,
    state,
    readFile: (path) => readOwn(root, path),
    existing: project.workflowNames.map((name) => `apis/workflow/${name}.json`),
    settings,
    digest: (text) => createHash("sha256").update(text).digest("base64url").slice(0, 16),
  })
  const changes = changesOf(apis, state, choice)
  const taken = foreign.map(({ file }) => ({ file, reason: keptReasons.foreign() }))
  return generationOf({
    root,
    settings,
    generated,
    merged: { ...merged, kept: [...taken, ...merged.kept] },
    changes,
  })
}

interface Chosen {
  readonly apis: readonly GeneratingApi[]
  readonly choice: GenerateChoice
  readonly state: GeneratedState | undefined
  readonly find: FindSecrets
}

/**
 * Generates the chosen operations. `possible` has the files of all operations. A workflow of a person whose name a
 * generated one would have is `foreign`, and the generated one gets another name.
 */
function generate(project: Project, { apis, choice, state, find }: Chosen) {
  const own = new Set([...Object.keys(state?.workflows ?? {}), ...Object.keys(state?.texts ?? {})])
  const request = { apis, generatedFiles: own }
  const isPart = Object.values(choice).some((value) => value !== undefined)
  const make = (workflowNames: readonly string[]) => {
    const made = generateTests({ ...request, workflowNames, choice })
    const generated = { ...made, files: made.files.map((file) => hideSecrets(file, find)) }
    const others = isPart ? generateTests({ ...request, workflowNames, choice: {} }) : generated
    return { generated, possible: new Set([...others.files, ...generated.files].map(({ path }) => path)) }
  }
  const first = make([])
  const texts = new Map(first.generated.files.map((file) => [nameKey(file.path), generatedText(file)]))
  const paths = new Set([...first.possible].map(nameKey))
  const foreign = [...project.workflows.values()].filter(
    ({ file, text }) =>
      !own.has(file) &&
      paths.has(nameKey(file)) &&
      texts.get(nameKey(file)) !== text.replaceAll("\r\n", "\n"),
  )
  const made = foreign.length === 0 ? first : make(foreign.map(({ name }) => name))
  return { ...made, foreign }
}

/**
 * Reads the documents. Throws if the chosen API is unknown, or if one can't be read, even if another API is chosen, because names depend on all of them.
 */
export async function readGeneratingApis(
  { apis, apiNames }: Pick<Project, "apis" | "apiNames">,
  chosen: string | undefined,
): Promise<readonly GeneratingApi[]> {
  if (chosen !== undefined && !apiNames.includes(chosen))
    throw new CallsheetError(formatMessages["api-unknown"].unknown(chosen, apiNames))
  const read: GeneratingApi[] = []
  for (const api of apis.values()) {
    const isMissing = api.document === undefined && api.documentFile === undefined
    if (isMissing && chosen !== api.name) continue
    const { document, problems } =
      api.document === undefined
        ? { problems: api.problems }
        : await readDocument(api.document, { readFile: api.readFile })
    if (document === undefined) throwProblems(api, problems)
    else read.push({ api, document })
  }
  if (read.length === 0) throw new CallsheetError(messages["document-invalid"].none())
  return read
}

/** Throws the problems of a document, or that the API has none. */
function throwProblems({ name }: Api, problems: readonly Problem[]): never {
  const errors = problems.filter(({ severity }) => severity === "error")
  throw new CallsheetError(errors[0] ?? messages["document-invalid"].noneOf(name), { problems: errors })
}

function throwAll(problems: readonly Problem[]): never {
  const [first] = problems
  throw first === undefined
    ? new Error("a file without problems can't be read")
    : new CallsheetError(first, { problems })
}

/** Throws what is unknown of a choice. */
export function requireChosen(
  all: readonly GeneratingApi[],
  { api, tag, operations = [] }: GenerateChoice,
): void {
  const chosen = all.filter((one) => api === undefined || one.api.name === api)
  for (const operation of operations) {
    const results = chosen.map(({ document }) => findOperation(document, { operation }))
    if (results.some(({ status }) => status === "found")) continue
    // Of several documents, one may have a similar name.
    const unknown = results.filter((result) => result.status !== "found")
    throw new CallsheetError(
      unknown.find(({ hint }) => hint !== undefined) ?? unknown[0] ?? messages["document-invalid"].none(),
    )
  }
  if (tag === undefined) return
  const listed = chosen.flatMap(({ document }) => listOperations(document))
  if (ofResource(listed, tag).length > 0) return
  const known = [...new Set(listed.flatMap(({ resources }) => resources))]
  throw new CallsheetError(messages.usage.unknownTag(tag, known))
}

function readState(root: string): GeneratedState | undefined {
  const found = readTextFile(root, { file: GENERATED_FILE })
  if (found === undefined) return undefined
  const { state, problems } = readGeneratedState({ file: GENERATED_FILE, text: found.text })
  return state ?? throwAll(problems)
}

/** Reads `callsheet.json`. Throws its problems if no edit could change it. */
function readSettings(root: string): string | undefined {
  const text = readTextFile(root, { file: PROJECT_FILE })?.text
  if (text === undefined) return undefined
  const parsed = parseJson(text)
  if (!parsed.ok) throwAll(problemsAtOffsets({ file: PROJECT_FILE, text }, parsed.findings))
  const suites = member(parsed.value, "suites") ?? {}
  const isEditable = isJsonObject(suites) && Object.values(suites).every(isJsonObject)
  if (!isJsonObject(parsed.value) || !isEditable)
    throwAll(checkProjectFile({ file: PROJECT_FILE, text }).problems)
  return text
}

/** Reads a file of the project. A file that can't be read is as if it were empty, and so it is never overwritten. */
function readOwn(root: string, file: string): string | undefined {
  try {
    return readTextFile(root, { file })?.text
  } catch (error) {
    if (error instanceof CallsheetError) return ""
    throw error
  }
}

interface Changes extends Pick<GenerationResult, "added" | "removed"> {
  readonly operations: GeneratedState["operations"]
}

function changesOf(
  apis: readonly GeneratingApi[],
  state: GeneratedState | undefined,
  { api: chosen, tag, operations: names }: GenerateChoice,
): Changes {
  const operations: Record<string, readonly string[]> = { ...state?.operations }
  const added: string[] = []
  const removed: string[] = []
  for (const { api, document } of apis) {
    if (chosen !== undefined && chosen !== api.name) continue
    const now = [...new Set(listOperations(document).map(({ name }) => name))]
    const before = ownOf(state?.operations, api.name)
    added.push(...now.filter((name) => before?.includes(name) === false))
    removed.push(...(before ?? []).filter((name) => !now.includes(name)))
    // A call for some operations leaves the news of others to the next one.
    if (tag === undefined && names === undefined) setOwn(operations, api.name, now)
  }
  return { operations, added, removed }
}

interface Merging {
  readonly root: string
  readonly settings: string | undefined
  readonly generated: Generated
  readonly merged: MergedProject
  readonly changes: Changes
}

function generationOf({ root, settings, generated, merged, changes }: Merging): Generation {
  const { added, removed, operations } = changes
  const state = generatedStateText({ ...emptyState, ...merged.state, operations })
  const own = [
    ...merged.files,
    { file: PROJECT_FILE, before: settings, after: merged.settings },
    { file: GENERATED_FILE, before: readOwn(root, GENERATED_FILE), after: state },
  ].filter(({ before, after }) => before !== after)
  const edits = own.flatMap(({ file, before = null, after }) =>
    after === undefined ? [] : [{ file, before, after, isSecret: false }],
  )
  const present = new Set([...merged.present].map(workflowNameOf))
  return {
    edits,
    removed: own.flatMap(({ file, before = null, after }) => (after === undefined ? [{ file, before }] : [])),
    result: {
      workflows: generated.workflows.filter((name) => present.has(name)),
      suites: merged.suites,
      files: own.map(({ file }) => file),
      kept: merged.kept,
      skipped: generated.skipped,
      added,
      removed,
    },
  }
}

/** Writes everything that was planned or, if a file has changed since, nothing. */
export async function writeGeneration(root: string, { edits, removed }: Generation): Promise<void> {
  if (edits.length + removed.length > 0)
    await applyTextEdits({ root, title: "generate tests", edits, removed })
}
