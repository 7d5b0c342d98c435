// The options of `run`, checked: what is asked for, before anything is read.

import { resolve } from "node:path"
import { CallsheetError, suggest } from "@callsheet/format"
import type { SessionOptions } from "@callsheet/engine"
import type { Options } from "../options.ts"
import { reporterNames, type ReporterName } from "../reporters/index.ts"

export type RunWishes = ReturnType<typeof readRunOptions>

export interface ReporterWish {
  readonly name: ReporterName
  readonly file?: { readonly path: string; readonly shown: string }
}

export interface VariableWish {
  readonly api: string
  readonly name: string
  readonly value?: string
}

/** Reads the words and options of `run`. Throws `usage`; values of options are not quoted, they may be secrets. */
export function readRunOptions(words: readonly string[], options: Options, cwd: string) {
  if (words.length === 0 && !options.has("all")) {
    throw usage(
      "no workflow given",
      "name one, or run them all with --all; callsheet list workflows shows them",
    )
  }
  if (words.length > 0 && options.has("all")) throw usage("--all runs every workflow: it takes no names")
  return {
    workflows: options.has("all") ? ("all" as const) : words,
    reporters: readReporters(options, cwd),
    variables: readVariables(options.values("var")),
    yes: options.has("yes"),
    /** The least share of documented operations that must be run, of 100. */
    coverageMin: readPercent(options),
    /** Where scripts wait for a debugger; 0 takes a free port. */
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

const usage = (message: string, hint?: string): CallsheetError =>
  new CallsheetError("usage", message, { hint: hint ?? "see callsheet run --help" })

function readPercent(options: Options): number | undefined {
  const text = options.value("coverage-min")
  if (text === undefined) return undefined
  const percent = /^[0-9]{1,3}(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (percent <= 100) return percent
  throw usage("--coverage-min needs a percentage from 0 to 100")
}

const usualInspectPort = 9229

function readInspectPort(options: Options): number | undefined {
  if (!options.has("inspect-scripts")) return undefined
  const text = options.value("inspect-scripts")
  if (text === undefined) return usualInspectPort
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw usage(
    "--inspect-scripts needs a port from 0 to 65535, or none",
    "it listens on 127.0.0.1 alone; 0 takes any port that is free",
  )
}

/** Cuts at the first `=`; undefined where there is none, or nothing before it. */
function splitPair(text: string): readonly [name: string, value: string] | undefined {
  const at = text.indexOf("=")
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)]
}

function readEnvironments(values: readonly string[]): Pick<SessionOptions, "environment" | "environments"> {
  const bare = values.filter((value) => !value.includes("="))
  if (bare.length > 1) {
    throw usage(
      `two environments for all APIs: --env ${bare[0]} and --env ${bare[1]}`,
      "name the API: --env <api>=<environment>",
    )
  }
  if (bare[0] === "") throw usage("--env needs [<api>=]<environment>")
  const environments = new Map<string, string>()
  for (const value of values) {
    if (!value.includes("=")) continue
    const [api, name] = splitPair(value) ?? []
    if (api === undefined || name === "" || name === undefined)
      throw usage("--env needs [<api>=]<environment>")
    if (environments.has(api)) throw usage(`--env ${api}=… is given twice`)
    environments.set(api, name)
  }
  return { environments: Object.fromEntries(environments), environment: bare[0] }
}

function readInputs(values: readonly string[]): Readonly<Record<string, string>> {
  const inputs = new Map<string, string>()
  for (const value of values) {
    const [name, text] = splitPair(value) ?? []
    if (name === undefined || text === undefined) throw usage("--input needs <name>=<value>")
    if (inputs.has(name)) throw usage(`--input ${name}=… is given twice`)
    inputs.set(name, text)
  }
  return Object.fromEntries(inputs)
}

function readVariables(values: readonly string[]): VariableWish[] {
  const seen = new Set<string>()
  const wishes = values.map((given): VariableWish => {
    const [place, value] = splitPair(given) ?? []
    const dot = place?.indexOf(".") ?? -1
    if (place === undefined || value === undefined || dot < 1 || dot === place.length - 1) {
      throw usage("--var needs <api>.<name>=<value>, or <api>.<name>=- to read the value from standard input")
    }
    if (seen.has(place)) throw usage(`--var ${place}=… is given twice`)
    seen.add(place)
    const wish = { api: place.slice(0, dot), name: place.slice(dot + 1) }
    return value === "-" ? wish : { ...wish, value }
  })
  if (wishes.filter(({ value }) => value === undefined).length > 1) {
    throw usage(
      "standard input can give one variable only",
      "CALLSHEET_VAR__<API>__<NAME> hands in any number of them",
    )
  }
  return wishes
}

function readReporters(options: Options, cwd: string): ReporterWish[] {
  const given = [...options.values("reporter"), ...(options.has("json") ? ["json"] : [])]
  const wishes = given.map((text) => readReporter(text, cwd))
  const [first, second] = wishes.filter(({ file }) => file === undefined)
  if (first !== undefined && second !== undefined) {
    throw usage(
      `two reporters on standard output: ${first.name} and ${second.name}`,
      `give one a file: --reporter ${second.name}=<file>`,
    )
  }
  const files = new Set<string>()
  for (const { file } of wishes) {
    if (file === undefined) continue
    if (files.has(file.path)) throw usage(`two reporters on one file: ${file.shown}`)
    files.add(file.path)
  }
  return first === undefined ? [{ name: "pretty" }, ...wishes] : wishes
}

function readReporter(text: string, cwd: string): ReporterWish {
  const equals = text.indexOf("=")
  const name = equals === -1 ? text : text.slice(0, equals)
  if (!isReporterName(name)) {
    throw usage(
      `no reporter ${JSON.stringify(name)}`,
      suggest(name, reporterNames) ?? `there are ${reporterNames.join(", ")}`,
    )
  }
  if (equals === -1) return { name }
  const shown = text.slice(equals + 1)
  if (shown === "") throw usage(`--reporter ${name}= needs a file`)
  return { name, file: { path: resolve(cwd, shown), shown } }
}

const isReporterName = (name: string): name is ReporterName =>
  (reporterNames as readonly string[]).includes(name)

function readCount(options: Options, name: string, most: number): number | undefined {
  const text = options.value(name)
  if (text === undefined) return undefined
  const count = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > most) throw usage(`--${name} must be a whole number from 1 to ${most}`)
  return count
}

function readOnFailure(text: string | undefined): "halt" | "continue" | undefined {
  if (text === undefined || text === "halt" || text === "continue") return text
  throw usage("--on-failure must be halt or continue", suggest(text, ["halt", "continue"]))
}

const units: Readonly<Record<string, number>> = { "": 1, kib: 1024, mib: 1024 * 1024 }

function readSize(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits, unit = ""] = /^([0-9]{1,12})([KM]iB)?$/i.exec(text) ?? []
  const bytes = Number(digits ?? 0) * (units[unit.toLowerCase()] ?? 1)
  if (bytes < 1 || !Number.isSafeInteger(bytes)) {
    throw usage("--max-response-size must be a number of bytes, or one with KiB or MiB: 50MiB")
  }
  return bytes
}

function readSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seed = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(seed)) throw usage("--seed must be a whole number, zero or more")
  return seed
}
