// Makes text from outside safe to print in a CI log, where a line can be a command.

import { printable } from "./printable.ts"

// Azure Pipelines and GitHub Actions read `##vso[` and `##[` anywhere in a line. TeamCity reads `##teamcity[` only at
// the start.
const marker = /##(?=[a-z]*\[)/gi
/** GitHub Actions reads `::name …::` at the start of a line, even after spaces. */
const lineCommand = /^([^\S\n]*):(?=:)/gm

// Terminals interpret C1 controls. Direction marks can make text look like other text.
const invisible = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Replaces one character of each command with its escape. */
export const breakCommands = (text: string): string =>
  text.replace(marker, "#\\u0023").replace(lineCommand, "$1\\u003a")

/** Escapes characters in strings. In JSON, `#` and invisible characters occur nowhere else, so values stay equal. */
export const breakCommandsInJson = (json: string): string =>
  json.replace(marker, "#\\u0023").replace(invisible, (character) => printable(character))

/** Replaces invisible characters with their escapes. */
export const breakCommandsInXml = (text: string): string =>
  text
    .replace(invisible, (character) => printable(character))
    .replace(marker, "#&#35;")
    .replace(lineCommand, "$1&#58;")
