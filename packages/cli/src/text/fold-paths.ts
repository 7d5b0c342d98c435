// Shortens a long list of files: those of one directory become one line with their number.

import { getOrCreate, plural } from "@callsheet/format"

/** Returns the files, or at most `max` lines, in which the deepest directories stand for their files. */
export function foldPaths(files: readonly string[], max: number): readonly string[] {
  const deepest = Math.max(0, ...files.map((file) => file.split("/").length - 1))
  let lines = files
  for (let depth = deepest; lines.length > max && depth > 0; depth--) lines = foldAt(files, depth)
  return lines
}

/** Lists the files that have fewer than `depth` directories around them, and joins the others by their directory. */
function foldAt(files: readonly string[], depth: number): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const file of files) {
    const parts = file.split("/")
    const isWhole = parts.length <= depth
    getOrCreate(groups, isWhole ? file : `${parts.slice(0, depth).join("/")}/`, (): string[] => []).push(file)
  }
  return [...groups].map(([path, { length }]) =>
    path.endsWith("/") ? `${path} (${plural(length, "file")})` : path,
  )
}
