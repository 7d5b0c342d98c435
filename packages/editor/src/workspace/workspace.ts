// The documents and projects of an editor's workspace.

import { dirname, join } from "node:path"
import { attempt } from "@callsheet/format"
import { isInFolder, isProjectRoot, nearestFolder, watchProject, type ProjectWatch } from "@callsheet/project"
import type { Runs } from "../commands/runs.ts"
import { createProjectCheck, type Validation } from "../diagnostics/check-project.ts"
import { createEditorFile, kindOf, type EditorFile } from "../file/editor-file.ts"
import { storedText } from "../file/stored-text.ts"
import { createProjectState, type CheckedView, type ProjectState } from "../project/project-state.ts"
import { concernsProject, maybeProject } from "./concerns.ts"
import { createFolders, type Folders } from "./folders.ts"
import { createOpenDocuments, type OpenDocuments, type Sent } from "./open-documents.ts"
import { pathOf, pathWithin, realPathOf, uriOf } from "./uris.ts"

export interface WorkspaceOptions extends Validation {
  readonly scriptEntry: URL
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  /** Absent if only the client can run workflows. */
  readonly runs?: Runs | undefined
}

export interface OpenProject extends ReturnType<typeof createProjectCheck> {
  readonly state: ProjectState
  /** Absent if the client reports changes on disk. */
  readonly watch?: ProjectWatch | undefined
}

/** A document, in the state of its project that an answer reads. */
export interface Place {
  readonly project: OpenProject
  readonly view: CheckedView
  readonly file: EditorFile
}

/** A change on disk. `type` is 1 for a new file, 2 for a changed one and 3 for a deleted one. */
export interface DiskChange {
  readonly uri: string
  readonly type: number
}

interface Surroundings {
  /** False before the user trusts the workspace. */
  readonly isTrusted: boolean
  /** True if the client reports changes on disk below the folders of the workspace. */
  readonly clientWatches: boolean
  /** Called when files have changed on disk that the client doesn't report. */
  readonly onDisk: () => void
}

export type Workspace = ReturnType<typeof createWorkspace>

export function createWorkspace(options: WorkspaceOptions, surroundings: Surroundings) {
  const { processEnvironment } = options
  const documents = createOpenDocuments()
  const folders = createFolders({ asksGit: surroundings.isTrusted, processEnvironment })
  const isWatched = (root: string): boolean => !(surroundings.clientWatches && folders.has(root))
  const { projectAt, ownerOf, opened, dropMissing } = createProjects(options, {
    ...surroundings,
    documents,
    isWatched,
  })
  const noteText = (path: string | undefined): void => {
    if (path !== undefined) ownerOf(path)?.state.noteText(path)
  }
  const textAt = (path: string): string | undefined => {
    const sent = documents.sentAt(path)
    if (sent !== undefined) return sent.text
    const owner = ownerOf(path)?.state
    return owner?.view().textOf(pathWithin(owner.realRoot, path))
  }
  return {
    /** A document was opened, or has another text. */
    change: (sent: Sent): void => noteText(documents.set(sent)),
    close: (uri: string): void => noteText(documents.remove(uri)),
    /** The text as the client sent it, or that on disk. */
    textOf: (uri: string): string | undefined => {
      const path = documents.pathAt(uri)
      return path === undefined ? undefined : textAt(path)
    },
    /** The text of an open document, as the client sent it. */
    sentTextOf: documents.textOf,
    versionOf: documents.versionOf,
    addFolder: folders.add,
    removeFolder: folders.remove,
    searchAgain: folders.forget,
    noteDisk: (changes: readonly DiskChange[]): boolean => noteDisk(changes, { opened, folders }),
    /** Returns every project below a folder of the workspace, and those of open documents. */
    projects: async (): Promise<readonly OpenProject[]> => {
      const found = await folders.projects()
      const owned = documents.paths().flatMap((path) => ownerOf(path)?.state.root ?? [])
      dropMissing()
      const roots = [...new Set([...found, ...owned])]
      return roots.filter(isProjectRoot).flatMap((root) => attempt(() => projectAt(root)) ?? [])
    },
    /** Returns undefined if no project owns the document. */
    place: (uri: string): Place | undefined => {
      const path = documents.pathAt(uri)
      const project = path === undefined ? undefined : ownerOf(path)
      const text = path === undefined || project === undefined ? undefined : textAt(path)
      if (path === undefined || project === undefined || text === undefined) return undefined
      const file = createEditorFile({ uri, path: pathWithin(project.state.realRoot, path), sent: text })
      return { project, view: project.state.view(), file }
    },
    unsavedFiles: (project: OpenProject): readonly string[] => unsavedFiles(documents, project),
    ...createUris(documents, folders),
    dispose: async (): Promise<void> => {
      for (const { watch } of opened.values()) watch?.close()
      await Promise.all([...opened.values()].map(({ state }) => state.close()))
    },
  }
}

/** Returns the open files of a project whose text is not that on disk. The paths start at its root. */
function unsavedFiles({ unsaved }: OpenDocuments, { state }: OpenProject): readonly string[] {
  return [...unsaved].flatMap(([path, text]) => {
    if (!isInFolder(state.realRoot, path) || storedText(path) === text) return []
    const file = pathWithin(state.realRoot, path)
    const isRead = file.startsWith("apis/") || kindOf(file).kind !== "other" || state.otherFiles().has(path)
    return isRead ? [file] : []
  })
}

/** Names the files of projects as the client does. */
const createUris = (documents: OpenDocuments, folders: Folders) => ({
  /** Returns the URI of a project's file: the client's own, if it is open. */
  uriOf: ({ state }: OpenProject, file: string): string => {
    const path = join(state.realRoot, file)
    return documents.sentAt(realPathOf(path))?.uri ?? uriOf(folders.shown(path))
  },
  /** Returns all URIs of a project's file. There are several if the client opened it by several. */
  urisOf: ({ state }: OpenProject, file: string): readonly string[] => {
    const path = join(state.realRoot, file)
    const own = documents.urisAt(realPathOf(path))
    return own.length > 0 ? own : [uriOf(folders.shown(path))]
  },
})

interface Known {
  readonly opened: ReadonlyMap<string, OpenProject>
  readonly folders: { readonly forget: () => void }
}

/** Returns whether the changes concern a project. */
function noteDisk(changes: readonly DiskChange[], { opened, folders }: Known): boolean {
  const paths = changes.flatMap(({ uri, type }) => {
    const path = pathOf(uri)
    return path === undefined ? [] : [{ path: realPathOf(path), isOther: type !== 2 }]
  })
  const maybeNew = paths.some(({ path, isOther }) => isOther && maybeProject(path))
  if (maybeNew) folders.forget()
  let concerns = maybeNew
  for (const { state } of opened.values()) {
    if (!paths.some(({ path }) => concernsProject(state.realRoot, path, state.otherFiles()))) continue
    state.noteDisk()
    concerns = true
  }
  return concerns
}

interface ProjectsParts extends Surroundings {
  readonly documents: OpenDocuments
  /** Returns whether the server itself watches a project. */
  readonly isWatched: (root: string) => boolean
}

function createProjects(options: WorkspaceOptions, parts: ProjectsParts) {
  const { documents, isTrusted, isWatched, onDisk } = parts
  const opened = new Map<string, OpenProject>()
  const projectAt = (root: string): OpenProject => {
    const known = opened.get(root)
    if (known !== undefined) return known
    const state = createProjectState({ ...options, root, unsaved: documents.unsaved })
    const watch = isWatched(root)
      ? attempt(() =>
          watchProject(root, () => {
            state.noteDisk()
            onDisk()
          }),
        )
      : undefined
    const check = createProjectCheck({
      ...options,
      state,
      isTrusted,
      onChecked: () => watch?.watchMore([...state.otherFiles()]),
    })
    const project = { state, watch, ...check }
    opened.set(root, project)
    return project
  }
  return {
    opened,
    projectAt,
    /** The innermost project owns a file. */
    ownerOf: (path: string): OpenProject | undefined => {
      const root = nearestFolder(dirname(path), isProjectRoot)
      return root === undefined ? undefined : attempt(() => projectAt(root))
    },
    dropMissing: (): void => {
      for (const [root, { state, watch }] of opened) {
        if (isProjectRoot(root)) continue
        opened.delete(root)
        watch?.close()
        state.close().catch(() => undefined)
      }
    },
  }
}
