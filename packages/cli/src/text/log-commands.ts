// Text from outside made safe for the log of a CI system, which takes commands from the lines that it reads.

import { printable } from "./printable.ts"

// Azure Pipelines and GitHub Actions look for `##vso[` and `##[` anywhere in a line, TeamCity for `##teamcity[` at its start.
const marker = /##(?=[a-z]*\[)/gi
/** GitHub Actions looks for `::name …::` behind any blanks that a line starts with. */
const lineCommand = /^([^\S\n]*):(?=:)/gm

// Terminals obey C1 controls; marks of direction make a text look like another one.
const invisible = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Spells one character of each command out, as `printable` does. */
export const breakCommands = (text: string): string =>
  text.replace(marker, "#\\u0023").replace(lineCommand, "$1\\u003a")

/** JSON of the same values: `#` and invisible characters are only in strings, where they can be escaped. */
export const breakCommandsInJson = (json: string): string =>
  json.replace(marker, "#\\u0023").replace(invisible, (character) => printable(character))

/** XML that says the same, except that characters that can't be seen are spelled out. */
export const breakCommandsInXml = (text: string): string =>
  text
    .replace(invisible, (character) => printable(character))
    .replace(marker, "#&#35;")
    .replace(lineCommand, "$1&#58;")
