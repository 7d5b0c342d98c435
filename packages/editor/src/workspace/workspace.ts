// The documents and projects of an editor's workspace.

import { dirname, join } from "node:path"
import { attempt } from "@callsheet/format"
import { nearestFolder, isProjectRoot } from "@callsheet/project"
import { createProjectCheck, type Validation } from "../diagnostics/check-project.ts"
import { createEditorFile, withoutMark, type EditorFile } from "../file/editor-file.ts"
import { createProjectState, type CheckedView, type ProjectState } from "../project/project-state.ts"
import { findProjects } from "./find-projects.ts"
import { pathOf, pathWithin, realPathOf, uriOf } from "./uris.ts"

export interface WorkspaceOptions extends Validation {
  readonly scriptEntry: URL
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

export interface OpenProject extends ReturnType<typeof createProjectCheck> {
  readonly state: ProjectState
}

/** A document, in the state of its project that an answer reads. */
export interface Place {
  readonly project: OpenProject
  readonly view: CheckedView
  readonly file: EditorFile
}

export type Workspace = ReturnType<typeof createWorkspace>

/** `isTrusted` is false before the user trusts the workspace. */
export function createWorkspace(options: WorkspaceOptions, { isTrusted }: { readonly isTrusted: boolean }) {
  const { processEnvironment } = options
  const documents = createOpenDocuments()
  const { projectAt, ownerOf, opened } = createProjects(options, { documents, isTrusted })
  const folders = createFolders({ asksGit: isTrusted, processEnvironment })
  const open = (uri: string, text: string): void => {
    const path = documents.set(uri, text)
    if (path !== undefined) ownerOf(path)?.state.noteText(path)
  }
  const noteDisk = (): void => {
    for (const { state } of opened.values()) state.noteDisk()
  }
  const textAt = (path: string): string | undefined => {
    const owner = documents.sentAt(path) === undefined ? ownerOf(path)?.state : undefined
    return documents.sentAt(path)?.text ?? owner?.view().textOf(pathWithin(owner.realRoot, path))
  }
  return {
    open,
    change: open,
    close: (uri: string): void => {
      documents.remove(uri)
      noteDisk()
    },
    /** The text as the client sent it, or that on disk. */
    textOf: (uri: string): string | undefined => {
      const path = pathOf(uri)
      return path === undefined ? undefined : textAt(realPathOf(path))
    },
    addFolder: folders.add,
    removeFolder: folders.remove,
    noteDisk: (): void => {
      noteDisk()
      folders.searchAgain()
    },
    /** Returns every project below a folder of the workspace, and those of open documents. */
    projects: async (): Promise<readonly OpenProject[]> => {
      const owned = documents.paths().flatMap((path) => ownerOf(path)?.state.root ?? [])
      const roots = new Set([...(await folders.projects()), ...owned])
      return [...roots].filter(isProjectRoot).flatMap((root) => attempt(() => projectAt(root)) ?? [])
    },
    /** Returns undefined if no project owns the document. */
    place: (uri: string): Place | undefined => {
      const path = pathOf(uri)
      const real = path === undefined ? undefined : realPathOf(path)
      const project = real === undefined ? undefined : ownerOf(real)
      const text = real === undefined || project === undefined ? undefined : textAt(real)
      if (real === undefined || project === undefined || text === undefined) return undefined
      const file = createEditorFile({ uri, path: pathWithin(project.state.realRoot, real), sent: text })
      return { project, view: project.state.view(), file }
    },
    /** Returns the URI of a project's file: the client's own, if it is open. */
    uriOf: ({ state }: OpenProject, file: string): string =>
      documents.sentAt(realPathOf(join(state.realRoot, file)))?.uri ?? uriOf(join(state.root, file)),
    dispose: async (): Promise<void> => {
      await Promise.all([...opened.values()].map(({ state }) => state.close()))
    },
  }
}

type OpenDocuments = ReturnType<typeof createOpenDocuments>

/** The texts of open documents by real path. */
function createOpenDocuments() {
  const sent = new Map<string, { readonly uri: string; readonly text: string }>()
  const unsaved = new Map<string, string>()
  return {
    unsaved,
    paths: (): readonly string[] => [...sent.keys()],
    /** A document as the client sent it, with its byte order mark. */
    sentAt: (path: string) => sent.get(path),
    /** Returns the document's real path. Undefined if it isn't a file. */
    set: (uri: string, text: string): string | undefined => {
      const path = pathOf(uri)
      if (path === undefined) return undefined
      const real = realPathOf(path)
      sent.set(real, { uri, text })
      unsaved.set(real, withoutMark(text))
      return real
    },
    remove: (uri: string): void => {
      const path = pathOf(uri)
      if (path === undefined) return
      sent.delete(realPathOf(path))
      unsaved.delete(realPathOf(path))
    },
  }
}

interface ProjectsParts {
  readonly documents: OpenDocuments
  readonly isTrusted: boolean
}

function createProjects(options: WorkspaceOptions, { documents, isTrusted }: ProjectsParts) {
  const opened = new Map<string, OpenProject>()
  const projectAt = (root: string): OpenProject => {
    const known = opened.get(root)
    if (known !== undefined) return known
    const state = createProjectState({ ...options, root, unsaved: documents.unsaved })
    const project = { state, ...createProjectCheck({ ...options, state, isTrusted }) }
    opened.set(root, project)
    return project
  }
  /** The innermost project owns a file. */
  const ownerOf = (path: string): OpenProject | undefined => {
    const root = nearestFolder(dirname(path), isProjectRoot)
    return root === undefined ? undefined : projectAt(root)
  }
  return { opened, projectAt, ownerOf }
}

function createFolders(search: Parameters<typeof findProjects>[1]) {
  const found = new Map<string, Promise<readonly string[]>>()
  const add = (uri: string): void => {
    const path = pathOf(uri)
    if (path !== undefined) found.set(uri, findProjects(realPathOf(path), search))
  }
  return {
    add,
    remove: (uri: string): void => void found.delete(uri),
    searchAgain: (): void => [...found.keys()].forEach(add),
    projects: async (): Promise<readonly string[]> => (await Promise.all(found.values())).flat(),
  }
}
