// Formats durations, sizes and numbers of things for people.

/** Formats a size: `74 B`, `1.4 KiB`, `12.0 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

export { formatDuration, plural } from "@callsheet/format"
