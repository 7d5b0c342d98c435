// Writes a project whose workflows call many scripts, and measures a call.

import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { measure, median } from "./measure.mjs"
import { writeFiles } from "./write-files.mjs"

/** The maximum average time of a call in milliseconds. */
const limitMs = 2
const names = Array.from({ length: 10 }, (_, number) => `check-${number}`)

/** Returns a script that uses every function of its context, and sometimes reports its memory. */
const script = (number) => `import type { AssertContext } from "@callsheet/sdk"
import { writeFileSync } from "node:fs"

interface Item {
  readonly sku: string
}

export function check(ctx: AssertContext): void {
  const item = ctx.get("get.response.body") as Item
  const { baseUrl } = ctx.env("bench")
  ctx.log("check ${number}", ctx.iteration?.index, baseUrl)
  ctx.assert(item.sku === "tea-250", \`\${item.sku} is another one\`)
  const file = process.env["BENCH_SCRIPT_PEAK"]
  if (file !== undefined && (ctx.iteration?.index ?? 0) % 1_000 === 999) {
    writeFileSync(file, String(process.resourceUsage().maxRSS))
  }
}
`

const getItem = {
  id: "get",
  type: "request",
  request: { api: "bench", resource: "items", operation: "getItem" },
}
const call = (name) => ({ id: name, type: "assert", script: { name, exportName: "check" } })
const withoutScript = {
  id: "check",
  type: "assert",
  assertions: [{ source: "get.response.body.sku", operator: "equals", value: "tea-250" }],
}
const repeated = (count, blocks, execution = "sequential") => ({
  version: 1,
  blocks: [getItem, { id: "repeat", type: "loop", mode: "times", count, execution, blocks }],
})

const workflows = (many) => ({
  one: { version: 1, blocks: [getItem, call("check-0")] },
  none: { version: 1, blocks: [getItem, withoutScript] },
  sequential: repeated(1_000, [call("check-0")]),
  parallel: repeated(1_000, [call("check-0")], "parallel"),
  files: repeated(100, names.map(call)),
  many: repeated(many, [call("check-0")]),
})

async function writeScriptProject(folder, { port, many }) {
  await writeFiles(folder, {
    "apis/bench/openapi.json": {
      openapi: "3.0.3",
      info: { title: "Bench", version: "1" },
      paths: {
        "/item": {
          get: {
            operationId: "getItem",
            tags: ["items"],
            responses: { 200: { description: "One item." } },
          },
        },
      },
    },
    "apis/bench/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/bench/environments/local.json": { baseUrl: `http://127.0.0.1:${port}` },
    ...Object.fromEntries(
      Object.entries(workflows(many)).flatMap(([name, workflow]) => [
        [`apis/workflow/${name}.json`, workflow],
        ...names.map((file, number) => [`apis/workflow/scripts/${name}/${file}.ts`, script(number)]),
      ]),
    ),
  })
}

/**
 * Returns rows of the table: 1,000 calls of each kind, the first call of a run, and the memory of many calls.
 * `callsheet` is the command that runs workflows. `rounds` is the number of measurements.
 */
export async function compareScripts({ folder, port, callsheet, rounds, many, progress }) {
  await writeScriptProject(folder, { port, many })
  const caches = await mkdtemp(join(tmpdir(), "callsheet-bench-caches-"))
  const run = (workflow, { cache = "kept", peak } = {}) =>
    measure([...callsheet, workflow, "--project", folder], {
      memory: peak !== undefined,
      variables: {
        XDG_CACHE_HOME: join(caches, cache),
        ...(peak === undefined ? {} : { BENCH_SCRIPT_PEAK: peak }),
      },
    })
  try {
    const samples = await sampleAll(contenders(run), { rounds, progress })
    return [
      ...callRows(samples),
      ...firstRows(samples),
      ...(await memoryRows(run, { file: join(caches, "peak"), many, rounds: Math.min(rounds, 3) })),
    ]
  } finally {
    await rm(caches, { recursive: true, force: true })
  }
}

const contenders = (run) => ({
  nothing: () => measure([process.execPath, "-e", "0"]),
  none: () => run("none"),
  one: () => run("one"),
  new: (round) => run("one", { cache: `new-${round}` }),
  sequential: () => run("sequential"),
  parallel: () => run("parallel"),
  files: () => run("files"),
})

/** Measures all runs in turn, so that other work on the machine affects them equally. */
async function sampleAll(runs, { rounds, progress }) {
  const samples = Object.fromEntries(Object.keys(runs).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const sample = await run(round)
      // The first round only warms the caches.
      if (round > 0) samples[name].push(sample)
    }
    progress(`(i) scripts: ${round} of ${rounds}`)
  }
  progress("")
  return samples
}

const medianOf = (samples, unit) => median(samples.map((sample) => sample[unit]))

/** Returns the time of a whole run per 1,000 calls. It includes the start of callsheet and of the script process. */
function callRows(samples) {
  const kinds = {
    sequential: "one after the other",
    parallel: "in parallel",
    files: "of 10 files in turn",
  }
  return Object.entries(kinds).flatMap(([name, what]) =>
    ["wallMs", "cpuMs"].map((unit) => {
      const each = medianOf(samples[name], unit) / 1_000
      return {
        what: `(i) 1,000 script calls, ${what}: each`,
        measured: unit === "cpuMs" ? "CPU" : "wall",
        ours: `${each.toFixed(2)} ms`,
        baseline: `at most ${limitMs} ms`,
        ratio: each / limitMs,
        goal: unit === "wallMs" ? 1 : undefined,
      }
    }),
  )
}

function firstRows(samples) {
  const row = (what, name, beside) => (unit) => ({
    what: `(i) ${what}`,
    measured: unit === "cpuMs" ? "CPU" : "wall",
    ours: `${medianOf(samples[name], unit).toFixed(0)} ms`,
    baseline: `${beside.text} ${medianOf(samples[beside.name], unit).toFixed(0)} ms`,
    ratio: median(samples[name].map((sample, round) => sample[unit] / samples[beside.name][round][unit])),
  })
  return [
    row("one request, one script", "one", { name: "nothing", text: "node -e 0" }),
    row("one request, one script, known", "one", { name: "none", text: "no script" }),
    row("one request, one script, new", "new", { name: "none", text: "no script" }),
  ].flatMap((rowOf) => ["cpuMs", "wallMs"].map(rowOf))
}

async function memoryRows(run, { file, many, rounds }) {
  const runners = { few: [], many: [] }
  const scripts = { few: [], many: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [size, workflow] of [
      ["few", "sequential"],
      ["many", "many"],
    ]) {
      const { peakBytes } = await run(workflow, { peak: file })
      runners[size].push(peakBytes / 2 ** 20)
      scripts[size].push(Number(await readFile(file, "utf8")) / 2 ** 10)
    }
  }
  return Object.entries({ "the runner": runners, "the script process": scripts }).map(([whose, peaks]) => ({
    what: `(i) ${many.toLocaleString("en")} script calls to 1,000, ${whose}`,
    measured: "peak memory",
    ours: `${median(peaks.many).toFixed(0)} MiB`,
    baseline: `1,000: ${median(peaks.few).toFixed(0)} MiB`,
    ratio: median(peaks.many) / median(peaks.few),
    // The live heap doesn't grow. V8 enlarges its young generation to the full size during the first 10,000 calls.
    goal: 1.5,
  }))
}
