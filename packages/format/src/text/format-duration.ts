// Formats a duration for people.

/** Formats a duration: `0 ms`, `87 ms`, `1.2 s`, `1 m 02 s`. */
export function formatDuration(ms: number): string {
  const whole = Math.round(ms)
  if (whole < 1000) return `${whole} ms`
  if (whole < 59_950) return `${(whole / 1000).toFixed(1)} s`
  const seconds = Math.round(whole / 1000)
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`
}
