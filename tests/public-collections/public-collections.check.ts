// import against collections of many teams: everything is carried over or named, and the result validates.

import { writeSync } from "node:fs"
import { rm } from "node:fs/promises"
import { afterAll, describe, expect, it } from "vitest"
import { callsheet, createFolder, textsIn } from "../harness/callsheet.ts"
import { collections, type PublicCollection } from "./collections.ts"
import { pathIn } from "./fetch-repositories.ts"
import { namesIn } from "./names-in.ts"

interface Printed {
  readonly source: string
  readonly requests: number
  readonly operations: number
  readonly saved: number
  readonly workflows: readonly string[]
  readonly losses: readonly Loss[]
  readonly files: readonly string[]
}

interface Loss {
  readonly what: string
  readonly group: string
  readonly severity: (typeof severities)[number]
}

interface Outcome extends Omit<Printed, "files"> {
  /** What the import says instead, if it ends with 2. */
  readonly refusal: string
  /** The requests whose method and path the document has. */
  readonly documented: number | undefined
  /** How many names of requests are whole in a file, and how many the source has. */
  readonly names: readonly [kept: number, all: number]
  readonly errors: readonly string[]
  /** The files that the same import changes when it is repeated, or why it is refused. */
  readonly rewritten: readonly string[]
}

const severities = ["changes-results", "needs-hand", "information"] as const

describe("import of public collections", () => {
  const outcomes = new Map<string, Outcome>()
  afterAll(() => {
    writeSync(1, `${tableOf(outcomes)}\n`)
  })

  for (const collection of collections)
    it(`carries ${collection.name} over`, async () => {
      const outcome = await importOnce(collection)
      outcomes.set(collection.name, outcome)
      expect(outcome.refusal).toBe("")
      expect(outcome.requests).toBeGreaterThan(0)
      expect(outcome.operations + outcome.saved + outcome.losses.length).toBeGreaterThanOrEqual(
        outcome.requests,
      )
      expect(outcome.errors).toEqual([])
      expect(outcome.rewritten).toEqual([])
      expect(outcome.operations).toBeGreaterThanOrEqual(0.9 * (outcome.documented ?? 0))
    })
})

async function importOnce(collection: PublicCollection): Promise<Outcome> {
  const { repository, source, environments = [], document, documentRepository = repository } = collection
  const words = [
    "import",
    ...[source, ...environments].map((path) => pathIn(repository, path)),
    ...(document === undefined ? [] : ["--document", pathIn(documentRepository, document)]),
    "--api",
    "api",
    "--json",
  ]
  const folder = await createFolder({})
  try {
    const { printed, refusal } = await importInto(folder, words)
    const again = await importInto(folder, words)
    const isProject = refusal === ""
    const missed = document === undefined || !isProject ? 0 : await missedIn(folder)
    return {
      ...printed,
      refusal,
      documented: document === undefined ? undefined : printed.operations + missed,
      names: await namesKept(folder, pathIn(repository, source)),
      errors: isProject ? await errorsIn(folder) : [],
      rewritten: again.refusal === "" ? again.printed.files : again.refusal.trimEnd().split("\n"),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importInto(folder: string, words: readonly string[]) {
  const { stdout, stderr, exitCode } = await callsheet(words, { folder })
  if (exitCode === 0 || exitCode === 1) return { printed: JSON.parse(stdout) as Printed, refusal: "" }
  const none = { source: "refused", requests: 0, operations: 0, saved: 0 }
  return { printed: { ...none, workflows: [], losses: [], files: [] }, refusal: stderr }
}

async function errorsIn(folder: string): Promise<readonly string[]> {
  const { problems } = JSON.parse((await callsheet(["validate", "--json"], { folder })).stdout) as {
    problems: readonly { severity: string; code: string; message: string; file?: string }[]
  }
  return problems.flatMap(({ severity, code, message, file }) =>
    severity === "error" ? [`${file}: ${code}: ${message}`] : [],
  )
}

/** Counts the names in what the import writes. The copied document proves nothing. */
async function namesKept(folder: string, source: string): Promise<readonly [number, number]> {
  const texts = Object.entries(await textsIn(folder)).flatMap(([file, text]) =>
    file.endsWith(".json") && !/^apis\/[^/]+\/openapi\.json$/.test(file) ? [text] : [],
  )
  const names = namesIn(source)
  const kept = names.filter((name) => texts.some((text) => text.includes(JSON.stringify(name).slice(1, -1))))
  return [kept.length, names.length]
}

/** Counts the saved requests without an operation that the document has, whatever is before their path. */
async function missedIn(folder: string): Promise<number> {
  const { stdout } = await callsheet(["list", "operations", "--json"], { folder })
  const { operations } = JSON.parse(stdout) as { operations: readonly { method: string; path: string }[] }
  const patterns = operations.map(({ method, path }) => [method, new RegExp(`${patternOf(path)}$`)] as const)
  const saved = Object.entries(await textsIn(folder)).flatMap(([file, text]) =>
    /^apis\/[^/]+\/requests\//.test(file)
      ? [JSON.parse(text) as { method?: string; path?: string; operation?: string }]
      : [],
  )
  return saved.filter(({ method, path = "", operation }) => {
    const isDocumented = patterns.some(([own, pattern]) => own === method && pattern.test(path))
    return operation === undefined && isDocumented
  }).length
}

const patternOf = (path: string): string =>
  path
    .replace(/[#?].*$/, "")
    .split(/\{[^{}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join("[^/]+")

function tableOf(outcomes: ReadonlyMap<string, Outcome>): string {
  const rows = [...outcomes].map(([name, one]) => [
    name,
    one.source,
    one.requests,
    one.documented ?? "",
    one.operations,
    one.saved,
    one.workflows.length,
    `${one.names[0]} of ${one.names[1]}`,
    one.losses.length,
    ...severities.map((severity) => one.losses.filter((loss) => loss.severity === severity).length),
    new Set(one.losses.map(({ severity, group }) => `${severity} ${group}`)).size,
    one.losses.filter(({ what }) => what === "script").length,
    one.errors.length,
    one.rewritten.length,
  ])
  const heads = [
    "collection",
    "source",
    "requests",
    "documented",
    "operations",
    "saved",
    "workflows",
    "names kept",
    "losses",
    ...severities,
    "groups",
    "scripts left",
    "errors",
    "rewritten",
  ]
  return ["", ...[heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`)].join("\n")
}
