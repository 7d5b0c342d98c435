// Keeps the state of one project: reads again only what has changed since the last answer.

import { realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { createOutlineStore } from "@callsheet/engine"
import {
  attempt,
  once,
  type Api,
  type Project,
  type ReadFileResult,
  type SourceFile,
} from "@callsheet/format"
import { readCheckedSource, type ReadSource } from "@callsheet/language"
import { checkProjectFile, openRows, readWholeProject, type UnsavedTexts } from "@callsheet/project"
import { createSecretsMasker, withFileText } from "@callsheet/server"
import { kindOf } from "../file/editor-file.ts"
import { storedText } from "../file/stored-text.ts"
import { pathWithin } from "../workspace/uris.ts"
import { createScripts } from "./scripts.ts"
import type { View } from "./view.ts"

export interface ProjectOptions {
  readonly root: string
  readonly scriptEntry: URL
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  /** The texts of open documents, by real path. */
  readonly unsaved: UnsavedTexts
}

export interface CheckedView extends View {
  /** Increases with every change. */
  readonly revision: number
  /** Like `source`, with the problems of the document. */
  readonly readSource: ReadSource
}

export type ProjectState = ReturnType<typeof createProjectState>

export function createProjectState(options: ProjectOptions) {
  const { root, unsaved } = options
  const realRoot = realpathSync(root)
  const scripts = createScripts(options, (path) => unsaved.get(attempt(() => realpathSync(path)) ?? path))
  /** Files outside `apis/` that a check read. */
  const others = new Set<string>()
  const noteOther = (path: string): void => void others.add(resolve(realRoot, path))
  const documents = createDocuments(noteOther)
  let revision = 0
  let view: CheckedView | undefined
  let changed: Set<string> | "unknown" = "unknown"
  const read = (): CheckedView => {
    const before = view?.project
    const project =
      before === undefined || changed === "unknown"
        ? readWholeProject(root, before, unsaved)
        : [...changed].reduce((now, file) => withText(now, file, unsaved), before)
    changed = new Set()
    return createView(project, { ...options, revision, describe: scripts.describe, documents, noteOther })
  }
  return {
    root,
    realRoot,
    /** Notes a change of an open document. `path` is its real path. */
    noteText: (path: string): void => {
      revision++
      const file = pathWithin(realRoot, path)
      if (changed !== "unknown" && isPatched(file)) changed.add(file)
      else changed = "unknown"
    },
    /** Notes that files may have changed on disk. */
    noteDisk: (): void => {
      revision++
      changed = "unknown"
    },
    revision: (): number => revision,
    /** The absolute paths of files outside `apis/` that the project uses, such as data files. */
    otherFiles: (): ReadonlySet<string> => others,
    /** Throws `project-missing` if the project is gone. */
    view: (): CheckedView => {
      if (view?.revision !== revision) view = read()
      return view
    },
    close: scripts.close,
  }
}

/** Returns whether a change of the file's text changes nothing else in the project. */
function isPatched(path: string): boolean {
  const file = kindOf(path)
  return file.kind === "workflow" || file.kind === "request" || file.kind === "project"
}

/** Returns the project with the unsaved text of a file. Reads the whole project if the file is new. */
function withText(project: Project, path: string, unsaved: UnsavedTexts): Project {
  const file = kindOf(path)
  const text = unsaved.get(join(realpathSync(project.root), path))
  const isKnown =
    (file.kind === "workflow" && project.workflows.has(file.workflow)) ||
    (file.kind === "request" &&
      project.apis.get(file.api)?.instances.has(`${file.resource}/${file.request}`) === true) ||
    (file.kind === "project" && project.settingsFile !== undefined)
  return isKnown && text !== undefined
    ? withFileText(project, file, { file: path, text })
    : readWholeProject(project.root, project, unsaved)
}

type Documents = ReturnType<typeof createDocuments>

interface KeptDocument {
  readonly api: Api
  /** The other files that the document refers to. */
  readonly files: ReadonlyMap<string, ReadFileResult>
  readonly read: ReturnType<ReadSource>
}

/** Keeps the documents of APIs, which take longest to read, until one of their files changes. */
function createDocuments(note: (path: string) => void) {
  const kept = new Map<string, KeptDocument>()
  const outlines = createOutlineStore()
  const start = (api: Api): KeptDocument => {
    const files = new Map<string, ReadFileResult>()
    const started = { api, files, read: readCheckedSource(recording(api, { files, note }), outlines) }
    kept.set(api.name, started)
    started.read.catch(() => kept.delete(api.name))
    return started
  }
  return {
    readSource: async (api: Api) => {
      const known = kept.get(api.name)
      const { source, problems } = await (known !== undefined && isSame(known, api) ? known : start(api)).read
      return { source: { ...source, api }, problems }
    },
  }
}

interface Recording {
  readonly files: Map<string, ReadFileResult>
  readonly note: (path: string) => void
}

function recording(api: Api, { files, note }: Recording): Api {
  const { readFile } = api
  if (readFile === undefined) return api
  return {
    ...api,
    readFile: (path) => {
      const result = readFile(path)
      files.set(path, result)
      note(path)
      return result
    },
  }
}

function isSame({ api, files }: KeptDocument, now: Api): boolean {
  if (api.document === now.document && api.readFile === now.readFile) return true
  if (!hasSameText(api.document, now.document)) return false
  return [...files].every(([path, before]) => {
    const after = now.readFile?.(path)
    return before.ok && after?.ok === true && hasSameText(before.value, after.value)
  })
}

function hasSameText(one: SourceFile | undefined, other: SourceFile | undefined): boolean {
  if (one?.bytes !== undefined && other?.bytes !== undefined)
    return Buffer.compare(one.bytes, other.bytes) === 0
  return one?.text === other?.text
}

interface ViewParts extends ProjectOptions, Pick<View, "describe"> {
  readonly revision: number
  readonly documents: Documents
  readonly noteOther: (path: string) => void
}

function createView(project: Project, parts: ViewParts): CheckedView {
  const { root, unsaved, processEnvironment, revision, describe, documents, noteOther } = parts
  const source = async (name: string) => {
    const api = project.apis.get(name)
    return api === undefined ? undefined : (await documents.readSource(api)).source
  }
  return {
    root,
    revision,
    project,
    describe,
    source,
    readSource: documents.readSource,
    sources: async (names) => {
      const all = await Promise.all(
        [...new Set(names)].map(async (name) => [name, await source(name)] as const),
      )
      return new Map(all.flatMap(([name, found]) => (found === undefined ? [] : [[name, found] as const])))
    },
    textOf: (file) => readTextOf(join(root, file), unsaved),
    checkFile: (path) => {
      noteOther(path)
      return checkProjectFile(root, path)
    },
    checkRows: async (path, inputs) => {
      noteOther(path)
      return (await openRows(root, { path, unsaved }).check(inputs)).problems
    },
    masker: once(() => createSecretsMasker(project, processEnvironment)),
  }
}

function readTextOf(path: string, unsaved: UnsavedTexts): string | undefined {
  const real = attempt(() => realpathSync(path)) ?? path
  return unsaved.get(real) ?? storedText(real)
}
