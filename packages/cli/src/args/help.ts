// Generates help from the command table.

import type { ArgumentRow, CommandRow, OptionRow } from "./command.ts"
import type { CommandTable } from "./parse-arguments.ts"
import type { Style } from "../screen.ts"

export const purpose = "Test HTTP APIs with files in your repository."

/** Options that every command has. The parser handles them. */
export const always: readonly OptionRow[] = [
  { name: "help", summary: "Show this help." },
  { name: "version", summary: "Show the version." },
]

export function renderHelp(about: string, table: CommandTable, style: Style): string {
  const row = table.commands.find((command) => command.name === about)
  return row === undefined ? overview(about, table, style) : commandHelp(row, table, style)
}

function overview(group: string, table: CommandTable, style: Style): string {
  const commands = table.commands.filter(({ name }) => group === "" || name.startsWith(`${group} `))
  const about = group === "" ? purpose : (new Map(Object.entries(table.groups)).get(group) ?? "")
  const rows = commands.map((row) => [synopsis(row), row.summary] as const)
  const named = group === "" ? "" : `${group} `
  return page([
    about,
    section("Usage", [`callsheet ${named}<command> [options]`], style),
    section("Commands", columns(rows, style), style),
    optionSection([...table.common(), ...always], style),
    `${style("gray", "Help for a command:")} callsheet ${named}<command> --help`,
  ])
}

function commandHelp(row: CommandRow, table: CommandTable, style: Style): string {
  const named = row.arguments.map((argument) => [`<${argument.name}>`, argumentSummary(argument)] as const)
  return page([
    row.summary,
    section("Usage", [`callsheet ${synopsis(row)}${row.options().length === 0 ? "" : " [options]"}`], style),
    ...(row.details ?? []),
    named.length === 0 ? "" : section("Arguments", columns(named, style), style),
    optionSection([...row.options(), ...table.common(), ...always], style),
    row.examples === undefined ? "" : section("Examples", row.examples, style),
  ])
}

/** Formats a synopsis such as `env read <api> <environment> [<name>]`. */
export function synopsis(row: CommandRow): string {
  if (row.synopsis !== undefined) return `${row.name} ${row.synopsis}`
  const words = row.arguments.map(({ name, choices, optional, repeats }) => {
    const word = (choices === undefined ? `<${name}>` : choices.join("|")) + (repeats === true ? "..." : "")
    return optional === true ? `[${word}]` : word
  })
  return [row.name, ...words].join(" ")
}

const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`

const section = (title: string, lines: readonly string[], style: Style): string =>
  [style("bold", title), ...lines.map((line) => `  ${line}`)].join("\n")

function optionSection(options: readonly OptionRow[], style: Style): string {
  const rows = options.map((option) => [optionText(option), optionSummary(option)] as const)
  return section("Options", columns(rows, style), style)
}

export const argumentSummary = ({ summary, choices }: ArgumentRow): string =>
  choices === undefined ? summary : extended(summary, `: ${choices.join(", ")}`)

export const optionSummary = ({ summary, repeats }: OptionRow): string =>
  repeats === true ? extended(summary, " (repeatable)") : summary

/** Adds words before the period of a sentence. */
const extended = (sentence: string, more: string): string => `${sentence.slice(0, -1)}${more}.`

export function optionText({ name, short, value, valueOptional }: OptionRow): string {
  if (value === undefined) return `${short === undefined ? "" : `-${short}, `}--${name}`
  return valueOptional === true ? `--${name}[=${value}]` : `--${name} ${value}`
}

function columns(rows: readonly (readonly [string, string])[], style: Style): string[] {
  const wide = 34
  const width = Math.max(...rows.map(([left]) => (left.length > wide ? 0 : left.length)))
  return rows.flatMap(([left, right]) =>
    left.length > width
      ? [style("cyan", left), `${" ".repeat(width)}  ${right}`]
      : [`${style("cyan", left)}${" ".repeat(width - left.length)}  ${right}`],
  )
}
