// The output of every command and reporter with the canaries in its environment.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { askAsAgent } from "./agent.ts"
import { runInApplication } from "./application.ts"
import { textsIn } from "../harness/texts-in.ts"
import type { Canary } from "./canaries.ts"
import { writeByCommands } from "./commands.ts"
import { askAsEditor } from "./editor.ts"
import { notCompared } from "./not-compared.ts"
import { projectFiles, startEcho, valuesOf } from "./project.ts"
import { writeRaw } from "./raw-reporter.ts"

/** The output by the name of the sink. */
type Texts = ReadonlyMap<string, string>
export interface Written {
  readonly texts: Texts
  /** Names of the commands that wrote the output. */
  readonly commands: ReadonlySet<string>
  /** Requested calls of the app's server. */
  readonly asked: ReadonlySet<string>
}

const reporters = ["pretty", "json", "junit", "coverage", "html", "ndjson", "ctrf", "har", "allure"] as const
/** Reporters that write the same output to a file. */
const onlyFiles: ReadonlySet<string> = new Set(["ctrf", "har", "allure"])
/** Reporters whose standard output a quick run checks. The output of each is in a file, too. */
const quicklyPrinted: ReadonlySet<string> = new Set(["pretty", "json"])

/** Runs everything with one set of secrets. */
export async function writeEverything(all: readonly Canary[], isQuick: boolean): Promise<Written> {
  const servers = [await startEcho(() => all), await startEcho(() => all)] as const
  const [shop, other] = servers
  const files = projectFiles({ shop: shop.url, other: other.url }, all)
  const folder = await createFolder(files)
  try {
    const values = valuesOf(other.url, all)
    const env = variablesOf(values)
    const others = await writeByCommands(all, { env, isQuick })
    const written = new Map<string, string>()
    const asked = new Set(others.asked)
    const texts = new Map([
      ...(await byCommand(folder, env, isQuick)),
      ...(await byProgram(folder, values)),
      ["the file of a raw reporter", await writeRaw(folder, "canaries", env)],
      ...others.written,
      ...(isQuick ? [] : await byAgent(files, env, all)),
      ...(isQuick ? [] : await byEditor(files, env, all)),
      ...(await runInApplication({ folder, env, written, asked })),
    ])
    return {
      texts: withoutPorts(texts, servers),
      commands: new Set([...others.commands, ...documentCommands, "mcp", "lsp"]),
      asked,
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()))
    await rm(folder, { recursive: true })
  }
}

/** Ids of proposals, durations and the directory differ between runs. */
const byAgent = async (...project: Parameters<typeof askAsAgent>): Promise<Texts> =>
  new Map([...(await askAsAgent(...project))].map(([name, text]) => [`${notCompared}agent: ${name}`, text]))

/** URIs contain the directory, and ids of results differ. */
const byEditor = async (...project: Parameters<typeof askAsEditor>): Promise<Texts> =>
  new Map([...(await askAsEditor(...project))].map(([name, text]) => [`${notCompared}${name}`, text]))

type Values = ReturnType<typeof valuesOf>

type Variables = Readonly<Record<string, string>>

export const variablesOf = (values: Values): Variables =>
  Object.fromEntries(
    Object.entries(values).flatMap(([api, variables]) =>
      Object.entries(variables).map(([name, value]) => [
        `CALLSHEET_VAR__${api.toUpperCase()}__${name.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`,
        String(value),
      ]),
    ),
  )

async function byCommand(folder: string, env: Variables, isQuick: boolean): Promise<Texts> {
  const written = new Map<string, string>()
  const call = async (words: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const { stdout, stderr } = await callsheet(words, {
      folder,
      env: { ...env, ...more },
      timeoutMs: 120_000,
    })
    written.set(`${words.slice(0, 4).join(" ")}: standard output`, stdout)
    written.set(`${words.slice(0, 4).join(" ")}: standard error`, stderr)
  }
  const files = reporters.map((name) => `--reporter=${name}=out/${name}`)
  await call(["run", "canaries", "-vv", "--seed=1", "--debug", "--record=out/record", ...files], {
    FORCE_COLOR: "1",
  })
  written.set(`${notCompared}the record`, gunzipSync(readFileSync(join(folder, "out/record"))).toString())
  for (const name of reporters) {
    const path = join(folder, "out", name)
    // Names of files in a directory of results differ between runs.
    if (name === "allure") written.set(`${notCompared}the files of ${name}`, textsIn(path))
    else {
      const text = readFileSync(path, "utf8")
      // What fits on a page depends on the lengths of durations.
      const isCut = text.includes("to keep this page small")
      written.set(`${isCut ? notCompared : ""}the file of ${name}`, text)
    }
    if (isQuick ? quicklyPrinted.has(name) : !onlyFiles.has(name))
      await call(["run", "canaries", `--reporter=${name}`, "--verify-no-leak", "--seed=1"])
  }
  await call(["replay", "out/record", "--json", "--debug"])
  await call(["diff", "out/record", "out/record", "--json"])
  if (!isQuick) await aboutDocuments(folder, { call, written })
  for (const words of ["env read shop blue", "env read shop blue --json", "env read other blue", "env list"])
    await call([...words.split(" "), "--debug"])
  for (const words of ["validate", "validate --json", "validate --format=sarif", "list", "list --json"])
    await call([...words.split(" "), "--debug"])
  return written
}

/** The commands that `aboutDocuments` calls. */
const documentCommands = [
  "impact",
  "generate",
  "probe",
  "baseline update",
  "baseline status",
  "baseline prune",
]

interface Calling {
  readonly call: (words: readonly string[]) => Promise<void>
  readonly written: Map<string, string>
}

/** Compares documents and responses with a file, a record, a baseline and snapshots. Leaves no file behind. */
async function aboutDocuments(folder: string, { call, written }: Calling): Promise<void> {
  const against = ["--api=shop", "--records=out/record", "--against-file", "apis/shop/openapi.json"]
  for (const format of ["text", "json", "github", "markdown"]) {
    await call(["impact", `--format=${format}`, ...against])
    await call([
      "impact",
      "--project=**",
      `--format=${format}`,
      ...against.filter((word) => !word.includes("rec")),
    ])
  }
  for (const more of [[], ["--json"]]) await call(["generate", "--dry-run", ...more])
  await aboutProbes(folder, { call, written })
  for (const name of ["update", "status", "prune"]) await call(["baseline", name, "out/record"])
  const run = ["run", "canaries", "--seed=1", "--trace"]
  for (const mode of ["update", "check"]) await call([...run, `--snapshots=${mode}`])
  const baseline = join(folder, "callsheet.baseline.json")
  if (existsSync(baseline)) written.set("the baseline", readFileSync(baseline, "utf8"))
  // Values that differ between two runs are in snapshots, too.
  written.set(`${notCompared}the snapshots`, textsIn(join(folder, "snapshots/canaries")))
  await rm(baseline, { force: true })
  await rm(join(folder, "snapshots"), { recursive: true })
}

/** Probes the API, and removes the files with what was found. */
async function aboutProbes(folder: string, { call, written }: Calling): Promise<void> {
  for (const more of [[], ["--json"]]) await call(["probe", "--api=shop", "--max=30", ...more])
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?:^|\/)(?:probe-[^/]*|callsheet\.json)$/.test(file),
  )
  const texts = files.map((file) => `${file}\n${readFileSync(join(folder, file), "utf8")}`)
  written.set("the files of probes", texts.join("\n"))
  for (const file of files) await rm(join(folder, file))
}

async function byProgram(folder: string, values: Values): Promise<Texts> {
  // Use the built entry, because its scripts have a separate file.
  const built = new URL("../../packages/cli/dist/index.js", import.meta.url).href
  const { run } = (await import(built)) as typeof import("../../packages/cli/src/index.ts")
  const events: string[] = []
  const options = { project: folder, workflows: ["canaries"], seed: 1, overrides: values, verifyNoLeak: true }
  const report = await run({ ...options, onEvent: (event) => events.push(JSON.stringify(event)) })
  return new Map([
    ["the events", events.join("\n")],
    ["the report of run()", JSON.stringify(report)],
  ])
}

/** Removes text that differs between runs even without secrets. */
function withoutPorts(written: Texts, servers: readonly ApiServer[]): Texts {
  const ports = servers.map(({ url }) => url.slice(url.lastIndexOf(":") + 1))
  return new Map(
    [...written].map(([name, text]) => [
      name,
      ports.reduce((rest, port, at) => rest.replaceAll(`:${port}`, `:PORT${at}`), text),
    ]),
  )
}

/** Removes times and seeds, which differ between runs, and sizes: `true` is shorter than `false`. */
export const withoutTimes = (text: string): string =>
  text
    .replaceAll(/\u001b\[[0-9;]*m/g, "")
    .replaceAll(
      /(content-length(?::<\/i> |\W{1,8}|","value":")|(?:sizeBytes|"size|bodySize)\W{1,8})[0-9]+/g,
      "$1",
    )
    .replaceAll(/ *(?<![0-9.])[0-9.]+ (?:Ki|Mi)?B\b/g, "")
    .replaceAll(/(\bseed\W{1,4})[0-9]+/g, "$1")
    .replaceAll(/(\btimes\W{1,6})[0-9][0-9,]*/g, "$1")
    .replaceAll(
      /"(?:durationMs|duration|start|startMs|startedAt|startedDateTime|stop|time|wait)":(?:"[^"]*"|[0-9.]+)/g,
      '"time":0',
    )
    .replaceAll(/ (?:time|timestamp)="[^"]*"/g, "")
    .replaceAll(/<time .*?<\/time>| (?:x|width)="[0-9.]+%"/g, "")
    .replaceAll(/callsheet-[0-9a-f-]{36}/g, "boundary")
    // A note about a secret that is also a word of the report, unlike its twin.
    .replaceAll(/^warning: callsheet did not search the output for the secret .*\n.*\n/gm, "")
    .replaceAll(/ *(?<![0-9.])[0-9.]+ m?s\b/g, "")
