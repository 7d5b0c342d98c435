// Follows a relative path from one file of a project to another.

/** Returns the path from the root to which `path` leads in `file`. Undefined outside the project. */
export function joinPath(file: string, path: string): string | undefined {
  const joined = joinBeyond(file, path)
  return isBeyond(joined) ? undefined : joined
}

/** Returns the path from the root to which `path` leads in `file`. Starts with `..` outside the project. */
export function joinBeyond(file: string, path: string): string {
  const steps = file.split("/").slice(0, -1)
  for (const step of path.split("/")) {
    const isBack = step === ".." && steps.length > 0 && steps.at(-1) !== ".."
    if (isBack) steps.pop()
    else if (step !== "." && step !== "") steps.push(step)
  }
  return steps.join("/")
}

/** Returns whether a path from the root leads outside the project. */
export const isBeyond = (path: string): boolean => path === ".." || path.startsWith("../")
