// Answers `impact.read`: what the uncommitted changes of a document break in the project.

import { askGit, type GitPlace } from "@callsheet/engine"
import { CallsheetError, type Project } from "@callsheet/format"
import type { Repair } from "@callsheet/language"
import { listDocumentFolders, openProject } from "@callsheet/project"
import type { ImpactChange, ImpactChanges, ImpactView } from "../calls/index.ts"
import { differences } from "../git/changed-files.ts"
import { filesAt, knownFiles } from "../git/revision.ts"
import { baseReasons } from "../messages.ts"
import { readPart, type KnownProject } from "../project/read-parts.ts"
import type { Dated, Revisions } from "../project/revisions.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import type { Masker } from "../secrets/secrets-masker.ts"
import { assessVersions, compareVersion, type ApiChange, type ComparedVersion } from "./assess-versions.ts"
import { repairFiles, repairsOfVersion } from "./find-repairs.ts"
import { compareWithCommit } from "./read-versions.ts"

interface ImpactRequest extends Pick<KnownProject, "overview"> {
  readonly api: string
  readonly place: GitPlace
  readonly revisions: Revisions
}

/** Throws `api-unknown`. */
export async function readImpact(request: ImpactRequest): Promise<Dated<ImpactView>> {
  const { api, place, revisions, overview } = request
  const { revision, value: project } = await revisions.read(() =>
    readPart(place.root, { workflows: "all", apis: [api] }),
  )
  const { masker } = await overview()
  try {
    return { revision, value: await compare(project, { api, place, masker }) }
  } catch (error) {
    if (!(error instanceof CallsheetError)) throw error
    return { revision, value: { is: "unreadable", problems: maskProblems(error.problems, masker) } }
  }
}

interface Comparison extends Pick<ImpactRequest, "api" | "place"> {
  readonly masker: Masker
}

async function compare(project: Project, { api, place, masker }: Comparison): Promise<ImpactView> {
  if (!(await hasChangedDocuments(place))) return { is: "same" }
  const compared = await compareWithCommit({ project, api, against: "HEAD", place }, (version) => ({
    version: compareVersion(version),
    repairs: repairsOfVersion(project)(version),
  }))
  if (compared.is !== "compared") return { is: "unknown", reason: baseReasons[compared.is] }
  const [result] = compared.results
  return result === undefined ? { is: "same" } : viewOf(project, result, masker)
}

interface Result {
  readonly version: ComparedVersion
  readonly repairs: readonly Repair[]
}

/** The maximum number of changes of a class, and of places that a change breaks. Nobody reads more. */
const MAX_CHANGES = 500
const MAX_USES = 20

async function viewOf(
  project: Project,
  { version, repairs }: Result,
  masker: Masker,
): Promise<ImpactChanges> {
  const found = await assessVersions(project, [version])
  const of = (is: ApiChange["class"]) => found.filter((change) => change.class === is)
  const [breaks, unused, compatible] = [of("breaks"), of("unused"), of("compatible")]
  const shown = [breaks, unused, compatible].flatMap((changes) => changes.slice(0, MAX_CHANGES))
  return {
    is: "compared",
    only: version.before === undefined ? "new" : version.after === undefined ? "old" : undefined,
    changes: shown.map((change) => changeView(change, masker)),
    counts: { breaks: breaks.length, unused: unused.length, compatible: compatible.length },
    repairs: repairFiles(repairs).reduce((count, file) => count + file.repairs.length, 0),
  }
}

function changeView({ change, class: is, before, after, uses }: ApiChange, masker: Masker): ImpactChange {
  const { operation, kind, message } = change
  const place = after ?? (before && { ...before, isOld: true as const })
  const shown = masker.text(operation)
  const [, method, path] = /^(\S+) (.*)$/s.exec(shown) ?? []
  // The address of a masked operation leads nowhere.
  const isThere = kind !== "operation-removed" && shown === operation
  return {
    operation: shown,
    class: is,
    message: masker.text(message),
    place,
    target: isThere && method !== undefined && path !== undefined ? { method, path } : undefined,
    uses: uses.slice(0, MAX_USES).map(({ workflow, block, file, line, column }) => ({
      workflow,
      block: masker.text(block),
      file,
      line,
      column,
    })),
    omittedUses: uses.length > MAX_USES ? uses.length - MAX_USES : undefined,
  }
}

/** Returns whether a file that a document may consist of differs from the last commit. True if git can't tell. */
async function hasChangedDocuments(place: GitPlace): Promise<boolean> {
  const paths = ["apis", ...listDocumentFolders(openProject(place.root))]
  const [known, stored] = await Promise.all([knownFiles(place, paths), filesAt("HEAD", place, paths)])
  if (known === undefined || stored === undefined) return true
  const files = [...new Set([...known, ...stored.keys()])].filter(isOfDocument)
  return (await differences(files, stored, place)).length > 0
}

const isOfDocument = (file: string): boolean =>
  !file.startsWith("apis/workflow/") && !/^apis\/[^/]+\/(?:requests|environments)\//.test(file)

/** Returns the last commit. Undefined without one. A new commit changes no file of the project. */
export async function readHead(place: GitPlace): Promise<string | undefined> {
  const { code, output } = await askGit(["rev-parse", "--verify", "--quiet", "HEAD"], place)
  return code === 0 ? output.trim() : undefined
}
