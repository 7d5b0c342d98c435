// Prints a line for each document, the false errors, the most frequent warnings, and the totals.

import type { DocumentOutcome, Said, Tally } from "./check-document.ts"

export function summarize(outcomes: ReadonlyMap<string, DocumentOutcome>, seed: number): string {
  const all = [...outcomes.values()]
  const said = [...outcomes].flatMap(([document, outcome]) =>
    outcome.said.map((one) => ({ ...one, document })),
  )
  const errors = said.filter(({ severity }) => severity === "error")
  const warnings = said.filter(({ severity }) => severity === "warning")
  const closed = sum(all.map(({ misspelled }) => misspelled.closed))
  const listed = sum(all.map(({ misspelled }) => misspelled.listed))
  return [
    ...[...outcomes].map(([name, outcome]) => documentLine(name, outcome)),
    ...section("false errors", errors.slice(0, 40).map(lineOf)),
    ...section("warnings by code", countByCode(warnings)),
    ...section("the first of each warning", firstOfEach(warnings).slice(0, 10).map(lineOf)),
    ...section("misspelled steps in closed schemas of which nothing was said", missedOf(outcomes, "closed")),
    `public documents: ${all.length} documents, ${total(all, "operations")} operations, ${total(all, "workflows")} workflows, ${total(all, "assertions")} assertions (seed ${seed}): ` +
      `${errors.length} false errors, ${warnings.length} warnings; misspelled steps found ${show(closed)} in closed schemas, ${show(listed)} where a schema lists properties and says no more`,
  ].join("\n")
}

const documentLine = (
  name: string,
  { operations, workflows, said, misspelled, milliseconds }: DocumentOutcome,
) => {
  const errors = said.filter(({ severity }) => severity === "error").length
  return `${name.padEnd(42)} ${operations} operations, ${workflows} workflows: ${errors} errors, ${said.length - errors} warnings; misspelled ${show(misspelled.closed)} closed, ${show(misspelled.listed)} listed; ${Math.round(milliseconds)} ms`
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`), ""]

const lineOf = (one: Said & { readonly document: string }): string =>
  `${one.document} ${one.operation} ${one.file}:${one.line} ${one.code}: ${one.message}${one.hint === undefined ? "" : ` (${one.hint})`}\n      at ${one.text}`

function countByCode(said: readonly Said[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { code } of said) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([code, count]) => `${count} ${code}`)
}

/** Warnings that differ only in quoted words are one kind. */
function firstOfEach<T extends Said>(said: readonly T[]): readonly T[] {
  const kinds = new Map<string, { readonly first: T; count: number }>()
  for (const one of said) {
    const kind = `${one.code} ${one.message.replaceAll(/"[^"]*"|\d+/g, "…")}`
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, { first: one, count: 1 })
    else known.count++
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count).map(({ first }) => first)
}

const missedOf = (outcomes: ReadonlyMap<string, DocumentOutcome>, last: string): readonly string[] =>
  [...outcomes]
    .flatMap(([name, { missed }]) =>
      missed.filter((one) => one.startsWith(last)).map((one) => `${name} ${one}`),
    )
    .slice(0, 20)

/** Adds up several tallies. */
export const sum = (tallies: readonly Tally[]): Tally => ({
  found: tallies.reduce((count, { found }) => count + found, 0),
  errors: tallies.reduce((count, { errors }) => count + errors, 0),
  of: tallies.reduce((count, tally) => count + tally.of, 0),
})

const total = (all: readonly DocumentOutcome[], key: "operations" | "workflows" | "assertions"): number =>
  all.reduce((count, outcome) => count + outcome[key], 0)

const show = ({ found, errors, of }: Tally): string => `${found} of ${of} (${errors} as errors)`
