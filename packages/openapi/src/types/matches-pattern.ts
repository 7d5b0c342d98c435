// Whether a name matches a pattern of a document, without the time that some patterns take.

/** A repeated group, or several repetitions without end, can take time that doubles with each character. */
const mayBlowUp = (pattern: string): boolean =>
  /\)(?:[*+]|\{)/.test(pattern) || (pattern.match(/[*+]|,\}/g) ?? []).length > 2

/** Names that are short enough for any pattern. */
const SHORT = 16

const machines = new Map<string, RegExp | undefined>()

/** Undefined where that is not known: no pattern, or one that could take too long. */
export function matchesPattern(pattern: string, name: string): boolean | undefined {
  if (name.length > SHORT && mayBlowUp(pattern)) return undefined
  if (!machines.has(pattern)) {
    if (machines.size > 1_000) machines.clear()
    machines.set(pattern, machineOf(pattern))
  }
  return machines.get(pattern)?.test(name)
}

function machineOf(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // `\-` is an error under `u` alone
    }
  }
  return undefined
}
