// Paths of a project from one file to another, with `/`.

/** The path that `./x` or `../x` leads to from a folder. */
export function joinPath(folder: string, path: string): string {
  const steps = folder.split("/")
  for (const step of path.split("/")) {
    if (step === "..") steps.pop()
    else if (step !== "." && step !== "") steps.push(step)
  }
  return steps.join("/")
}

/** The way from a folder to a file, as an import writes it: `./x`, `../x`. */
export function relativePath(folder: string, file: string): string {
  const [from, to] = [folder.split("/"), file.split("/")]
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  const up = from.slice(same).map(() => "..")
  return [...(up.length === 0 ? ["."] : up), ...to.slice(same)].join("/")
}
