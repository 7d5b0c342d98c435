// Looks for a directory upward. Callers pass `node:path`, and `existsSync`.

interface Folders {
  readonly dirname: (path: string) => string
}

/** Returns the nearest directory, from an absolute one upward, that `isWanted` accepts, or undefined. */
export function nearestFolder(
  { dirname }: Folders,
  from: string,
  isWanted: (folder: string) => boolean,
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isWanted(folder)) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** Returns the root of the git repository around a directory. In a worktree or a submodule, `.git` is a file. */
export const findRepository = (
  system: Folders & { readonly join: (folder: string, name: string) => string },
  from: string,
  exists: (path: string) => boolean,
): string | undefined => nearestFolder(system, from, (folder) => exists(system.join(folder, ".git")))
