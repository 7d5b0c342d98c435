// Rounds durations for people and reports.

/** Milliseconds with three decimals: more is noise. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000
