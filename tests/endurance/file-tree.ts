// All files below a directory, with their bytes and modes, to compare before and after.

import { chmod, lstat, mkdir, readdir, readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { writeFiles, type Files } from "../harness/callsheet.ts"

interface FoundFile {
  /** Each byte as one character. */
  readonly bytes: string
  readonly mode: number
}

/** The files by path relative to the directory, with `/`. */
export type FileTree = ReadonlyMap<string, FoundFile>

export async function readTree(folder: string): Promise<FileTree> {
  const tree = new Map<string, FoundFile>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = await lstat(path)
    tree.set(relative(folder, path).split(sep).join("/"), {
      bytes: await readFile(path, "latin1"),
      mode: mode & 0o777,
    })
  }
  return tree
}

/** Writes files as a project has them: secrets files are private to their owner. */
export async function writeProject(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFiles(folder, files)
  for (const path of Object.keys(files)) {
    if (path.endsWith(".secrets.env")) await chmod(join(folder, path), 0o600)
  }
}

/** Describes which files differ. Empty if the trees are equal. */
export function differences(before: FileTree, after: FileTree): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)]
    if (was === undefined) return [`${path} is new`]
    if (is === undefined) return [`${path} was deleted`]
    if (was.bytes !== is.bytes) return [`${path} has other bytes`]
    return was.mode === is.mode ? [] : [`${path} has mode ${is.mode.toString(8)}`]
  })
}

/** The tree without some files. */
export const without = (tree: FileTree, isLeftOut: (path: string) => boolean): FileTree =>
  new Map([...tree].filter(([path]) => !isLeftOut(path)))
