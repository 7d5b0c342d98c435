// Makes the change set of an import: reads the sources and the OpenAPI document, and turns them into the files of a project.

import {
  CallsheetError,
  getOrCreate,
  isSourceAddress,
  PROJECT_FILE,
  stringifyJson,
  type Api,
  type EnvironmentFiles,
  type PlannedFile,
  type ProcessEnvironment,
  type ReadFile,
  type ReadFileResult,
  type SourceFile,
  isSecretName,
} from "@callsheet/format"
import { bundleDocument, listOperations, readDocument, type OpenApiDocument } from "@callsheet/openapi"
import { carryOver, type CarriedOver } from "./carry/carry-over.ts"
import { apiNameFor, furtherApi, type CarryRequest } from "./carry/read-names.ts"
import { projectReadme } from "./carry/project-readme.ts"
import { messages } from "./messages.ts"
import { Secrets, secretsOf, type CreateSearch, type SecretValue } from "./carry/secrets.ts"
import type { Collection, SourceDocument } from "./model.ts"
import type { SourceDirectory } from "./read/bruno-directory.ts"
import { readSources } from "./read/read-sources.ts"

export interface ImportRequest extends Pick<CarryRequest, "readFile"> {
  /** The environments of the project. Their secrets get into no file that Git keeps. */
  readonly environments: readonly EnvironmentFiles[]
  readonly processEnvironment: ProcessEnvironment
  readonly createSearch: CreateSearch
  readonly sources: readonly (SourceFile | SourceDirectory)[]
  /** The name of the API. By default, the slug of the collection's name. */
  readonly api?: string | undefined
  /** The document to copy, as the user names it. By default, the only source if it is a document. */
  readonly document?: string | undefined
  readonly openDocument: (given: string) => GivenDocument
  /** The URL of the source, to remember if it is a document and if the URL seems to contain no secret. */
  readonly address?: string | undefined
  /** Reads a document that the source names, by its path from the directory of the source. Undefined without one there. */
  readonly openNear?: (path: string) => GivenDocument | undefined
  /** Reads the API in the project. Undefined if there is no project. */
  readonly readApi: (api: string, documents: "read" | "named") => Api | undefined
}

export interface GivenDocument extends SourceFile {
  /** Reads the other files of the document. */
  readonly readFile?: ReadFile | undefined
}

export interface ImportChangeSet extends Omit<CarriedOver, "known"> {
  /** The format of the sources. */
  readonly source: string
  /** What a document without requests brings. */
  readonly added?: { readonly operations: number; readonly environments: number } | undefined
}

/** Throws `import-source`, `file-exists`, and the problems of files that can't be read. */
export async function makeImport(request: ImportRequest): Promise<ImportChangeSet> {
  return makeImportOf(await readSources(request.sources, request.address), request)
}

/** Makes the change set of a collection that has been read. With `savesRequests`, it has no workflows. */
export async function makeImportOf(
  collection: Collection,
  request: ImportRequest & Pick<CarryRequest, "savesRequests">,
): Promise<ImportChangeSet> {
  const { environments, processEnvironment, createSearch } = request
  const ofProject = secretsOf(environments, processEnvironment)
  const withSecrets = (known: readonly SecretValue[]) =>
    makeChanges(collection, request, new Secrets([...known, ...ofProject], createSearch))
  let made = await withSecrets([])
  // The source's own secrets are known only now. They must not be in its names and texts, either. Then variables that
  // contain one are secrets, too, as they are for a later import, which finds them in the project.
  for (let pass = 1, values = new Set<string>(); pass <= MAX_PASSES; pass++) {
    const { known } = made
    if (known.every(({ value }) => values.has(value))) break
    values = new Set(known.map(({ value }) => value))
    made = await withSecrets(known)
  }
  const { known: _, ...changes } = made
  return changes
}

/** A second pass finds the variables that contain a secret, and no pass finds more. */
const MAX_PASSES = 2

async function makeChanges(
  collection: Collection,
  request: ImportRequest & Pick<CarryRequest, "savesRequests">,
  secrets: Secrets,
): Promise<ImportChangeSet & CarriedOver> {
  const { readApi, openDocument, readFile, savesRequests, address } = request
  const api = apiNameFor(collection, secrets, request.api)
  const alone = collection.source === "openapi" ? collection.root.where : undefined
  const given = request.document ?? alone
  const [first, ...others] = collection.documents ?? []
  if (given !== undefined && others.length > 0)
    throw new CallsheetError(
      messages["import-source"].documents(
        collection.root.where,
        [first, ...others].map((one) => one?.name ?? ""),
      ),
    )
  const own =
    given === undefined
      ? await findDocument(first, api, { ...request, secrets })
      : await copyDocument(openDocument(given), {
          given,
          api,
          own: ownDocument(readApi(api, "named")),
          secrets,
        })
  const documents = new Map<string, Found & { readonly api: string }>()
  for (const source of others) {
    const name = furtherApi(source.name, api, secrets)
    const found = await findDocument(source, name, { ...request, secrets })
    documents.set(source.name, { ...found, api: name })
  }
  const known = [...documents].flatMap(([name, found]) =>
    found.document === undefined ? [] : [[name, { api: found.api, document: found.document }] as const],
  )
  const carried = carryOver({
    collection,
    api,
    document: own.document,
    documents: new Map(known),
    readFile,
    secrets,
    savesRequests,
  })
  const copies = [own, ...documents.values()].flatMap(({ copy }) => copy)
  const source =
    address === undefined || collection.source !== "openapi" || !mayRemember(address, secrets)
      ? []
      : [{ file: PROJECT_FILE, is: "source", api, address } as const]
  const placed = [...copies, ...carried.files, ...source]
  const files = [...placed, ...readmeOf({ ...carried, files: placed, collection, secrets }, request)]
  refuseSecrets(files, api, secrets)
  const added =
    collection.source === "openapi" && own.document !== undefined
      ? { operations: listOperations(own.document).length, environments: carried.environments }
      : undefined
  return { ...carried, source: collection.source, files, added }
}

/** Throws `import-source` if a file that Git keeps has a secret. */
function refuseSecrets(files: readonly PlannedFile[], api: string, secrets: Secrets): void {
  for (const one of files) {
    const left = secrets.leftIn(`${one.file.replace(`apis/${api}/`, "")}\n${textOf(one)}`)
    if (left !== undefined) throw new CallsheetError(messages["import-source"].secretLeft(one.file, left))
  }
}

/** Returns the README of an import that writes something. A single request says nothing about the project. */
function readmeOf(
  described: Omit<Parameters<typeof projectReadme>[0], "sourceNames">,
  { sources, document, savesRequests }: ImportRequest & Pick<CarryRequest, "savesRequests">,
): readonly PlannedFile[] {
  if (savesRequests === true || described.files.length === 0) return []
  const names = [...sources.map(({ file }) => file), document]
  return [projectReadme({ ...described, sourceNames: names.filter((name) => name !== undefined) })]
}

/** Returns whether Git may keep a URL. Signed URLs and those with a key have a long or a telling parameter. */
function mayRemember(address: string, secrets: Secrets): boolean {
  const { searchParams } = new URL(address)
  const isHarmless = ([name, value]: readonly [string, string]): boolean =>
    /^[\w.,-]{0,32}$/.test(value) && !isSecretName(name) && !/key|tok|sig|auth|pass|secret|cred/i.test(name)
  return (
    isSourceAddress(address) && [...searchParams].every(isHarmless) && secrets.leftIn(address) === undefined
  )
}

/**
 * The text of a file that Git keeps. Copied files are checked when they are read. The README has words of callsheet, which
 * prove nothing, and names that are in other files, too.
 */
function textOf(file: PlannedFile): string {
  if (file.is === "text") return file.text
  if (file.is === "declarations") return stringifyJson(file.variables)
  return file.is === "suites" ? stringifyJson(file.suites) : ""
}

interface Found {
  readonly document?: OpenApiDocument | undefined
  /** The copy of a document that the project doesn't have yet. */
  readonly copy: readonly PlannedFile[]
}

function memoized(read: ReadFile): ReadFile {
  const results = new Map<string, ReadFileResult>()
  return (path) => getOrCreate(results, path, read)
}

/** Finds the document of an API: the one that the API has, or the one that the source names. */
async function findDocument(
  source: SourceDocument | undefined,
  api: string,
  { readApi, openNear, secrets }: Pick<ImportRequest, "readApi" | "openNear"> & { readonly secrets: Secrets },
): Promise<Found> {
  const document = await readOwn(readApi(api, "read"))
  const isPath = source !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*:|^[/\\]/.test(source.url)
  const near = document === undefined && isPath ? openNear?.(source.url.replace(/[#?].*$/s, "")) : undefined
  return near === undefined
    ? { document, copy: [] }
    : copyDocument(near, { given: near.file, api, own: ownDocument(readApi(api, "named")), secrets })
}

/** Returns the document in the API's directory. An import changes none that several projects may share. */
const ownDocument = (api: Api | undefined): string | undefined =>
  api?.documentFile?.startsWith("apis/") === true ? api.documentFile : undefined

async function readOwn(api: Api | undefined): Promise<OpenApiDocument | undefined> {
  if (api?.document === undefined) return undefined
  const { document, problems } = await readDocument(api.document, {
    readFile: api.readFile,
    readsWhole: true,
  })
  const [problem] = problems
  if (document === undefined && problem !== undefined) throw new CallsheetError(problem, { problems })
  return document
}

interface Copied {
  readonly given: string
  readonly api: string
  /** The document that the API already has. */
  readonly own: string | undefined
  readonly secrets: Secrets
}

/** Reads a document to copy, bundled if it has other files. */
async function copyDocument(
  { file: name, text: written, readFile }: GivenDocument,
  { given, api, own, secrets }: Copied,
): Promise<Found> {
  const clean = (file: string, from: string): string =>
    secrets.document(from, { where: file, what: "document" })
  const text = clean(given, written)
  // The name decides how a document is read, so a file without a known ending gets one by its content.
  const usual = /^\s*\{/.test(text) ? ".json" : ".yaml"
  const ending = /\.(?:json|ya?ml)$/i.exec(name)?.[0].toLowerCase() ?? usual
  const source = { file: name.replace(/\.[^.]*$/, "") + ending, text }
  const readClean: ReadFile | undefined =
    readFile &&
    memoized((path) => {
      const read = readFile(path)
      return read.ok
        ? { ok: true, value: { file: read.value.file, text: clean(path, read.value.text) } }
        : read
    })
  const { document, problems } = await readDocument(source, { readFile: readClean, readsWhole: true })
  if (document === undefined && text !== written)
    throw new CallsheetError(messages["import-source"].secretInDocument(given, secrets.first(written) ?? ""))
  const refused = messages["import-source"].document(given)
  const renamed = problems.map((problem) => ({ ...problem, file: given }))
  if (document === undefined) throw new CallsheetError(problems[0] ?? refused, { problems: renamed })
  const bundled = bundleDocument(document)
  if (bundled?.ok === false) throw new CallsheetError(bundled.problem)
  const file = `apis/${api}/openapi${bundled === undefined ? ending : ".json"}`
  if (own !== undefined && own !== file)
    throw new CallsheetError(messages["file-exists"].otherDocument(own, file))
  const copied = bundled === undefined ? text : `${stringifyJson(bundled.value, { indent: 2 })}\n`
  return { document, copy: [{ file, is: "text", text: copied }] }
}
