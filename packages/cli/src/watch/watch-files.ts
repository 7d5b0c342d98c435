// Watches the files of a session, and finds the entries that their changes affect.

import * as system from "node:path"
import { resolve } from "node:path"
import { getOrCreate, wayInside, type Project } from "@callsheet/format"
import { entriesIn, filesOfEntry } from "@callsheet/language"
import { readStamp, readStamps, watchProject } from "@callsheet/project"
import { findScriptFiles } from "@callsheet/server"
import type { ReadSession } from "../session/read-workflows.ts"
import { affectedEntries, type OtherFiles } from "../changes/affected-entries.ts"
import { mainNames } from "../session/main-names.ts"

interface FileWatchOptions {
  readonly root: string
  /** The absolute path of the file of `--data`. */
  readonly data: string | undefined
  /** Reads everything that the command selects. */
  readonly read: () => Promise<ReadSession>
}

export async function createFileWatch({ root, data: dataPath, read }: FileWatchOptions) {
  const parts = new Map<string, Set<string>>()
  const data = dataPath === undefined ? undefined : pathFrom(root, dataPath)
  let imports: OtherFiles["imports"] = new Map()
  let session = await read()
  /** The files to watch besides those below `apis/`. */
  const others = (): readonly string[] => [
    "tsconfig.json",
    ...(data === undefined ? [] : [data]),
    ...(session.schedule === undefined ? [] : [...entriesIn(session.schedule)].flatMap(filesOfEntry)),
    ...[...parts.values(), ...imports.values()].flatMap((files) => [...files]),
  ]
  let isChanged = false
  let wake = (): void => undefined
  const watch = watchProject(root, () => {
    isChanged = true
    wake()
  })
  const stamps = createStamps(root)
  imports = await findImports(session)
  stamps.add(others())
  watch.watchMore(others())
  return {
    /** Returns the changed files since the last call, and the main entries that they affect. */
    affected: async () => {
      isChanged = false
      // The last run may have read other parts of documents.
      watch.watchMore(others())
      const changed = stamps.changed(others())
      if (changed.length === 0) return { changed, names: new Set<string>() }
      const before = imports
      session = await read()
      imports = await findImports(session)
      stamps.add(others())
      watch.watchMore(others())
      stamps.accept()
      const all = { imports: joinSets(before, imports), parts, data }
      return { changed, names: new Set(affectedEntries(session, changed, all).keys()) }
    },
    /** Resolves when files may have changed since the last call of `affected`. */
    changed: (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve
        if (isChanged) resolve()
      }),
    /** Returns the names of the main entries. */
    names: (): readonly string[] => mainNames(session),
    /** Returns the project with documents that record the files that they refer to. */
    note: (project: Project): Project =>
      noteParts(project, (api, file) => {
        getOrCreate(parts, api, () => new Set<string>()).add(file)
        stamps.add([file])
      }),
    close: watch.close,
  }
}

/** Keeps the states of files, to find those that changed. */
function createStamps(root: string) {
  let stamps = new Map(readStamps(root, []))
  const changed = new Set<string>()
  return {
    /** Adds files. Keeps the known states, because files may have changed since. */
    add: (files: readonly string[]): void => {
      for (const file of files) if (!stamps.has(file)) stamps.set(file, readStamp(root, file))
    },
    /** Returns the files whose states have changed since the last call of `accept`. `more` are those besides `apis/`. */
    changed: (more: readonly string[]): readonly string[] => {
      const now = new Map(readStamps(root, more))
      for (const file of new Set([...stamps.keys(), ...now.keys()]))
        if (stamps.get(file) !== now.get(file)) changed.add(file)
      stamps = now
      return [...changed]
    },
    accept: (): void => changed.clear(),
  }
}

function noteParts(project: Project, note: (api: string, file: string) => void): Project {
  const apis = [...project.apis].map(([name, api]) => {
    const { readFile } = api
    if (readFile === undefined) return [name, api] as const
    const noteAndRead: typeof readFile = (path) => {
      note(name, path)
      return readFile(path)
    }
    return [name, { ...api, readFile: noteAndRead }] as const
  })
  return { ...project, apis: new Map(apis) }
}

/** Returns the files that scripts import, by workflow. With `isMissing`, also where their imports would be found. */
export async function findImports(
  { project }: Pick<ReadSession, "project">,
  isMissing = false,
): Promise<OtherFiles["imports"]> {
  const imports = new Map<string, ReadonlySet<string>>()
  for (const [name, file] of project.workflows) {
    const { files, missing } = await findScriptFiles({ ...project, workflows: new Map([[name, file]]) })
    imports.set(name, new Set([...files.map(({ path }) => path), ...(isMissing ? missing : [])]))
  }
  return imports
}

const joinSets = (one: OtherFiles["imports"], other: OtherFiles["imports"]): OtherFiles["imports"] =>
  new Map(
    [...one.keys(), ...other.keys()].map((key) => [
      key,
      new Set([...(one.get(key) ?? []), ...(other.get(key) ?? [])]),
    ]),
  )

/** Returns the path from the root if the file is in the project, or the absolute path. */
export function pathFrom(root: string, path: string): string {
  return wayInside(system, root, resolve(path)) ?? path
}
