// Prints the results about contracts: the problems, and a table for a note.

import { responsesPerDocument, type ContractOutcome } from "./check-contracts.ts"

interface Named {
  readonly name: string
  readonly origin: string
  readonly outcome: ContractOutcome
}

export function summarizeContracts(outcomes: readonly Named[], seed: number): string {
  const total = (count: (outcome: ContractOutcome) => number) =>
    outcomes.reduce((all, { outcome }) => all + count(outcome), 0)
  const [good, mutants, bad] = [
    total((one) => one.good),
    total((one) => one.mutants),
    total((one) => one.bad),
  ]
  return [
    "",
    ...table([heads, ...outcomes.map(cells)]),
    "",
    ...section("false alarms", linesOf(outcomes, "alarms")),
    ...section("missed", linesOf(outcomes, "missed")),
    ...section("reported elsewhere", linesOf(outcomes, "misplaced")),
    ...section("no conforming value was made, as ajv has it", linesOf(outcomes, "unmade")),
    ...section("mutants by kind", kindsOf(outcomes)),
    `contracts: ${outcomes.length} documents, ${total((one) => one.operations)} operations (seed ${seed}, at most ${responsesPerDocument} responses of each document): ` +
      `${good} conforming responses found good, ${total((one) => one.alarms.length)} false alarms, ` +
      `${bad} of ${mutants} mutants found bad, ${total((one) => one.exact)} at the very place, ${total((one) => one.misplaced.length)} at another; ` +
      `of ${total((one) => one.unmade.length)} of ${total((one) => one.tried)} responses no conforming value was made`,
  ].join("\n")
}

const heads = [
  "document",
  "package",
  "OpenAPI",
  "bytes",
  "operations",
  "responses (tried of documented)",
  "found good",
  "mutants found bad",
  "load ratio",
]

const cells = ({ name, origin, outcome }: Named): readonly string[] => [
  name,
  origin,
  outcome.version,
  String(outcome.bytes),
  String(outcome.operations),
  `${outcome.tried} of ${outcome.documented}`,
  `${outcome.good} of ${outcome.good + outcome.alarms.length}`,
  `${outcome.bad} of ${outcome.mutants}`,
  (outcome.loading.ours / outcome.loading.plain).toFixed(2),
]

/** Formats the table in Markdown. */
const table = ([first = [], ...rows]: readonly (readonly string[])[]): readonly string[] =>
  [first, first.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`)

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [`${title} (${lines.length}):`, ...lines.slice(0, 60).map((line) => `  ${line}`), ""]

const linesOf = (
  outcomes: readonly Named[],
  list: "alarms" | "missed" | "misplaced" | "unmade",
): readonly string[] =>
  outcomes.flatMap(({ name, outcome }) => outcome[list].map((line) => `${name} ${line}`))

function kindsOf(outcomes: readonly Named[]): readonly string[] {
  const kinds = new Map<string, number>()
  for (const { outcome } of outcomes)
    for (const [kind, count] of outcome.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  return [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`)
}
