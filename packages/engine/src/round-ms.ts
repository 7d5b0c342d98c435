// Durations as people and reports see them.

/** Milliseconds with three digits behind the point: more is noise. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000
