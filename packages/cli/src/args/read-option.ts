// Reads values of options: a number, or one of several names.

import { CallsheetError, hints, meantNumber, suggest, type Finding } from "@callsheet/format"
import { messages, seeHelp } from "../messages.ts"
import type { Options } from "./options.ts"

type Kind = Parameters<typeof messages.usage.unknownName>[0]

/** Returns a known name, otherwise throws. `kind` is a word for the message, such as `reporter`. */
export function readName<N extends string>(kind: Kind, name: string, known: readonly N[]): N {
  const found = known.find((one) => one === name)
  if (found !== undefined) return found
  const suggestion = name.includes(",") && kind === "reporter" ? oneReporterHint(name) : suggest(name, known)
  throw new CallsheetError(messages.usage.unknownName(kind, name, known, suggestion))
}

/** Returns the hint for several reporters in one option, as Newman has it. */
const oneReporterHint = (names: string): string =>
  `repeat the option: ${names
    .split(",")
    .map((name) => `--reporter ${name.trim()}=<file>`)
    .join(" ")}`

interface NumberForm {
  readonly pattern: RegExp
  readonly min?: number
  readonly max?: number | undefined
  /** The unit of the option, which its value doesn't name. */
  readonly unit?: "ms" | undefined
  /** The problem to report for any other text. */
  readonly wrong: Finding
}

export function readNumber(text: string | undefined, form: NumberForm): number | undefined {
  if (text === undefined) return undefined
  const { pattern, min = 0, max = Number.MAX_SAFE_INTEGER, unit, wrong } = form
  const isAllowed = (number: number): boolean => number >= min && number <= max
  const number = pattern.test(text) ? Number(text) : Number.NaN
  if (isAllowed(number)) return number
  const meant = meantNumber(text, unit)
  throw new CallsheetError(
    meant === undefined || !isAllowed(meant)
      ? wrong
      : { ...wrong, hint: unit === "ms" ? hints.milliseconds(meant) : hints.number(meant) },
  )
}

/** Returns the number of warnings that `--max-warnings` or `--strict` allows. */
export function readMaxWarnings(options: Options, command: string): number | undefined {
  const text = options.value("max-warnings")
  const isStrict = options.has("strict")
  if (isStrict && text !== undefined)
    throw new CallsheetError(messages.usage.contradiction("--strict", "--max-warnings"))
  const wrong = messages.usage.wholeNumber("--max-warnings", 0, undefined, seeHelp(command))
  return isStrict ? 0 : readNumber(text, { pattern: /^[0-9]{1,9}$/, wrong })
}

/** Returns one of several values. Throws `usage`. */
export function readChoice<T extends string>(
  options: Options,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = options.value(name)
  const found = choices.find((choice) => choice === text)
  if (text === undefined || found !== undefined) return found
  throw new CallsheetError(messages.usage.choice(`--${name}`, choices, suggest(text, choices)))
}
