// `npm run bench`: compares callsheet with the smallest program that does the same, in alternating runs. `--quick`
// measures less, `--only a,c` selects parts, `--store` saves the ratios for later. Exits with 1 if a program failed.

import { fork, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { documentedResponses } from "./contracts.mjs"
import { benchDocuments, writeDocumentProject } from "./documents.mjs"
import { measureEditor } from "./editor.mjs"
import { compareImpact } from "./impact.mjs"
import { largeProject, writeLargeProject } from "./large-project.mjs"
import { measure, median } from "./measure.mjs"
import { chainCount, entryCount, largeSuite, writeProject } from "./projects.mjs"
import { compareScripts } from "./scripts.mjs"
import { compareSnapshots } from "./snapshots.mjs"
import { compareMocks } from "./mocks.mjs"
import { compareStreams } from "./streams.mjs"
import { formatTable } from "./table.mjs"

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, only: { type: "string" }, store: { type: "boolean" } },
})
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const node = process.execPath
const program = [node, here("../packages/cli/bin/callsheet.js")]
const callsheet = [...program, "run"]
const rounds = flags.quick ? 3 : 7
const fewRounds = flags.quick ? 1 : 5
const many = flags.quick ? 2_000 : 10_000
const endless = flags.quick ? 10_000 : 100_000

const project = await mkdtemp(join(tmpdir(), "callsheet-bench-"))
/** A copy, because git tracks the secrets of the example, which `validate` reports as an error. */
const examples = join(project, "examples")
await cp(here("../examples/shop"), join(examples, "shop"), { recursive: true })

const parts = [
  {
    part: "a",
    what: "one request, one assertion",
    rounds: flags.quick ? 5 : 15,
    goal: 2.5,
    ours: { workflow: "one", requests: 1 },
    baseline: "node -e 0",
  },
  ...Object.entries({
    "--version": 1.3,
    "--help": 1.15,
    "validate --project examples/shop": 4,
    "generate --api shop --dry-run --project examples/shop": 12,
  }).map(([words, goal]) => ({
    part: "s",
    what: `callsheet ${words}`,
    rounds: flags.quick ? 5 : 15,
    goal,
    command: words.replace("examples", examples).split(" "),
    baseline: "node -e 0",
  })),
  {
    part: "s",
    what: "callsheet app until its link",
    rounds: flags.quick ? 5 : 15,
    command: ["app", "--no-open", "--project", here("../examples/shop")],
    until: /#link=/,
    baseline: "node -e 0",
  },
  ...[1_000, many].map((count) => ({
    part: "b",
    what: `${count.toLocaleString("en")} sequential requests, three assertions each`,
    rounds: count === 1_000 ? rounds : fewRounds,
    goal: count === 1_000 ? 1.3 : 1.2,
    ours: { workflow: `sequential-${count}`, requests: count },
    clients: { url: "/item", count, concurrency: 1 },
  })),
  ...[16, 64].map((concurrency) => ({
    part: "c",
    what: `${many.toLocaleString("en")} requests, ${concurrency} in parallel`,
    rounds: fewRounds,
    goal: 1.2,
    ours: { workflow: `parallel-${many}`, requests: many, options: ["--concurrency", String(concurrency)] },
    clients: { url: "/item", count: many, concurrency },
  })),
  {
    part: "k",
    what: `${chainCount} x log in, create, read, update, delete with a bearer token`,
    rounds,
    goal: 1.4,
    ours: { workflow: "chain", requests: 5 * chainCount },
    client: () =>
      measure([node, here("clients/node-http-chain.mjs"), `http://127.0.0.1:${port}`, String(chainCount)]),
  },
  {
    part: "e",
    what: "one response of 50 MB, one field asserted",
    rounds: fewRounds,
    goal: 1.3,
    ours: { workflow: "big", requests: 1 },
    clients: { url: "/big", count: 1, concurrency: 1 },
  },
]

const server = fork(here("server.mjs"))
const [{ port }] = await once(server, "message")
/** The options that write what a run did, by name. */
const written = {
  "--record": ["--record", join(project, "run.callsheet")],
  ...Object.fromEntries(
    ["json", "junit", "html", "ctrf", "har", "allure", "ndjson", "coverage"].map((name) => [
      name,
      ["--reporter", `${name}=${join(project, `report-${name}`)}`],
    ]),
  ),
}
try {
  const counts = [...new Set([1_000, many, endless])]
  await writeProject(project, { port, counts })
  say(
    `Node ${process.version}, ${availableParallelism()} cores; medians, interleaved; CPU is user + system of the whole process.\n`,
  )
  const rows = []
  for (const part of parts.filter(isWanted)) rows.push(...(await compare(part)))
  if (isWanted({ part: "d" }))
    for (const workflow of ["sequential", "parallel"])
      rows.push(await comparePeaks({ part: "d", what: `${workflow} iterations`, workflow, goal: 1.15 }))
  if (isWanted({ part: "r" })) {
    const options = (count) => ["--data", join(project, `rows-${count}.csv`)]
    rows.push(await comparePeaks({ part: "r", what: "rows of data", workflow: () => "row", options }))
  }
  if (isWanted({ part: "p" })) rows.push(await compareSuite())
  if (isWanted({ part: "l" }))
    for (const [secrets, goal] of Object.entries({ 40: 1.03, 2_000: 1.045 }))
      rows.push(await compareSecrets(Number(secrets), goal))
  if (isWanted({ part: "j" }))
    for (const name of ["json", "junit"]) rows.push(...(await compareReporters(name)))
  if (isWanted({ part: "m" }))
    for (const [name, options] of Object.entries(written)) {
      const what = `sequential iterations, ${name}`
      rows.push(await comparePeaks({ part: "m", what, workflow: "sequential", options: () => options }))
    }
  if (isWanted({ part: "o" })) rows.push(await compareRecord())
  if (isWanted({ part: "q" })) rows.push(await compareReplay())
  if (isWanted({ part: "f" })) rows.push(...(await compareValidation()))
  if (isWanted({ part: "g" })) {
    for (const name of Object.keys(documentedResponses)) rows.push(await compareContracts(name))
    rows.push(await comparePeaks({ part: "g", what: "validated responses", workflow: "small-validated" }))
  }
  if (isWanted({ part: "h" })) rows.push(...(await compareDocuments()))
  if (isWanted({ part: "i" })) {
    const folder = join(project, "scripts")
    rows.push(...(await compareScripts({ folder, port, callsheet, rounds, many, progress })))
  }
  if (isWanted({ part: "t" })) {
    const folder = join(project, "impact")
    rows.push(...(await compareImpact({ folder, program, rounds: fewRounds, progress })))
  }
  if (isWanted({ part: "u" })) {
    const [folder, emptyFolder] = [join(project, "stored"), join(project, "not-stored")]
    for (const each of [folder, emptyFolder]) await writeProject(each, { port, counts: [] })
    const count = many
    rows.push(
      ...(await compareSnapshots({ folder, emptyFolder, callsheet, count, rounds: fewRounds, progress })),
    )
  }
  if (isWanted({ part: "v" })) {
    const folder = join(project, "edited")
    rows.push(...(await measureEditor({ folder, program, rounds: fewRounds, progress })))
  }
  if (isWanted({ part: "w" }))
    rows.push(...(await compareMocks({ program, rounds: fewRounds, count: many, progress })))
  if (isWanted({ part: "x" })) {
    const folder = join(project, "streams")
    rows.push(...(await compareStreams({ folder, callsheet, count: endless, rounds: fewRounds, progress })))
  }
  say(formatTable(await withStoredRatios(rows)))
} catch (error) {
  say(String(error instanceof Error ? error.message : error))
  process.exitCode = 1
} finally {
  // If the server has crashed, an error here would hide the reason.
  if (server.connected) server.disconnect()
  await rm(project, { recursive: true, force: true })
}

/** Returns the rows with the ratios stored for this Node version. With `--store`, first stores the rows' own ratios. */
async function withStoredRatios(rows) {
  const file = here("baseline.json")
  const stored = JSON.parse(await readFile(file, "utf8"))
  const version = `node ${process.versions.node.split(".")[0]}`
  const known = stored[version] ?? {}
  // Absolute numbers depend on the machine, so leave them out.
  const nameOf = ({ what, measured, baseline }) =>
    `${what}: ${measured} compared with ${baseline.replace(/ [\d.]+ \w+$/, "")}`
  if (flags.store) {
    // Wall time depends on other work on the machine, so leave it out.
    const kept = rows.filter(({ measured }) => measured !== "wall")
    const ratios = Object.fromEntries(kept.map((row) => [nameOf(row), Number(row.ratio.toFixed(2))]))
    const all = { ...stored, [version]: { ...known, ...ratios } }
    await writeFile(file, `${JSON.stringify(all, undefined, 2)}\n`)
  }
  return rows.map((row) => ({ ...row, stored: known[nameOf(row)] }))
}

function isWanted({ part }) {
  return flags.only === undefined || flags.only.split(",").includes(part)
}

/** Runs callsheet, the baseline and undici in turn, so that other work on the machine affects them equally. */
async function compare(row) {
  const { part, what, rounds: times, goal, ours, command, until, baseline, client, clients } = row
  const contenders = [
    {
      name: "callsheet",
      run: () => (command === undefined ? runOurs(ours) : measure([...program, ...command], { until })),
    },
    baseline === undefined
      ? { name: "node:http", run: client ?? (() => runClient("node-http", clients)) }
      : { name: baseline, run: () => measure([node, "-e", "0"]) },
    ...(clients === undefined ? [] : [{ name: "undici", run: () => runClient("undici", clients) }]),
  ]
  const samples = contenders.map(() => [])
  for (const { run } of contenders) await run()
  for (let round = 0; round < times; round++) {
    for (const [index, { run }] of contenders.entries()) samples[index].push(await run())
    progress(`(${part}) ${what}: ${round + 1} of ${times}`)
  }
  progress("")
  return contenders.slice(1).flatMap(({ name }, index) =>
    ["cpuMs", "wallMs"].map((unit) => ({
      what: `(${part}) ${what}`,
      measured: unit === "cpuMs" ? "CPU" : "wall",
      ours: `${medianOf(samples[0], unit).toFixed(0)} ms`,
      baseline: `${name} ${medianOf(samples[index + 1], unit).toFixed(0)} ms`,
      // A ratio per round cancels out other work on the machine.
      ratio: median(samples[0].map((sample, round) => sample[unit] / samples[index + 1][round][unit])),
      goal: unit === "cpuMs" && index === 0 ? goal : undefined,
    })),
  )
}

/** `workflow` returns the name for a number of iterations, or is the start of it. `options` returns the options. */
async function comparePeaks({ part, what, workflow, goal = 1.2, options = () => [] }) {
  const nameOf = typeof workflow === "string" ? (count) => `${workflow}-${count}` : workflow
  const peakOf = (count) => peakOfRun(nameOf(count), count, options(count))
  const small = []
  const large = []
  for (let round = 0; round < (flags.quick ? 1 : 3); round++) {
    small.push(await peakOf(1_000))
    large.push(await peakOf(endless))
    progress(`(${part}) memory: ${round + 1}`)
  }
  progress("")
  return {
    what: `(${part}) ${endless.toLocaleString("en")} ${what} to 1,000`,
    measured: "peak memory",
    ours: `${median(large).toFixed(0)} MiB`,
    baseline: `1,000: ${median(small).toFixed(0)} MiB`,
    ratio: median(large) / median(small),
    goal,
  }
}

/** Measures a large suite whose first entry fails, so that callsheet plans all entries and skips them. */
async function compareSuite() {
  const folder = join(project, "suite")
  await writeProject(folder, { port, counts: [] })
  await writeFile(join(folder, "callsheet.json"), JSON.stringify(largeSuite))
  const command = [...callsheet, "--suite", "large", "--project", folder]
  const what = `(p) a suite of ${entryCount.toLocaleString("en")} entries, half of them cleanup, planned and skipped`
  const samples = []
  for (let round = 0; round < rounds; round++) {
    samples.push(await measure(["bash", "-c", '"$@" || true', "bench", ...command], { cwd: folder }))
    progress(`${what}: ${round + 1} of ${rounds}`)
  }
  progress("")
  const cpu = medianOf(samples, "cpuMs")
  const row = { what, measured: "CPU", ours: `${cpu.toFixed(0)} ms`, baseline: "at most 1000 ms" }
  return { ...row, ratio: cpu / 1000, goal: 1 }
}

/** Compares a loop that writes a report file with a loop that writes only to the terminal. */
async function compareReporters(name) {
  const what = `(j) ${endless.toLocaleString("en")} iterations, ${name} report in a file`
  const run = { workflow: `sequential-${endless}`, requests: endless }
  const options = ["--reporter", `${name}=${join(project, `report.${name}`)}`]
  const samples = { reported: [], plain: [] }
  for (let round = 0; round < (flags.quick ? 1 : 3); round++) {
    samples.reported.push(await runOurs({ ...run, options }, { memory: true }))
    samples.plain.push(await runOurs(run, { memory: true }))
    progress(`${what}: ${round + 1}`)
  }
  progress("")
  const row = (measured, unit, show, goal) => ({
    what,
    measured,
    ours: show(medianOf(samples.reported, unit)),
    baseline: `pretty ${show(medianOf(samples.plain, unit))}`,
    ratio: median(samples.reported.map((sample, round) => sample[unit] / samples.plain[round][unit])),
    goal,
  })
  return [
    row("CPU", "cpuMs", (ms) => `${ms.toFixed(0)} ms`, name === "json" ? 1.5 : undefined),
    row("peak memory", "peakBytes", (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`),
  ]
}

/** Compares a run that is recorded with the same run that isn't. */
async function compareRecord() {
  const what = `(o) ${many.toLocaleString("en")} sequential requests, recorded`
  const run = { workflow: `sequential-${many}`, requests: many }
  const samples = { recorded: [], plain: [] }
  for (let round = 0; round <= fewRounds; round++) {
    const recorded = await runOurs({ ...run, options: written["--record"] })
    const plain = await runOurs(run)
    progress(`${what}: ${round} of ${fewRounds}`)
    // The first round only warms the caches.
    if (round === 0) continue
    samples.recorded.push(recorded)
    samples.plain.push(plain)
  }
  progress("")
  return {
    what,
    measured: "CPU",
    ours: `${medianOf(samples.recorded, "cpuMs").toFixed(0)} ms`,
    baseline: `not recorded ${medianOf(samples.plain, "cpuMs").toFixed(0)} ms`,
    ratio: median(samples.recorded.map((sample, round) => sample.cpuMs / samples.plain[round].cpuMs)),
    goal: 1.1,
  }
}

/** Measures a replay of the sample's checkout until its verdict, without the start of a process. */
async function compareReplay() {
  const what = "(q) a replay of the sample workflow checkout, without the start of a process"
  const folder = join(project, "sample")
  const demo = spawn(node, [...program.slice(1), "demo", folder, "--keep"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    let output = ""
    for await (const chunk of demo.stdout) if ((output += chunk).includes("The servers stay up")) break
    await measure([...callsheet, "checkout", "--env", "local", "--record", "checkout"], { cwd: folder })
  } finally {
    demo.kill("SIGINT")
  }
  const samples = { replay: [], version: [] }
  for (let round = 0; round <= rounds; round++) {
    const replay = await measure([...program, "replay", "checkout"], { cwd: folder })
    const version = await measure([...program, "--version"], { cwd: folder })
    progress(`${what}: ${round} of ${rounds}`)
    // The first round only warms the caches.
    if (round === 0) continue
    samples.replay.push(replay)
    samples.version.push(version)
  }
  progress("")
  const wall = medianOf(samples.replay, "wallMs") - medianOf(samples.version, "wallMs")
  const row = { what, measured: "wall", ours: `${wall.toFixed(0)} ms`, baseline: "at most 100 ms" }
  return { ...row, ratio: wall / 100, goal: 1 }
}

/** Compares requests with secrets in the environment to requests with other variables. */
async function compareSecrets(secrets, goal) {
  const what = `(l) ${many.toLocaleString("en")} sequential requests, ${secrets.toLocaleString("en")} secrets`
  const run = { workflow: `sequential-${many}`, requests: many }
  const samples = { secret: [], plain: [] }
  for (const kind of Object.keys(samples)) {
    const options = { port, counts: [many], variables: secrets, secret: kind === "secret" }
    await writeProject(join(project, kind), options)
  }
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, taken] of Object.entries(samples)) {
      const cost = await runOurs({ ...run, folder: join(project, kind) })
      // The first round only warms the caches.
      if (round > 0) taken.push(cost)
    }
    progress(`${what}: ${round} of ${rounds}`)
  }
  progress("")
  return {
    what,
    measured: "CPU",
    ours: `${medianOf(samples.secret, "cpuMs").toFixed(0)} ms`,
    baseline: `not secret ${medianOf(samples.plain, "cpuMs").toFixed(0)} ms`,
    ratio: median(samples.secret.map((sample, round) => sample.cpuMs / samples.plain[round].cpuMs)),
    goal,
  }
}

/** Compares the validation of a large project with reading and parsing its files. */
async function compareValidation() {
  const folder = join(project, "large")
  await writeLargeProject(folder)
  const { apis, workflows, environments } = largeProject
  const what = `(f) validate: ${apis} APIs, ${workflows} workflows, ${(apis * environments).toLocaleString("en")} environments`
  const validate = [...program, "validate", "--project", folder]
  const parse = [node, here("clients/parse-files.mjs"), folder]
  const ours = []
  const bare = []
  const peaks = []
  await measure(validate)
  await measure(parse)
  for (let round = 0; round < rounds; round++) {
    ours.push(await measure(validate))
    bare.push(await measure(parse))
    peaks.push((await measure(validate, { memory: true })).peakBytes / 1e6)
    progress(`${what}: ${round + 1} of ${rounds}`)
  }
  progress("")
  const wall = medianOf(ours, "wallMs")
  return [
    ...["cpuMs", "wallMs"].map((unit) => ({
      what,
      measured: unit === "cpuMs" ? "CPU" : "wall",
      ours: `${medianOf(ours, unit).toFixed(0)} ms`,
      baseline: `JSON.parse ${medianOf(bare, unit).toFixed(0)} ms`,
      ratio: median(ours.map((sample, round) => sample[unit] / bare[round][unit])),
      goal: unit === "cpuMs" ? 10 : undefined,
    })),
    {
      what,
      measured: "wall",
      ours: `${wall.toFixed(0)} ms`,
      baseline: "at most 2000 ms",
      ratio: wall / 2000,
      goal: 1,
    },
    {
      what,
      measured: "peak memory",
      ours: `${median(peaks).toFixed(0)} MB`,
      baseline: "at most 300 MB",
      ratio: median(peaks) / 300,
      goal: 1,
    },
  ]
}

/** Compares responses with and without validation. */
async function compareContracts(name) {
  const what = `(g) ${many.toLocaleString("en")} validated responses: ${documentedResponses[name].what}`
  const validated = []
  const bare = []
  for (let round = 0; round <= fewRounds; round++) {
    const ours = await runOurs({ workflow: `${name}-validated-${many}`, requests: many })
    const other = await runOurs({ workflow: `${name}-unvalidated-${many}`, requests: many })
    progress(`${what}: ${round} of ${fewRounds}`)
    // The first round only warms the caches.
    if (round > 0) {
      validated.push(ours)
      bare.push(other)
    }
  }
  progress("")
  return {
    what,
    measured: "CPU",
    ours: `${medianOf(validated, "cpuMs").toFixed(0)} ms`,
    baseline: `unvalidated ${medianOf(bare, "cpuMs").toFixed(0)} ms`,
    ratio: median(validated.map((sample, round) => sample.cpuMs / bare[round].cpuMs)),
    goal: 1.3,
  }
}

/**
 * Compares a request with a large document to one with a small document. Also compares the difference to JSON.parse.
 */
async function compareDocuments() {
  const folderOf = (name) => join(project, `document-${name}`)
  for (const name of Object.keys(benchDocuments)) await writeDocumentProject(folderOf(name), { port, name })
  const caches = join(project, "caches")
  const runOne = (name, cache) =>
    measure([...callsheet, "one", "--project", folderOf(name)], {
      variables: { XDG_CACHE_HOME: join(caches, cache) },
    })
  const parse = (name) => measure([node, here("clients/parse-files.mjs"), join(folderOf(name), "apis/bench")])
  const contenders = {
    small: () => runOne("small", "kept"),
    kept: () => runOne("large", "kept"),
    large: (round) => runOne("large", `large-${round}`),
    ascii: (round) => runOne("ascii", `ascii-${round}`),
    parseLarge: () => parse("large"),
    parseAscii: () => parse("ascii"),
    nothing: () => measure([node, "-e", "0"]),
  }
  const cpu = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const { cpuMs } = await run(round)
      // The first round only warms the caches.
      if (round > 0) cpu[name].push(cpuMs)
    }
    progress(`(h) documents: ${round} of ${rounds}`)
  }
  progress("")
  const each = (compute) => cpu.small.map((_, round) => compute((name) => cpu[name][round]))
  const comparedWith = (what, name, parsing) => {
    const added = median(each((of) => of(name) - of("small")))
    const parsed = median(each((of) => of(parsing) - of("nothing")))
    return {
      what: `(h) what ${what} adds, new`,
      measured: "CPU",
      ours: `${added.toFixed(0)} ms`,
      baseline: `JSON.parse ${parsed.toFixed(0)} ms`,
      ratio: added / parsed,
    }
  }
  return [
    {
      what: "(h) one request, document of 10 MB, known",
      measured: "CPU",
      ours: `${median(cpu.kept).toFixed(0)} ms`,
      baseline: `of 10 KB ${median(cpu.small).toFixed(0)} ms`,
      ratio: median(each((of) => of("kept") / of("small"))),
      goal: 2,
    },
    { ...comparedWith("a document of 10 MB", "large", "parseLarge"), goal: 1.3 },
    comparedWith("one of ASCII only", "ascii", "parseAscii"),
  ]
}

/** Returns the peak memory of a run in MiB. */
async function peakOfRun(workflow, requests, options) {
  const { peakBytes } = await runOurs({ workflow, requests, options }, { memory: true })
  return peakBytes / 1024 / 1024
}

async function runOurs({ workflow, requests, options = [], folder = project }, { memory = false } = {}) {
  await requestsSeen()
  const cost = await measure([...callsheet, workflow, "--project", folder, ...options], {
    cwd: folder,
    memory,
  })
  const seen = await requestsSeen()
  if (seen !== requests) throw new Error(`${workflow} sent ${seen} requests instead of ${requests}`)
  return cost
}

function runClient(name, { url, count, concurrency }) {
  const target = `http://127.0.0.1:${port}${url}`
  return measure([node, here(`clients/${name}.mjs`), target, String(count), String(concurrency)])
}

async function requestsSeen() {
  const answer = once(server, "message")
  server.send("count")
  return (await answer)[0].requests
}

function medianOf(samples, unit) {
  return median(samples.map((sample) => sample[unit]))
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
