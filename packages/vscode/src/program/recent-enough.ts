// Decides whether a project's own callsheet knows everything that the extension asks of it.

/** The first version with `callsheet lsp`, `list tests` and `run --until`. */
const OLDEST_VERSION = "0.1.0"

/** Returns whether a version, such as `1.2.3` or `1.2.3-rc.1`, is `oldest` or newer. */
export function isRecentEnough(version: unknown, oldest: string = OLDEST_VERSION): boolean {
  const own = numbersOf(version)
  const needed = numbersOf(oldest)
  if (own === undefined || needed === undefined) return false
  for (const [index, number] of needed.entries()) {
    const difference = (own[index] ?? 0) - number
    if (difference !== 0) return difference > 0
  }
  return true
}

/** Returns the three numbers. A prerelease of a version counts as that version. */
function numbersOf(version: unknown): readonly number[] | undefined {
  if (typeof version !== "string") return undefined
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec(version)
  return match?.slice(1).map(Number)
}
