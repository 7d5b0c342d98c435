// Formats numbers with their nouns, durations, sizes and times.

export { formatDuration as duration } from "@callsheet/format"

/** Formats `1 block` or `1,200 blocks`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`

/** Formats a size: `312 B`, `4.2 kB`, `1.3 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

export const clock = (time: string): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime())
    ? time
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })
}

/** Formats a time of today as `10:18`, and another one as its date. */
export function timeOrDay(time: string, now = new Date()): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  return date.toDateString() === now.toDateString()
    ? date.toLocaleTimeString("en-GB", { timeStyle: "short" })
    : date.toLocaleDateString("en-GB", { dateStyle: "medium" })
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats how long ago a time is, such as `5 min ago`. After a week, formats the date. `now` is in milliseconds. */
export function age(time: string, now: number): string {
  const date = new Date(time)
  const passed = now - date.getTime()
  if (Number.isNaN(passed)) return time
  if (passed < MINUTE) return "just now"
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`
  return passed < 7 * DAY
    ? `${count(Math.floor(passed / DAY), "day")} ago`
    : date.toLocaleDateString("en-GB", { dateStyle: "medium" })
}
