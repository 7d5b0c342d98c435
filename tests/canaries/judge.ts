// Hits: a canary in the output. Damage: an invalid report, or one that differs with other secrets.

import { readFileSync } from "node:fs"
import { validateXML } from "xmllint-wasm"
import { createLeakSearch } from "../../packages/cli/src/leaks/leak-search.ts"
import { canBeFound, twinOf, type Canary } from "./canaries.ts"
import { variableName } from "./project.ts"
import { notCompared } from "./not-compared.ts"
import { withoutTimes, writeEverything } from "./sinks.ts"

export interface Verdict {
  readonly sinks: number
  readonly commands: ReadonlySet<string>
  /** Requested calls of the app's server. */
  readonly asked: ReadonlySet<string>
  readonly bytes: number
  readonly hits: readonly string[]
  readonly damaged: readonly string[]
}

/** Writes everything with the canaries, and again with other values of the same form. `isQuick` skips slow parts. */
export async function judge(canaries: readonly Canary[], isQuick = false): Promise<Verdict> {
  const [{ texts, commands, asked }, { texts: others }] = await Promise.all([
    writeEverything(canaries, isQuick),
    writeEverything(canaries.map(twinOf), isQuick),
  ])
  const damaged: string[] = []
  for (const [name, text] of texts) {
    damaged.push(...(await faultsOf(name, text)).map((fault) => `${name}: ${fault}`))
    if (!name.startsWith(notCompared)) damaged.push(...differenceOf(name, text, others.get(name) ?? ""))
  }
  return {
    sinks: texts.size,
    commands,
    asked,
    bytes: [...texts.values()].reduce((sum, text) => sum + text.length, 0),
    hits: [...texts].flatMap(([name, text]) => hitsIn(name, text, canaries)),
    damaged,
  }
}

/** The canaries in a text, in any encoding. */
export function hitsIn(name: string, text: string, canaries: readonly Canary[]): string[] {
  const wanted = canaries.flatMap((canary, index) =>
    canBeFound(canary) ? [{ name: variableName(index), value: String(canary) }] : [],
  )
  const search = createLeakSearch(() => wanted)
  search.push(text)
  return [...search.end().found].map((secret) => `${name}: ${secret.name}`)
}

/** With masking, two runs are equal, so a secret causes any difference. */
export function differenceOf(name: string, text: string, other: string): string[] {
  const [one, two] = [text, other].map((some) => withoutTimes(some).split("\n"))
  const at = one!.findIndex((line, index) => line !== two![index])
  if (at === -1)
    return one!.length === two!.length ? [] : [`${name}: one line more or less than with other secrets`]
  let column = 0
  while (one![at]!.charAt(column) === two![at]?.charAt(column)) column++
  const show = (line = "") => JSON.stringify(line.slice(Math.max(0, column - 120), column + 60))
  return [`${name}: line ${at + 1} differs with other secrets: ${show(one![at])} and ${show(two![at])}`]
}

const schema = readFileSync(new URL("../../packages/cli/src/reporters/junit.xsd", import.meta.url), "utf8")

async function faultsOf(name: string, text: string): Promise<readonly string[]> {
  if (/junit/.test(name) && text.startsWith("<?xml")) {
    const { errors } = await validateXML({
      xml: [{ fileName: "junit.xml", contents: text }],
      schema: [schema],
    })
    return errors.map(({ message }) => message)
  }
  const isJson =
    /json|sarif|run\(\)|file of coverage|(?:of |=)(?:ctrf|har)\b/i.test(name) && !/error|stderr$/.test(name)
  if (isJson && name.includes("ndjson")) return text.slice(0, -1).split("\n").flatMap(faultsOfJson)
  // A rejected command prints no canary.
  if (isJson && !(text === "" && name.endsWith("stdout"))) return faultsOfJson(text)
  return text.includes("a bug in callsheet (") ? ["callsheet has a bug"] : []
}

function faultsOfJson(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text)
    return isReport(value) ? reportFaults(value) : []
  } catch {
    return ["it is not valid JSON"]
  }
}

interface Entry {
  readonly status: string
  readonly type?: string
  readonly blocks?: readonly Entry[]
  readonly iterations?: readonly Entry[]
}
interface ReportLike {
  readonly status: string
  readonly runs: readonly { readonly status: string; readonly blocks: readonly Entry[] }[]
}

const isReport = (value: unknown): value is ReportLike =>
  typeof value === "object" && value !== null && "runs" in value && "status" in value

const statuses = new Set(["passed", "failed", "skipped", "error"])
const kinds = new Set(["request", "assert", "transform", "condition", "loop", "group", "script", undefined])

function reportFaults({ status, runs }: ReportLike): readonly string[] {
  const faults = statuses.has(status) ? [] : [`its status is ${status}`]
  const work: Entry[] = runs.flatMap(({ blocks }) => [...blocks])
  if (work.length === 0) faults.push("it has no blocks")
  for (let entry = work.pop(); entry !== undefined; entry = work.pop()) {
    if (!statuses.has(entry.status) || !kinds.has(entry.type))
      faults.push(`a ${entry.type} is ${entry.status}`)
    work.push(...(entry.blocks ?? []), ...(entry.iterations ?? []))
  }
  return faults
}
