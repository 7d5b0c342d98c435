// `--changed-since`: finds what differs between a commit and the working tree, and the entries that it affects.

import { askGit, type GitPlace } from "@callsheet/engine"
import { BASELINE_FILE, CallsheetError, PROJECT_FILE, SNAPSHOTS } from "@callsheet/format"
import { bodyFilesOf, entriesIn, filesOfEntry } from "@callsheet/language"
import { listDocumentFolders, openProject } from "@callsheet/project"
import { differences, filesAt, findBase, knownFiles, OldFiles } from "@callsheet/server"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"
import type { SelectEntries } from "../session/last-session.ts"
import type { ReadSession } from "../session/read-workflows.ts"
import { workflowsOfSnapshot } from "../snapshots/check-snapshots.ts"
import { findImports, pathFrom } from "../watch/watch-files.ts"
import { affectedEntries, isCompilerConfig, type OtherFiles } from "./affected-entries.ts"
import { reachesChanges } from "./changed-baseline.ts"
import { compareDocuments, documentParts, type DocumentParts } from "./changed-documents.ts"
import { workflowsOfChangedSuites } from "./changed-settings.ts"
import { mainNames } from "../session/main-names.ts"

export interface ChangedSelection {
  /** The reference as given. */
  readonly since: string
  /** The commit that the working tree is compared with: the merge base of the reference and HEAD. */
  readonly commit: string
  /** The file whose change selects everything, if there is one. */
  readonly everything: string | undefined
  /** The number of main entries that could be selected. */
  readonly known: number
  /** The files that select each main entry, by the entry's name. */
  readonly reasons: ReadonlyMap<string, readonly string[]>
  readonly select: SelectEntries
}

interface ChangeQuestion {
  readonly call: CommandCall
  readonly root: string
  /** The path of the file of `--data`. */
  readonly data: string | undefined
  /** Everything that could be selected. */
  readonly session: ReadSession
}

const DEADLINE_MS = 60_000

/** Selects what the changes since the reference affect. Throws `usage` if git can't tell. */
export async function selectChanged(since: string, question: ChangeQuestion): Promise<ChangedSelection> {
  const { call, root, session } = question
  const place = { root, processEnvironment: call.environment, deadlineMs: DEADLINE_MS }
  const found = await findBase(since, place)
  if (found.is !== "base") throw new CallsheetError(messages.usage.noBase("--changed-since", since, found.is))
  const { commit } = found
  const graph = await readGraph(question)
  const folders = listDocumentFolders(openProject(root))
  const { stored, changed } = await readChanges(commit, { place, since, graph, folders })
  const old = new OldFiles(stored, place, folders)
  const { parts, concerns } = await compareDocuments(session.project, old, changed)
  const suites = changed.has(PROJECT_FILE)
    ? workflowsOfChangedSuites(await old.file(PROJECT_FILE), session.project)
    : new Set<string>()
  const reaches = changed.has(BASELINE_FILE)
    ? await reachesChanges(await old.file(BASELINE_FILE), session.project)
    : undefined
  const everything = [...changed].find((file) =>
    file === PROJECT_FILE
      ? suites === undefined
      : isLockFile(file) || isUnknown(file, { session, graph, parts }),
  )
  const snapshots = new Map(
    [...changed].flatMap((file) =>
      file.startsWith(`${SNAPSHOTS}/`) ? [[file, workflowsOfSnapshot(session.project, file)] as const] : [],
    ),
  )
  const affected = affectedEntries(session, everything === undefined ? changed : [everything], {
    ...graph,
    parts,
    concerns,
    isForAll: (file) => file === everything,
    ...(reaches === undefined ? {} : { reachesBaseline: reaches }),
    uses: (workflow, file) =>
      file === PROJECT_FILE ? suites?.has(workflow) === true : snapshots.get(file)?.has(workflow) === true,
  })
  return {
    since,
    commit,
    everything,
    known: mainNames(session).length,
    reasons: affected,
    select: (entries) => entries.filter(({ name }) => affected.has(name)),
  }
}

interface Graph extends Pick<OtherFiles, "imports" | "data"> {
  /** Returns whether something names the file: a script that imports it, a document, a body, or the option for rows. */
  readonly isNamed: (file: string) => boolean
  readonly hasScripts: boolean
}

async function readGraph({ root, data: dataPath, session }: ChangeQuestion): Promise<Graph> {
  const { project, schedule } = session
  const imports = await findImports(session, true)
  const data = dataPath === undefined ? undefined : pathFrom(root, dataPath)
  const named = new Set([
    ...(data === undefined ? [] : [data]),
    ...(schedule === undefined ? [] : [...entriesIn(schedule)].flatMap(filesOfEntry)),
    ...[...imports.values(), ...documentParts(project).values()].flatMap((files) => [...files]),
  ])
  const hasScripts = [...imports.values()].some((files) => files.size > 0)
  const maySend = bodyFilesOf([
    ...project.workflows.values(),
    ...[...project.apis.values()].flatMap(({ instances }) => [...instances.values()]),
  ])
  return { imports, data, hasScripts, isNamed: (file) => named.has(file) || maySend(file) }
}

/** Returns whether the project may read a file. */
const mayRead = (file: string, { hasScripts, isNamed }: Graph): boolean =>
  // Names that start with a dot are ignored below apis/.
  (file.startsWith("apis/") && !file.includes("/.")) ||
  file === PROJECT_FILE ||
  file === BASELINE_FILE ||
  file.startsWith(`${SNAPSHOTS}/`) ||
  isLockFile(file) ||
  (hasScripts && isCompilerConfig(file)) ||
  isNamed(file)

interface ChangesRequest {
  readonly place: GitPlace
  readonly since: string
  readonly graph: Graph
  /** The directories of documents outside of `apis/`. */
  readonly folders: readonly string[]
}

async function readChanges(commit: string, { place, since, graph, folders }: ChangesRequest) {
  const above = await lockFilesAbove(place)
  const all = [".", ...folders, ...above]
  const [stored, known] = await Promise.all([filesAt(commit, place, all), knownFiles(place, all)])
  if (stored === undefined || known === undefined)
    throw new CallsheetError(messages.usage.noBase("--changed-since", since, "no-answer"))
  const files = [...new Set([...stored.keys(), ...known])].filter((file) => mayRead(file, graph))
  const changes = await differences(files, stored, place)
  return { stored, changed: new Set(changes.map(({ file }) => file)) }
}

const lockFiles = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
]

/** Returns whether a file is a lockfile of the project's directory or of one above it. */
const isLockFile = (file: string): boolean => lockFiles.includes(file.replace(/^(?:\.\.\/)+/, ""))

/** Returns the paths of possible lockFiles between the project and the root of the repository. */
async function lockFilesAbove(place: GitPlace): Promise<readonly string[]> {
  const { code, output } = await askGit(["rev-parse", "--show-prefix"], place)
  const depth = code === 0 ? output.trim().split("/").length - 1 : 0
  return Array.from({ length: depth }, (_, at) => "../".repeat(at + 1)).flatMap((folder) =>
    lockFiles.map((name) => folder + name),
  )
}

interface Known {
  readonly session: ReadSession
  readonly graph: Graph
  readonly parts: DocumentParts
}

/** Returns whether a file below `apis/` is none that callsheet knows the readers of. */
function isUnknown(file: string, { session: { project }, graph, parts }: Known): boolean {
  const [, folder = "", rest = ""] = /^apis\/(?:([^/]+)\/)?(.*)$/.exec(file) ?? []
  if (!file.startsWith("apis/")) return false
  if (folder === "workflow") return !/^(?:scripts\/.*|[^/]+\.json)$/.test(rest) && !graph.isNamed(file)
  // No workflow uses the other APIs.
  if (folder !== "" && !project.apis.has(folder)) return false
  if (/^(?:requests|environments)\/|^openapi\.(?:json|ya?ml)$/.test(rest)) return false
  return ![...parts.values()].some((files) => files.has(file)) && !graph.isNamed(file)
}
