// Formats a block's path for people: `setup › poll › [2] › get`.

import { blockPath, type OpenBlock } from "@callsheet/format"
import { printable } from "../text/printable.ts"

/** Returns the path and the query of a URL. `URL` may refuse a masked one. */
export const urlPath = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^#]+)/i.exec(url)?.[1] ?? url

/** The maximum number of segments. A longer path loses its middle. */
export const MAX_SEGMENTS = 12

/** Returns the path of a block, from the top or from below `below`. A long path loses its middle. */
export function pathOf<Own>(block: OpenBlock<Own>, below?: OpenBlock<Own>): string {
  return pathText(blockPath(block, below))
}

export function pathText(segments: string[]): string {
  if (segments.length > MAX_SEGMENTS) segments.splice(MAX_SEGMENTS / 2, segments.length - MAX_SEGMENTS, "…")
  return segments.map((segment) => printable(segment)).join(" › ")
}
