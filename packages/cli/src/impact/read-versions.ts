// Reads both versions of each API's document: the current one, and that of a commit or of another file.

import { readFile } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import {
  CallsheetError,
  checkEnvironmentFiles,
  decodeText,
  systemReason,
  toProblem,
  type Api,
  type Problem,
  type Project,
  type ReadFile,
  type SourceFile,
} from "@callsheet/format"
import { readDocument, type OpenApiDocument } from "@callsheet/openapi"
import { createFileReader, openProjectFolder } from "@callsheet/project"
import { filesAt, findBase, OldFiles } from "@callsheet/server"
import type { CommandCall } from "../args/command.ts"
import { messages, notices } from "../messages.ts"

export interface Version {
  readonly api: Api
  /** Undefined for an API that is new. */
  readonly before: OpenApiDocument | undefined
  /** Undefined for an API that is gone. */
  readonly after: OpenApiDocument | undefined
}

interface Compared<T> {
  /** What the current documents are compared with: the reference or the file as given. */
  readonly against: string
  readonly results: readonly T[]
}

interface VersionsRequest {
  readonly call: CommandCall
  readonly project: Project
  /** Limits the comparison to one API. */
  readonly api: string | undefined
}

type Work<T> = (version: Version) => T

/** Does the work for each API that has a document. Throws the problems of documents that can't be read. */
export async function compareVersions<T>(request: VersionsRequest, work: Work<T>): Promise<Compared<T>> {
  const file = request.call.options.value("against-file")
  return file === undefined ? compareWithCommit(request, work) : compareWithFile(file, request, work)
}

const DEADLINE_MS = 60_000

async function compareWithCommit<T>(
  { call, project, api }: VersionsRequest,
  work: Work<T>,
): Promise<Compared<T>> {
  const against = call.options.value("against") ?? "HEAD"
  const place = { root: project.root, processEnvironment: call.environment, deadlineMs: DEADLINE_MS }
  const found = await findBase(against, place)
  if (found.is !== "base") throw new CallsheetError(messages.usage.noBase("--against", against, found.is))
  const stored = await filesAt(found.commit, place)
  if (stored === undefined) throw new CallsheetError(messages.usage.noBase("--against", against, "no-answer"))
  const old = new OldFiles(stored, place)
  const results: T[] = []
  for (const name of apisOf(project, stored.keys())) {
    if (api !== undefined && name !== api) continue
    const own = project.apis.get(name) ?? goneApi(name)
    const source = await old.document(name)
    if (source === undefined && own.document === undefined) continue
    results.push(finished(await old.reading(() => compareApi({ api: own, source, read: old.read }, work))))
  }
  return { against, results }
}

/** Returns the APIs of the project and those of the commit, in the order of their names. */
function apisOf({ apiNames }: Project, stored: Iterable<string>): readonly string[] {
  const old = [...stored].flatMap((file) => /^apis\/([^/]+)\/openapi\.(?:json|ya?ml)$/.exec(file)?.[1] ?? [])
  return [...new Set([...apiNames, ...old])].toSorted()
}

const goneApi = (name: string): Api => ({
  name,
  environments: checkEnvironmentFiles({ api: name, files: [] }),
  instances: new Map(),
  problems: [],
})

async function compareWithFile<T>(
  shown: string,
  { call, project, api: name }: VersionsRequest,
  work: Work<T>,
): Promise<Compared<T>> {
  const api = name === undefined ? undefined : project.apis.get(name)
  if (api === undefined) throw new CallsheetError(messages.usage.againstFileApi(project.apiNames))
  const path = resolve(call.cwd, shown)
  const source = await readSource(path, shown)
  const read = createFileReader(openProjectFolder(dirname(path)))
  return { against: shown, results: [finished(await compareApi({ api, source, read }, work))] }
}

/** Reads a file outside the project. References in it lead to files in its directory. */
async function readSource(path: string, shown: string): Promise<SourceFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    throw new CallsheetError(messages.usage.againstFile(shown, systemReason(code ?? "")))
  })
  const decoded = decodeText(bytes)
  if (!decoded.ok) throw new CallsheetError(toProblem(decoded.finding, shown))
  return { file: basename(path), text: decoded.text }
}

interface Sides {
  readonly api: Api
  readonly source: SourceFile | undefined
  /** Reads the other files of the old document. */
  readonly read: ReadFile
}

interface ComparedApi<T> {
  readonly result: T
  readonly problems: readonly Problem[]
}

async function compareApi<T>({ api, source, read }: Sides, work: Work<T>): Promise<ComparedApi<T>> {
  const problems: Problem[] = []
  const readSide = async (side: "old" | "new", file: SourceFile | undefined, readOther?: ReadFile) => {
    const note = (finding: Problem): void =>
      void problems.push({ ...finding, message: notices.documentSide(side, finding.message) })
    const readFile: ReadFile = (path) => {
      const found = readOther?.(path) ?? read(path)
      if (!found.ok) note(toProblem(found.problem, path))
      return found
    }
    const { document, problems: own } =
      file === undefined ? noDocument : await readDocument(file, { readFile })
    for (const problem of own) note(problem)
    return document
  }
  const before = await readSide("old", source, read)
  const after = await readSide("new", api.document, api.readFile)
  if (api.documentFile !== undefined && api.document === undefined) problems.push(...api.problems)
  return { result: work({ api, before, after }), problems }
}

const noDocument = { document: undefined, problems: [] }

function finished<T>({ result, problems }: ComparedApi<T>): T {
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
  return result
}
