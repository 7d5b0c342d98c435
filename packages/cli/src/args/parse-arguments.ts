// Parses the command line to a call of a command, a request for help, or misuse.

import type { Finding } from "@callsheet/format"
import type { CommandRow, OptionRow } from "./command.ts"
import type { messages } from "../messages.ts"
import { Options } from "./options.ts"

export interface CommandTable {
  readonly commands: readonly CommandRow[]
  /** First words that several commands share, with their summaries. */
  readonly groups: Readonly<Record<string, string>>
  readonly common: () => readonly OptionRow[]
}

type Invocation =
  | {
      readonly kind: "call"
      readonly row: CommandRow
      readonly words: readonly string[]
      readonly options: Options
    }
  /** `about` is a command or a group. If it is empty, help lists all commands. */
  | { readonly kind: "help"; readonly about: string }
  | { readonly kind: "version" }
  | Misuse

export interface Misuse {
  readonly kind: "misuse"
  /** Creates the message. The message table is loaded only for this call. */
  readonly explain: (usage: typeof messages.usage) => Finding
  /** The unknown word, and the words to suggest. */
  readonly unknown?: { readonly word: string; readonly known: readonly string[] }
  /** The command or group that the user probably meant. Empty if unknown. */
  readonly about: string
}

/**
 * Parses the arguments. Options may be anywhere before `--`. Messages never contain the value of an option, which may
 * be a secret.
 */
export function parseArguments(argv: readonly string[], table: CommandTable): Invocation {
  const end = argv.indexOf("--")
  const live = end === -1 ? argv : argv.slice(0, end)
  const place = findCommand(live, table)
  if (argv.length === 0 || live.includes("--help") || live.includes("-h") || place.wantsHelp)
    return help(place, table)
  if (live.includes("--version") || (place.row === undefined && live.includes("-v")))
    return { kind: "version" }
  if (place.row === undefined) return nameMissing(place, table)
  return readCall({ argv, row: place.row, skip: place.nameAt, table })
}

type Place = ReturnType<typeof findCommand>

/** Finds the words that name the command: the first words that are neither options nor their values. */
export function findCommand(live: readonly string[], table: CommandTable) {
  const words: { text: string; at: number }[] = []
  let valued: ReadonlySet<string> | undefined
  let isValue = false
  for (const [at, text] of live.entries()) {
    if (words.length === 3 || isCommand(words[0]?.text, table)) break
    if (!isValue && !isOption(text)) words.push({ text, at })
    isValue = !isValue && isOption(text) && at + 1 < live.length && (valued ??= takesNext(table)).has(text)
  }
  const wantsHelp = words[0]?.text === "help"
  if (wantsHelp) words.shift()
  const first = words[0]
  if (first === undefined) return { row: undefined, name: [], nameAt: [], wantsHelp }
  const named = words.slice(0, Object.hasOwn(table.groups, first.text) ? 2 : 1)
  const name = named.map(({ text }) => text)
  const row = table.commands.find((command) => command.name === name.join(" "))
  return { row, name, nameAt: named.map(({ at }) => at), wantsHelp }
}

/** Returns true if the word alone names a command. */
const isCommand = (word: string | undefined, { commands }: CommandTable): boolean =>
  commands.some(({ name }) => name === word)

/** Returns all options, of any command, whose value is the next word. */
export function takesNext(table: CommandTable): ReadonlySet<string> {
  const options = [...table.common(), ...table.commands.flatMap((row) => row.options())]
  const valued = options.filter(({ value, valueOptional }) => value !== undefined && valueOptional !== true)
  return new Set(valued.map(({ name }) => `--${name}`))
}

function help(place: Place, table: CommandTable): Invocation {
  if (place.row !== undefined) return { kind: "help", about: place.row.name }
  const group = place.name[0] ?? ""
  // After a misspelled name, a suggestion helps more than the help of another command.
  if (place.name.length === 2 || (group !== "" && !Object.hasOwn(table.groups, group))) {
    return nameMissing(place, table)
  }
  return { kind: "help", about: group }
}

function nameMissing({ name }: Place, table: CommandTable): Misuse {
  const [first, second] = name
  const names = table.commands.map((command) => command.name.split(" "))
  // A word with "=" may be the value of a misspelled option, and so a secret.
  const isGroup = first !== undefined && Object.hasOwn(table.groups, first)
  if (first === undefined || (!isGroup && first.includes("=")))
    return { kind: "misuse", explain: (usage) => usage.noCommand(), about: "" }
  const unknown = (word: string, known: readonly string[], about: string): Misuse => ({
    kind: "misuse",
    explain: (usage) => usage.unknownCommand(name.join(" ")),
    unknown: { word, known },
    about,
  })
  if (!isGroup) return unknown(first, [...new Set(names.map(([word = ""]) => word))], "")
  const known = names.filter(([group]) => group === first).map(([, word = ""]) => word)
  if (second !== undefined) return unknown(second, known, first)
  return { kind: "misuse", explain: (usage) => usage.commandMissing(first, known), about: first }
}

interface CallWords {
  readonly argv: readonly string[]
  readonly row: CommandRow
  readonly skip: readonly number[]
  readonly table: CommandTable
}

function readCall({ argv, row, skip, table }: CallWords): Invocation {
  const known = [...row.options(), ...table.common()]
  const words: string[] = []
  const values = new Map<string, string[]>()
  let isValue = false
  for (const [at, word] of argv.entries()) {
    if (isValue || skip.includes(at)) {
      isValue = false
      continue
    }
    if (word === "--") {
      words.push(...argv.slice(at + 1))
      break
    }
    if (!isOption(word)) {
      words.push(word)
      continue
    }
    const read = readOption(word, argv[at + 1], known)
    if ("explain" in read) return { kind: "misuse", about: row.name, ...read }
    if (values.has(read.option.name) && read.option.repeats !== true) {
      return { kind: "misuse", explain: (usage) => usage.twice(`--${read.option.name}`), about: row.name }
    }
    const list = values.get(read.option.name) ?? []
    values.set(read.option.name, read.value === undefined ? list : [...list, read.value])
    isValue = read.tookNext
  }
  const wrong = checkWords(words, row)
  if (wrong !== undefined) return { kind: "misuse", about: row.name, ...wrong }
  return { kind: "call", row, words, options: new Options(values) }
}

type Wrong = Pick<Misuse, "explain" | "unknown">
type ReadOption = { readonly option: OptionRow; readonly value?: string; readonly tookNext: boolean }

function readOption(word: string, next: string | undefined, known: readonly OptionRow[]): ReadOption | Wrong {
  const equals = word.indexOf("=")
  const name = equals === -1 ? word : word.slice(0, equals)
  const option = known.find(
    (row) => name === `--${row.name}` || (row.short !== undefined && name === `-${row.short}`),
  )
  if (option === undefined) {
    const names = [...known.map((row) => `--${row.name}`), "--help", "--version"]
    return { explain: (usage) => usage.unknownOption(name), unknown: { word: name, known: names } }
  }
  if (option.value === undefined) {
    return equals === -1 ? { option, tookNext: false } : { explain: (usage) => usage.valueUnexpected(name) }
  }
  if (equals !== -1) return { option, value: word.slice(equals + 1), tookNext: false }
  if (option.valueOptional === true) return { option, tookNext: false }
  // If an option follows, the value is probably missing. A value that starts with dashes needs "=".
  const { value } = option
  if (next === undefined || next.startsWith("--"))
    return { explain: (usage) => usage.valueMissing(name, value, next === undefined) }
  return { option, value: next, tookNext: true }
}

function checkWords(words: readonly string[], row: CommandRow): Wrong | undefined {
  const missing = row.arguments[words.length]
  if (missing !== undefined && missing.optional !== true)
    return { explain: (usage) => usage.argumentMissing(missing.name) }
  const last = row.arguments.at(-1)
  if (last?.repeats !== true && words.length > row.arguments.length) {
    // The word may be part of a secret that a space split, so don't quote it.
    return { explain: (usage) => usage.tooManyArguments(row.name, row.arguments.length) }
  }
  for (const [index, { name, choices }] of row.arguments.entries()) {
    const word = words[index]
    if (choices === undefined || word === undefined || choices.includes(word)) continue
    return { explain: (usage) => usage.argumentValue(name, choices), unknown: { word, known: choices } }
  }
  return undefined
}

const isOption = (word: string): boolean => word.length > 1 && word.startsWith("-")
