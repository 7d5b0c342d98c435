// Formats a block's path for people: `setup › poll › [2] › get`.

import { blockPath, type OpenBlock } from "@callsheet/format"
import { printable } from "../text/printable.ts"

/** Returns the path and the query of a URL. `URL` may refuse a masked one. */
export const urlPath = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^#]+)/i.exec(url)?.[1] ?? url

/** The maximum number of segments. A longer path loses its middle. */
const MAX_SEGMENTS = 12

/** Returns the path of a block, from the top or from below `below`. A long path loses its middle. */
export function pathOf<Own>(block: OpenBlock<Own>, below?: OpenBlock<Own>): string {
  const segments = blockPath(block, below)
  if (segments.length > MAX_SEGMENTS) segments.splice(MAX_SEGMENTS / 2, segments.length - MAX_SEGMENTS, "…")
  return joinPath(segments)
}

export const joinPath = (segments: readonly string[]): string =>
  segments.map((segment) => printable(segment)).join(" › ")

/** Adds a segment to a path of `depth` segments. A long path has lost its middle, as `pathOf` shows it. */
export function extendPath(path: readonly string[], segment: string, depth: number): readonly string[] {
  const half = MAX_SEGMENTS / 2
  if (depth < MAX_SEGMENTS) return [...path, segment]
  const rest = path.slice(depth === MAX_SEGMENTS ? half + 1 : half + 2)
  return [...path.slice(0, half), "…", ...rest, segment]
}
