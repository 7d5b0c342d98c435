// Generates the man page from the command table at build time.

import type { CommandRow, OptionRow } from "./command.ts"
import { always, argumentSummary, optionSummary, optionText, purpose, synopsis } from "./help.ts"
import type { CommandTable } from "./parse-arguments.ts"

// The build renders these.
export { table } from "../commands/index.ts"
export { version } from "../version.ts"

/** Renders the page with the macros of man(7). */
export function renderManPage(table: CommandTable, version: string): string {
  return [
    `.TH CALLSHEET 1 "" "callsheet ${version}" "User Commands"`,
    ".SH NAME",
    `callsheet \\- ${escape(purpose.replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    ".B callsheet\n.I command\n.RI [ options ]",
    ".SH COMMANDS",
    ...table.commands.map(section),
    ".SH OPTIONS",
    "Every command takes these options.",
    ...[...table.common(), ...always].map(option),
    "",
  ].join("\n")
}

const section = (row: CommandRow): string =>
  [
    `.SS callsheet ${escape(synopsis(row))}`,
    escape(row.summary),
    ...(row.details ?? []).map((text) => `.PP\n${escape(text)}`),
    ...row.arguments.map((argument) => entry(`<${argument.name}>`, argumentSummary(argument))),
    ...row.options().map(option),
    ...(row.examples === undefined
      ? []
      : [`.PP\nExamples:\n.nf\n${row.examples.map(escape).join("\n")}\n.fi`]),
  ].join("\n")

const option = (row: OptionRow): string => entry(optionText(row), optionSummary(row))

const entry = (name: string, text: string): string => `.TP\n.B ${escape(name)}\n${escape(text)}`

/** Escapes backslashes and hyphens. Also escapes a dot or quote that would start a request. */
const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")
