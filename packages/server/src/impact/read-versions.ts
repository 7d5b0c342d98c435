// Reads both versions of each API's document: the current one, and that of a commit or of another file.

import {
  CallsheetError,
  checkEnvironmentFiles,
  toProblem,
  type Api,
  type Problem,
  type Project,
  type ReadFile,
  type SourceFile,
} from "@callsheet/format"
import { listDocumentFolders, openProject } from "@callsheet/project"
import { readDocument, type OpenApiDocument } from "@callsheet/openapi"
import type { GitPlace } from "@callsheet/engine"
import { OldFiles } from "../git/old-files.ts"
import { filesAt, findBase, type FoundBase } from "../git/revision.ts"
import { notes } from "../messages.ts"

export interface Version {
  readonly api: Api
  /** Undefined for an API that is new. */
  readonly before: OpenApiDocument | undefined
  /** Undefined for an API that is gone. */
  readonly after: OpenApiDocument | undefined
}

interface CommitRequest {
  readonly project: Project
  /** Limits the comparison to one API. */
  readonly api: string | undefined
  /** Names a commit. The documents are compared with those of its merge base. */
  readonly against: string
  readonly place: GitPlace
}

type Work<T> = (version: Version) => T

export type VersionResults<T> =
  | { readonly is: "compared"; readonly results: readonly T[] }
  | { readonly is: Exclude<FoundBase["is"], "base"> }

/** Does the work for each API that has a document. Throws the problems of documents that can't be read. */
export async function compareWithCommit<T>(
  { project, api, against, place }: CommitRequest,
  work: Work<T>,
): Promise<VersionResults<T>> {
  const found = await findBase(against, place)
  if (found.is !== "base") return found
  const folders = listDocumentFolders(openProject(project.root))
  const stored = await filesAt(found.commit, place, [".", ...folders])
  if (stored === undefined) return { is: "no-answer" }
  const old = new OldFiles(stored, place, folders)
  const results: T[] = []
  for (const name of apisOf(project, stored.keys())) {
    if (api !== undefined && name !== api) continue
    const own = project.apis.get(name) ?? goneApi(name)
    const source = await old.document(name)
    if (source === undefined && own.document === undefined) continue
    results.push(finished(await old.reading(() => compareApi({ api: own, source, read: old.read }, work))))
  }
  return { is: "compared", results }
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

interface Sides {
  readonly api: Api
  /** The old document. */
  readonly source: SourceFile | undefined
  /** Reads the other files of the old document. */
  readonly read: ReadFile
}

/** Does the work for one API. Throws the problems of documents that can't be read. */
export const compareWithSource = async <T>(sides: Sides, work: Work<T>): Promise<T> =>
  finished(await compareApi(sides, work))

interface ComparedApi<T> {
  readonly result: T
  readonly problems: readonly Problem[]
}

async function compareApi<T>({ api, source, read }: Sides, work: Work<T>): Promise<ComparedApi<T>> {
  const problems: Problem[] = []
  const readSide = async (side: "old" | "new", file: SourceFile | undefined, readOther?: ReadFile) => {
    const note = (finding: Problem): void =>
      void problems.push({ ...finding, message: notes.documentSide(side, finding.message) })
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
