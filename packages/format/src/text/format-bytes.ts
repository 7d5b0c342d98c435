// Formats sizes and limits for messages.

/** Formats a number of bytes exactly: in MiB or KiB if it is a multiple, else in bytes. */
export function formatBytes(bytes: number): string {
  for (const [unit, size] of [
    ["MiB", 1024 * 1024],
    ["KiB", 1024],
  ] as const)
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`
  return `${bytes} bytes`
}
