// Breaks a valid YAML or dotenv text by its lines.

import type { Random } from "./random.ts"
import { typo } from "./typo.ts"

const yamlPieces = [
  "&a *a",
  "*nowhere",
  "<<: *charge",
  "!!js/function 'x'",
  "!!binary aGk=",
  "!!set {a, b}",
  "|2",
  ">-",
  "? ",
  "- - -",
  "---",
  "...",
  "\t",
  "{a: {a: {a: [",
  "[*charge, *charge]",
  "__proto__: {polluted: true}",
  "%YAML 9.9",
  "1e400",
  "0o17",
  "2001-12-14",
  "yes",
  "~",
]
const dotenvPieces = [
  "export ",
  "=",
  "a",
  "x y=1",
  "apiKey='",
  'apiKey="',
  "apiKey=`",
  "<<<<<<< HEAD",
  "a=b # c",
  ":",
  "\\n",
  "__proto__=x",
]

/** A copy with one to three lines changed. */
export function changeLines(text: string, isDotenv: boolean, random: Random): string {
  const lines = text.split("\n")
  for (let times = random.below(3); times >= 0; times--) {
    const at = random.below(lines.length)
    const put = random.pick(isDotenv ? dotenvPieces : yamlPieces)
    random.pick(lineChanges)(lines, { at, put, random })
  }
  return lines.join("\n")
}

interface LineChange {
  readonly at: number
  readonly put: string
  readonly random: Random
}

const lineChanges: readonly ((lines: string[], change: LineChange) => void)[] = [
  (lines, { at }) => lines.splice(at, 1),
  (lines, { at, random }) => lines.splice(random.below(lines.length + 1), 0, lines[at] ?? ""),
  (lines, { at }) => (lines[at] = ` ${lines[at]}`),
  (lines, { at }) => (lines[at] = (lines[at] ?? "").replace(/^ {1,2}/, "")),
  (lines, { at, put }) => lines.splice(at, 0, put),
  (lines, { at, put }) =>
    (lines[at] = (lines[at] ?? "").replace(/[=:].*$/, (rest) => rest.slice(0, 1) + " " + put)),
  (lines, { at, put }) => (lines[at] = (lines[at] ?? "").replace(/[\w-]+/, put)),
  (lines, { at, random }) =>
    (lines[at] = (lines[at] ?? "").replace(/[\w-]+/, (name) => typo(`"${name}"`, random).slice(1, -1))),
  (lines, { at }) => (lines[at] = `${lines[at]}${lines[at + 1] ?? ""}`),
]
