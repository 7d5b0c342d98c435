// The way to a block in its run, as people read it: `setup › poll › [2] › get`.

import { printable } from "../text/printable.ts"

export interface PlacedBlock {
  readonly id: string
  readonly parent: PlacedBlock | undefined
  /** The iteration of the parent, where that is a loop. */
  readonly iteration: number | undefined
}

const MOST_SEGMENTS = 12

/** The way to a block from `below` (not included), or from the top. A long way loses its middle. */
export function pathOf(block: PlacedBlock, below?: PlacedBlock): string {
  const segments: string[] = []
  for (let here: PlacedBlock | undefined = block; here !== undefined && here !== below; here = here.parent) {
    segments.push(printable(here.id))
    if (here.iteration !== undefined) segments.push(`[${here.iteration}]`)
  }
  segments.reverse()
  if (segments.length > MOST_SEGMENTS) {
    segments.splice(MOST_SEGMENTS / 2, segments.length - MOST_SEGMENTS, "…")
  }
  return segments.join(" › ")
}
