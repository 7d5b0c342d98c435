// Makes external text safe for the log of a CI system, which reads commands from lines.

import { printable } from "./printable.ts"

// Azure Pipelines and GitHub Actions look for `##vso[` and `##[` anywhere in a line, TeamCity for `##teamcity[` at its start.
const marker = /##(?=[a-z]*\[)/gi
/** GitHub Actions looks for `::name …::` after any spaces at the start of a line. */
const lineCommand = /^([^\S\n]*):(?=:)/gm

// Terminals obey C1 controls, and direction marks disguise a text as another one.
const invisible = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Spells out one character of each command, as `printable` does. */
export const breakCommands = (text: string): string =>
  text.replace(marker, "#\\u0023").replace(lineCommand, "$1\\u003a")

/** Escapes only within strings, the only place of `#` and invisible characters in JSON, so the values stay equal. */
export const breakCommandsInJson = (json: string): string =>
  json.replace(marker, "#\\u0023").replace(invisible, (character) => printable(character))

/** Spells out characters that can't be seen. */
export const breakCommandsInXml = (text: string): string =>
  text
    .replace(invisible, (character) => printable(character))
    .replace(marker, "#&#35;")
    .replace(lineCommand, "$1&#58;")
