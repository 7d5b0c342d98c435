// Checks the options of `run` before anything is read.

import { resolve } from "node:path"
import { CallsheetError, suggest, type Finding } from "@callsheet/format"
import type { SessionOptions } from "@callsheet/engine"
import { messages, seeHelp } from "../messages.ts"
import type { Options } from "../options.ts"
import { reporterNames, type ReporterName } from "../reporters/index.ts"

export type RunRequest = ReturnType<typeof readRunOptions>

export interface ReporterChoice {
  readonly name: ReporterName
  readonly file?: { readonly path: string; readonly shown: string }
}

export interface VariableChoice {
  readonly api: string
  readonly name: string
  readonly value?: string
}

/** Reads the words and options of `run`. Throws `usage`; values of options are not quoted, they may be secrets. */
export function readRunOptions(words: readonly string[], options: Options, cwd: string) {
  if (words.length === 0 && !options.has("all")) {
    throw misuse(usage.noWorkflow())
  }
  if (words.length > 0 && options.has("all")) throw misuse(usage.allWithNames())
  return {
    workflows: options.has("all") ? ("all" as const) : words,
    reporters: readReporters(options, cwd),
    variables: readVariables(options.values("var")),
    yes: options.has("yes"),
    /** The minimum percentage of documented operations that must run. */
    coverageMin: readPercent(options),
    /** The port at which scripts wait for a debugger; 0 chooses a free one. */
    inspectPort: readInspectPort(options),
    session: {
      ...readEnvironments(options.values("env")),
      inputs: readInputs(options.values("input")),
      concurrency: readCount(options, "concurrency", 100_000),
      onFailure: readOnFailure(options.value("on-failure")),
      timeoutMs: readCount(options, "timeout", 2 ** 31 - 1),
      maxResponseBytes: readSize(options.value("max-response-size")),
      seed: readSeed(options.value("seed")),
    },
  }
}

const { usage } = messages
const help = seeHelp("run")
const misuse = (finding: Finding): CallsheetError => new CallsheetError(finding)

function readPercent(options: Options): number | undefined {
  const text = options.value("coverage-min")
  if (text === undefined) return undefined
  const percent = /^[0-9]{1,3}(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (percent <= 100) return percent
  throw misuse(usage.percentage())
}

const DEFAULT_INSPECT_PORT = 9229

function readInspectPort(options: Options): number | undefined {
  if (!options.has("inspect-scripts")) return undefined
  const text = options.value("inspect-scripts")
  if (text === undefined) return DEFAULT_INSPECT_PORT
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw misuse(usage.inspectPort())
}

/** Splits at the first `=`; undefined if there is none, or nothing before it. */
function splitPair(text: string): readonly [name: string, value: string] | undefined {
  const at = text.indexOf("=")
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)]
}

function readEnvironments(values: readonly string[]): Pick<SessionOptions, "environment" | "environments"> {
  const [forAll, other] = values.filter((value) => !value.includes("="))
  if (forAll !== undefined && other !== undefined) throw misuse(usage.environmentsForAll(forAll, other))
  const malformed = () => misuse(usage.form("--env", "[<api>=]<environment>", help))
  if (forAll === "") throw malformed()
  const environments = new Map<string, string>()
  for (const value of values) {
    if (!value.includes("=")) continue
    const [api, name] = splitPair(value) ?? []
    if (api === undefined || name === "" || name === undefined) throw malformed()
    if (environments.has(api)) throw misuse(usage.twice(`--env ${api}=…`, help))
    environments.set(api, name)
  }
  return { environments: Object.fromEntries(environments), environment: forAll }
}

function readInputs(values: readonly string[]): Readonly<Record<string, string>> {
  const inputs = new Map<string, string>()
  for (const value of values) {
    const [name, text] = splitPair(value) ?? []
    if (name === undefined || text === undefined) throw misuse(usage.form("--input", "<name>=<value>", help))
    if (inputs.has(name)) throw misuse(usage.twice(`--input ${name}=…`, help))
    inputs.set(name, text)
  }
  return Object.fromEntries(inputs)
}

function readVariables(values: readonly string[]): VariableChoice[] {
  const seen = new Set<string>()
  const choices = values.map((given): VariableChoice => {
    const [place, value] = splitPair(given) ?? []
    const dot = place?.indexOf(".") ?? -1
    if (place === undefined || value === undefined || dot < 1 || dot === place.length - 1) {
      const hint = "<api>.<name>=- reads the value from standard input"
      throw misuse(usage.form("--var", "<api>.<name>=<value>", hint))
    }
    if (seen.has(place)) throw misuse(usage.twice(`--var ${place}=…`, help))
    seen.add(place)
    const choice = { api: place.slice(0, dot), name: place.slice(dot + 1) }
    return value === "-" ? choice : { ...choice, value }
  })
  const fromInput = choices.filter(({ value }) => value === undefined)
  if (fromInput.length > 1) {
    const names = fromInput.map(({ api, name }) => `${api}.${name}`)
    throw misuse(usage.manyFromInput(names, "CALLSHEET_VAR__<API>__<NAME> sets any number of them"))
  }
  return choices
}

function readReporters(options: Options, cwd: string): ReporterChoice[] {
  const given = [...options.values("reporter"), ...(options.has("json") ? ["json"] : [])]
  const choices = given.map((text) => readReporter(text, cwd))
  const [first, second] = choices.filter(({ file }) => file === undefined)
  if (first !== undefined && second !== undefined) {
    throw misuse(usage.reportersOnScreen(first.name, second.name))
  }
  const files = new Set<string>()
  for (const { file } of choices) {
    if (file === undefined) continue
    if (files.has(file.path)) throw misuse(usage.reportersOnFile(file.shown))
    files.add(file.path)
  }
  return first === undefined ? [{ name: "pretty" }, ...choices] : choices
}

function readReporter(text: string, cwd: string): ReporterChoice {
  const equals = text.indexOf("=")
  const name = equals === -1 ? text : text.slice(0, equals)
  if (!isReporterName(name)) {
    throw misuse(usage.unknownName("reporter", name, reporterNames, suggest(name, reporterNames)))
  }
  if (equals === -1) return { name }
  const shown = text.slice(equals + 1)
  if (shown === "") throw misuse(usage.reporterFile(name))
  return { name, file: { path: resolve(cwd, shown), shown } }
}

const isReporterName = (name: string): name is ReporterName =>
  (reporterNames as readonly string[]).includes(name)

function readCount(options: Options, name: string, max: number): number | undefined {
  const text = options.value(name)
  if (text === undefined) return undefined
  const count = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > max) throw misuse(usage.wholeNumber(`--${name}`, 1, max, help))
  return count
}

function readOnFailure(text: string | undefined): "halt" | "continue" | undefined {
  if (text === undefined || text === "halt" || text === "continue") return text
  throw misuse(usage.onFailure(suggest(text, ["halt", "continue"])))
}

const units: Readonly<Record<string, number>> = { "": 1, kib: 1024, mib: 1024 * 1024 }

function readSize(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits, unit = ""] = /^([0-9]{1,12})([KM]iB)?$/i.exec(text) ?? []
  const bytes = Number(digits ?? 0) * (units[unit.toLowerCase()] ?? 1)
  if (bytes < 1 || !Number.isSafeInteger(bytes)) {
    throw misuse(usage.size())
  }
  return bytes
}

function readSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seed = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(seed)) throw misuse(usage.wholeNumber("--seed", 0, undefined, help))
  return seed
}
