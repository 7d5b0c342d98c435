// Checks the options of `run` before anything is read.

import { resolve } from "node:path"
import {
  addressPattern,
  CallsheetError,
  COLLECTOR,
  flagOf,
  MAX_TIMER_MS,
  parseCollector,
  parseSize,
  reporterNames,
  runOptionNames,
  runOptionRows,
  splitReporter,
  type Finding,
  type ReporterName,
  type RunOptionRow,
  type RunOptionValues,
} from "@callsheet/format"
import type { SessionOptions } from "@callsheet/engine"
import { CallerPath, type ProjectPath } from "@callsheet/project"
import { messages, seeHelp } from "../messages.ts"
import type { Options } from "../args/options.ts"
import { reporters } from "../reporters/index.ts"
import { readChoice, readMaxWarnings, readName, readNumber } from "../args/read-option.ts"

export type RunRequest = ReturnType<typeof readRunOptions>

export interface ReporterChoice {
  readonly name: ReporterName
  /** A path of the command line, or one that `callsheet.json` names. */
  readonly file?: CallerPath | ProjectPath
}

export interface VariableChoice {
  readonly api: string
  readonly name: string
  readonly value?: string
}

/** Reads the words and options of `run`. Throws `usage`. Never quotes the value of an option, which may be a secret. */
export function readRunOptions(words: readonly string[], options: Options, cwd: string) {
  refuseUntil(words, options)
  const reporting = readReporting(options, cwd)
  const percent = { pattern: /^[0-9]{1,3}(?:\.[0-9]+)?$/, max: 100, wrong: usage.percentage() }
  return {
    selection: readSelection(words, options),
    shard: readShard(options, cwd),
    ...reporting,
    record: readRecord(options, reporting.reporters, cwd),
    variables: readVariables(options.values("var")),
    yes: options.has("yes"),
    force: options.has("force"),
    login: options.has("login"),
    /** The minimum percentage of documented operations that must run. */
    coverageMin: readNumber(options.value("coverage-min"), percent),
    /** The port on which scripts wait for a debugger. 0 selects a free port. */
    inspectPort: readInspectPort(options),
    maxWarnings: readMaxWarnings(options, "run"),
    failOnFlaky: options.has("fail-on-flaky"),
    failOnUnchecked: options.has("fail-on-unchecked"),
    leftovers: readChoice(options, "leftovers", ["report", "fail"]),
    updatesBaseline: readUpdate(options),
    session: readSessionOptions(options, cwd),
  }
}

const readSessionOptions = (options: Options, cwd: string): SessionOptions => ({
  ...readEnvironments(options.values("env")),
  inputs: Object.fromEntries(readPairs(options.values("input"), inputForm)),
  ...readRows(options),
  data: readData(options, cwd),
  guessesSecrets: !options.has("no-guess-secrets"),
  updatesBaseline: options.has("update-baseline"),
  trace: readTrace(options),
  part: readUntil(options),
})

function readUntil(options: Options): SessionOptions["part"] {
  const until = options.value("until")
  return until === undefined ? undefined : { until }
}

/** Throws `usage` if `--until` is given and the call doesn't name the workflow of the block. */
function refuseUntil(words: readonly string[], options: Options): void {
  if (!options.has("until")) return
  const other = ["suite", "all", "grep"].find((name) => options.has(name))
  if (other !== undefined) throw misuse(usage.contradiction("--until", `--${other}`))
  if (words.length !== 1) throw misuse(usage.untilWorkflows(words.length))
}

function readTrace(options: Options): SessionOptions["trace"] {
  if (!options.has("trace")) return undefined
  return readChoice(options, "trace", ["production"] as const) ?? true
}

/**
 * Reads whether the run adds violations to the baseline. A watched run would start itself again, and nothing would search the
 * baseline for leaks.
 */
function readUpdate(options: Options): boolean {
  const updates = options.has("update-baseline")
  const other = ["watch", "verify-no-leak"].find((name) => options.has(name))
  if (updates && other !== undefined) throw misuse(usage.contradiction("--update-baseline", `--${other}`))
  if (!updates && !options.has("snapshots") && options.has("force")) throw misuse(usage.forceAlone())
  return updates
}

function readData(options: Options, cwd: string): SessionOptions["data"] {
  const path = options.value("data")
  if (path !== undefined && options.has("suite")) throw misuse(usage.contradiction("--data", "--suite"))
  return path === undefined ? undefined : { path, cwd }
}

/** Reads what to run: workflows by name, all workflows, or a suite. `grep` selects some of them by name. */
function readSelection(words: readonly string[], options: Options) {
  const suite = options.value("suite")
  const grep = options.value("grep")
  if (words.length > 0 && grep !== undefined) throw misuse(usage.contradiction("--grep", "workflow names"))
  if (words.length > 0 && suite !== undefined) throw misuse(usage.contradiction("--suite", "workflow names"))
  if (suite !== undefined && options.has("all")) throw misuse(usage.contradiction("--suite", "--all"))
  if (words.length > 0 && options.has("all")) throw misuse(usage.allWithNames())
  const lastFailed = options.has("last-failed")
  if (lastFailed && options.has("data")) throw misuse(usage.lastFailedRows())
  if (lastFailed && options.has("watch")) throw misuse(usage.lastFailedWatch())
  const changedSince = options.value("changed-since")
  if (changedSince !== undefined && lastFailed)
    throw misuse(usage.contradiction("--changed-since", "--last-failed"))
  if (changedSince === undefined && options.has("list")) throw misuse(usage.listWithoutSince())
  const isSelected = words.length > 0 || suite !== undefined || options.has("all") || grep !== undefined
  if (!isSelected && !lastFailed && changedSince === undefined) throw misuse(usage.noWorkflow())
  const wanted = words.length === 0 ? ("all" as const) : words
  return { wanted, suite, grep, isSelected, lastFailed, changedSince }
}

const { usage } = messages
const help = seeHelp("run")
const misuse = (finding: Finding): CallsheetError => new CallsheetError(finding)

const DEFAULT_INSPECT_PORT = 9229

function readInspectPort(options: Options): number | undefined {
  if (!options.has("inspect-scripts")) return undefined
  const port = { pattern: /^[0-9]{1,5}$/, max: 65_535, wrong: usage.inspectPort() }
  return readNumber(options.value("inspect-scripts"), port) ?? DEFAULT_INSPECT_PORT
}

function readVerbosity(
  options: Options,
  chosen: readonly ReporterChoice[],
): "headers" | "bodies" | undefined {
  const option = ["very-verbose", "verbose"].find((name) => options.has(name))
  if (option === undefined) return undefined
  if (!chosen.some(({ name }) => name === "pretty")) throw misuse(usage.notPretty(`--${option}`))
  return option === "verbose" ? "headers" : "bodies"
}

/** Reads the options that hold one value. */
const readRows = (options: Options): RunOptionValues =>
  Object.fromEntries(runOptionNames.map((name) => [name, readRow(options, runOptionRows[name])]))

function readRow(options: Options, row: RunOptionRow): number | string | undefined {
  const flag = flagOf(row)
  const name = flag.slice("--".length)
  const text = options.value(name)
  if (text === undefined) return options.has(name) ? row.bare : undefined
  if (row.is === "choice") return readChoice(options, name, row.choices)
  if (row.is === "bytes") return readSize(flag, text)
  if (row.is === "address") {
    if (!addressPattern.test(text) || !URL.canParse(text)) throw misuse(usage.address(flag))
    return text
  }
  const { minimum: min, maximum: max } = row.is === "count" ? row : { minimum: 1, maximum: MAX_TIMER_MS }
  const unit = row.is === "milliseconds" ? "ms" : undefined
  const wrong = usage.wholeNumber(flag, min, max, help)
  return readNumber(text, { pattern: /^[0-9]{1,16}$/, min, max, unit, wrong })
}

interface PairForm {
  readonly option: string
  readonly form: string
  /** Captures the name before the first `=`, and the value. */
  readonly pattern: RegExp
  readonly hint?: string
}

const inputForm: PairForm = { option: "--input", form: "<name>=<value>", pattern: /^([^=]+)=(.*)$/s }

const environmentForm: PairForm = {
  option: "--env",
  form: "[<api>=]<environment>",
  pattern: /^([^=]+)=(.+)$/s,
}

const variableForm: PairForm = {
  option: "--var",
  form: "<api>.<name>=<value>",
  pattern: /^([^=.]+\.[^=]+)=(.*)$/s,
  hint: "<api>.<name>=- reads the value from standard input",
}

/** Returns the values by name. Throws `usage` for a word of another form and for a repeated name. */
function readPairs(texts: readonly string[], { option, form, pattern, hint = help }: PairForm) {
  const pairs = new Map<string, string>()
  for (const text of texts) {
    const [, name, value] = pattern.exec(text) ?? []
    if (name === undefined || value === undefined) throw misuse(usage.form(option, form, hint))
    if (pairs.has(name)) throw misuse(usage.twice(`${option} ${name}=…`, help))
    pairs.set(name, value)
  }
  return pairs
}

/** Reads the options that bind a workflow. Throws `usage`. */
export const readBinding = (options: Options) => ({
  ...readEnvironments(options.values("env")),
  inputs: Object.fromEntries(readPairs(options.values("input"), inputForm)),
  variables: readVariables(options.values("var")),
})

function readEnvironments(texts: readonly string[]): Pick<SessionOptions, "environment" | "environments"> {
  const [environment, other] = texts.filter((text) => !text.includes("="))
  if (environment !== undefined && other !== undefined)
    throw misuse(usage.environmentsForAll(environment, other))
  const named = texts.filter((text) => text === "" || text.includes("="))
  return { environment, environments: Object.fromEntries(readPairs(named, environmentForm)) }
}

function readVariables(texts: readonly string[]): VariableChoice[] {
  const choices = [...readPairs(texts, variableForm)].map(([place, value]): VariableChoice => {
    const dot = place.indexOf(".")
    const choice = { api: place.slice(0, dot), name: place.slice(dot + 1) }
    return value === "-" ? choice : { ...choice, value }
  })
  const fromInput = choices.filter(({ value }) => value === undefined)
  if (fromInput.length <= 1) return choices
  const names = fromInput.map(({ api, name }) => `${api}.${name}`)
  throw misuse(
    usage.manyFromInput(names, "to set more, use environment variables: CALLSHEET_VAR__<API>__<NAME>"),
  )
}

/** Reads the values that are given by standard input. */
export async function readValues(choices: readonly VariableChoice[]): Promise<Required<VariableChoice>[]> {
  const values: Required<VariableChoice>[] = []
  for (const { api, name, value } of choices) {
    if (value !== undefined) values.push({ api, name, value })
    else {
      const { readStandardInput } = await import("../args/standard-input.ts")
      values.push({ api, name, value: await readStandardInput(`--var ${api}.${name}=-`) })
    }
  }
  return values
}

/** Reads the options that choose reporters. Throws `usage`. */
export function readReporting(options: Options, cwd: string) {
  const given = [...options.values("reporter"), ...(options.has("json") ? ["json"] : [])]
  const { reporters, collectors } = readReporters(given, (_, shown) => CallerPath.from(cwd, shown))
  return {
    reporters,
    /** The collectors to which traces are sent. */
    collectors,
    hasReporters: given.length > 0,
    exchanges: readVerbosity(options, reporters),
  }
}

/** Returns the path of a reporter's file. Who named it decides where it may be. */
type FindPlace = (reporter: ReporterName, shown: string) => CallerPath | ProjectPath

/** Reads reporters: `name`, `name=file` or `otlp=url`. If none is on the screen, adds `pretty`. */
export function readReporters(given: readonly string[], findPlace: FindPlace) {
  const isCollector = (text: string): boolean => splitReporter(text).name === COLLECTOR
  return {
    reporters: readWriters(
      given.filter((text) => !isCollector(text)),
      findPlace,
    ),
    collectors: given.filter(isCollector).map((text) => ({ url: readCollector(text), isOfProject: false })),
  }
}

function readCollector(text: string): URL {
  const url = parseCollector(splitReporter(text).file ?? "")
  if (url === undefined) throw misuse(usage.collector())
  return url
}

function readWriters(given: readonly string[], findPlace: FindPlace): ReporterChoice[] {
  const choices = given.map((text) => readReporter(text, findPlace))
  const isBeside = ({ name, file }: ReporterChoice): boolean =>
    file === undefined && reporters[name].standsBeside === true
  const [first, second] = choices.filter((choice) => choice.file === undefined && !isBeside(choice))
  if (first !== undefined && second !== undefined)
    throw misuse(usage.reportersOnScreen(first.name, second.name))
  const files = new Set<string>()
  for (const { file } of choices) {
    if (file === undefined) continue
    if (files.has(file.path)) throw misuse(usage.reportersOnFile(file.shown))
    files.add(file.path)
  }
  // Reporters write in this order at the end.
  const onScreen: readonly ReporterChoice[] = first === undefined ? [{ name: "pretty" }] : []
  return [...onScreen, ...choices.filter((choice) => !isBeside(choice)), ...choices.filter(isBeside)]
}

function readReporter(text: string, findPlace: FindPlace): ReporterChoice {
  const { name: given, file: shown } = splitReporter(text)
  const name = readName("reporter", given, reporterNames)
  if (shown === undefined) {
    if (reporters[name].isDirectory === true) throw misuse(usage.reporterDirectory(name))
    return { name }
  }
  if (shown === "") throw misuse(usage.reporterFile(name))
  return { name, file: findPlace(name, shown) }
}

export interface ShardChoice {
  /** The number of the shard, from 1 to `count`. */
  readonly index: number
  readonly count: number
  /** The record of an earlier run, or a directory of its shards. The durations decide what each shard runs. */
  readonly timings?: { readonly path: string; readonly shown: string } | undefined
}

function readShard(options: Options, cwd: string): ShardChoice | undefined {
  const text = options.value("shard")
  const timings = options.value("timings")
  if (text === undefined) {
    if (timings !== undefined) throw misuse(usage.timingsWithoutShard())
    return undefined
  }
  const other = ["data", "watch", "last-failed"].find((name) => options.has(name))
  if (other !== undefined) throw misuse(usage.contradiction("--shard", `--${other}`))
  const [, index = "", count = ""] = /^([1-9][0-9]{0,3})\/([1-9][0-9]{0,3})$/.exec(text) ?? []
  if (index === "" || Number(index) > Number(count)) throw misuse(usage.shard())
  return {
    index: Number(index),
    count: Number(count),
    timings: timings === undefined ? undefined : { path: resolve(cwd, timings), shown: timings },
  }
}

/** Returns where `--record` keeps what happens. */
export function readRecord(options: Options, reporters: readonly ReporterChoice[], cwd: string) {
  const shown = options.value("record")
  if (shown === undefined) return undefined
  if (shown === "") throw misuse(usage.recordFile())
  const path = resolve(cwd, shown)
  if (reporters.some(({ file }) => file?.path === path)) throw misuse(usage.reportersOnFile(shown))
  return { path, shown }
}

function readSize(flag: string, text: string): number {
  const bytes = parseSize(text)
  if (bytes === undefined) throw misuse(usage.size(flag))
  return bytes
}
