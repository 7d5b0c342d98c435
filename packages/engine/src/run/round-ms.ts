// Rounds durations for people and reports.

/** Rounds milliseconds to three decimals. More would only be noise. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000
