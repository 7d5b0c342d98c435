// Where a path may be cut: before its last segments. Pure.

/** As long as the end of a path may be, if it is more than one segment. */
const tailLength = 20

/** Both together are the path. */
export function splitPath(path: string): readonly [head: string, tail: string] {
  let start = path.lastIndexOf("/")
  if (start <= 0) return ["", path]
  for (let next = path.lastIndexOf("/", start - 1); next > 0; next = path.lastIndexOf("/", next - 1)) {
    if (path.length - next > tailLength) break
    start = next
  }
  return [path.slice(0, start), path.slice(start)]
}
