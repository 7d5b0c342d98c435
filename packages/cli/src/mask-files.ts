// What commands that run nothing show of files: without any value of their secrets files, whatever the schema says of it. They
// quote values as JSON, so they need none of the engine's masker, which takes longer to load than a check takes.

import type { EnvironmentFiles, Problem } from "@callsheet/format"

/** A shorter text is a secret only as a whole value, in quotes. */
const ANYWHERE_FROM = 4
const MASK = "***"

type MaskText = (text: string) => string

export function maskOf(files: Iterable<EnvironmentFiles>): MaskText {
  const values = [...files].flatMap(({ environments }) =>
    [...environments.values()].flatMap(({ secrets }) => [...secrets.values()]),
  )
  const secrets = [...new Set(values)]
    .filter((value) => value !== "")
    .toSorted((one, other) => other.length - one.length)
    .map((value) => ({ value, quoted: JSON.stringify(value) }))
  return (text) => {
    let masked = text
    for (const { value, quoted } of secrets) {
      // A long value is no part of a message that cuts what it quotes.
      if (value.length > masked.length) continue
      masked = masked.replaceAll(quoted, `"${MASK}"`)
      if (value.length < ANYWHERE_FROM) continue
      masked = masked.replaceAll(quoted.slice(1, -1), MASK).replaceAll(value, MASK)
    }
    return masked
  }
}

export function maskProblems(
  problems: readonly Problem[],
  files: Iterable<EnvironmentFiles>,
): readonly Problem[] {
  if (problems.length === 0) return problems
  const mask = maskOf(files)
  return problems.map(({ hint, ...problem }) => ({
    ...problem,
    message: mask(problem.message),
    ...(hint === undefined ? {} : { hint: mask(hint) }),
  }))
}
