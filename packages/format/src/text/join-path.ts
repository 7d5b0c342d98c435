// Follows a relative path from one file of a project to another.

/** Returns the path from the root to which `path` leads in `file`. Undefined outside the project. */
export function joinPath(file: string, path: string): string | undefined {
  const steps = file.split("/").slice(0, -1)
  for (const step of path.split("/")) {
    if (step === ".." && steps.pop() === undefined) return undefined
    if (step !== ".." && step !== "." && step !== "") steps.push(step)
  }
  return steps.join("/")
}
