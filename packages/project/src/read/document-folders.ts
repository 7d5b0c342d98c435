// Reads OpenAPI documents outside of `apis/`: from the directories that `documents` in `callsheet.json` names.

import * as fs from "node:fs"
import { join } from "node:path"
import {
  checkProjectFile,
  createProblemMaker,
  getOrCreate,
  isBeyond,
  joinBeyond,
  memo,
  PROJECT_FILE,
  soundSettings,
  type Finding,
  type Problem,
  type ReadFile,
  type ReadFileResult,
  type SettingsFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { findRepository } from "./find-project-root.ts"
import {
  findEntry,
  findIn,
  isInFolder,
  readDocumentText,
  readText,
  rootEntry,
  type Entry,
  type EntryResult,
  type ProjectFolder,
} from "./project-folder.ts"

/** The names that the document of an API may have in its directory. */
export const documentNames: readonly string[] = ["openapi.json", "openapi.yaml", "openapi.yml"]

interface DocumentFolder {
  /** The path from the project's root, without a `/` at the end. May start with `..`. */
  readonly path: string
  /** The absolute path with all links resolved. */
  readonly realPath: string
}

type FolderResult =
  | ({ readonly ok: true } & DocumentFolder)
  | { readonly ok: false; readonly problem: Finding }

/** Returns the paths of the named directories from the root. Doesn't look at the disk. */
const documentPaths = (settingsFile: SettingsFile | undefined): readonly string[] =>
  ((settingsFile && soundSettings(settingsFile))?.settings.documents ?? []).map((path) =>
    joinBeyond(PROJECT_FILE, path),
  )

/** Returns the problems of the directories that the settings name. */
export function checkDocumentFolders(
  project: ProjectFolder,
  settingsFile: SettingsFile | undefined,
): readonly Problem[] {
  if (settingsFile === undefined) return []
  const problemAt = createProblemMaker(settingsFile)
  return documentPaths(settingsFile).flatMap((path, index) => {
    const found = findFolder(project, path)
    return found.ok ? [] : [problemAt(["documents", index], "value", found.problem)]
  })
}

/** Returns the paths of the directories of documents that can be read, from the root. Some start with `..`. */
export const listDocumentFolders = (project: ProjectFolder): readonly string[] =>
  foldersOf(project).map(({ path }) => path)

/** Returns the paths that the document of an API may have in the directories, in the order in which they count. */
export const sharedDocumentPaths = (folders: readonly string[], api: string): readonly string[] =>
  folders.flatMap((folder) =>
    documentNames.flatMap((name) => [
      `${folder}/${name.replace("openapi", () => api)}`,
      `${folder}/${api}/${name}`,
    ]),
  )

/** Reads the settings only when something needs them: few projects have such directories. */
const foldersOf = memo((project: ProjectFolder): readonly DocumentFolder[] => {
  const entry = rootEntry(project, PROJECT_FILE)
  const read = entry && readText(entry)
  if (read?.ok !== true) return []
  const settingsFile = { ...read.value, ...checkProjectFile(read.value) }
  return documentPaths(settingsFile).flatMap((path) => {
    const found = findFolder(project, path)
    return found.ok ? [found] : []
  })
})

const { "file-unreadable": unreadable, "link-outside": outside } = messages

function findFolder(project: ProjectFolder, path: string): FolderResult {
  const refuse = (problem: Finding): FolderResult => ({ ok: false, problem })
  let realPath: string
  try {
    realPath = fs.realpathSync(join(project.root, path))
    if (!fs.statSync(realPath).isDirectory()) return refuse(unreadable.noDocuments(path))
  } catch {
    return refuse(unreadable.noDocuments(path))
  }
  if (isInFolder(project.realRoot, realPath)) return { ok: true, path, realPath }
  const repository = findRepository(project.realRoot)
  if (repository === undefined) return refuse(outside.noRepository(path))
  const isInside = isInFolder(repository, realPath) && !isInFolder(join(repository, ".git"), realPath)
  return isInside ? { ok: true, path, realPath } : refuse(outside.beyond(path))
}

const isDocumentName = (path: string): boolean => /\.(?:json|ya?ml)$/i.test(path)

/**
 * Finds a file of a document by its path from the root. Outside the project, it must be JSON or YAML in one of the named
 * directories.
 */
function findDocumentFile(project: ProjectFolder, path: string): EntryResult {
  if (!isBeyond(path)) return findEntry(project.root, path, project.unsaved)
  const refused = { ok: false, problem: outside.reference() } as const
  if (!isDocumentName(path)) return refused
  const folders = foldersOf(project)
  const isNamed = folders.some((folder) => path.startsWith(`${folder.path}/`))
  return isNamed ? findIn(project, path, folders) : refused
}

/** Reads each file of an opened project once, so that all callers see the same text. */
export const createFileReader: (project: ProjectFolder) => ReadFile = memo((project: ProjectFolder) => {
  const read = new Map<string, ReadFileResult>()
  return (path: string) =>
    getOrCreate(read, path, () => {
      const entry = findDocumentFile(project, path)
      return entry.ok ? readDocumentText(project, entry.value) : entry
    })
})

/**
 * Finds the documents of an API in the named directories: `shop.yaml` or `shop/openapi.yaml`. A file to which several
 * paths lead is one document.
 */
export function findSharedDocuments(project: ProjectFolder, api: string): readonly Entry[] {
  const entries = new Map<string, Entry>()
  for (const file of sharedDocumentPaths(listDocumentFolders(project), api)) {
    if (!fs.existsSync(join(project.root, file))) continue
    const found = findDocumentFile(project, file)
    if (found.ok && !entries.has(found.value.realPath)) entries.set(found.value.realPath, found.value)
  }
  return [...entries.values()]
}
