// Runs the steps of `action.yml` as GitHub's runner does: bash steps with the runner's environment files, and the four
// actions that it uses as copies between directories.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { load } from "js-yaml"
import { interpolate, isTrue, type Contexts, type Outcome } from "./expressions.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string | boolean>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export const action = load(readFileSync(join(root, "action.yml"), "utf8")) as Action

/** A directory for everything of a workflow run, such as what its jobs share in `artifacts` and `caches`. */
export interface Place {
  readonly folder: string
  /** The checked out repository. */
  readonly workspace: string
  readonly runId?: string
  /** Added to a bare environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface ActionResult {
  /** The exit code of the step that failed, or 0. */
  readonly exitCode: number
  readonly outputs: Readonly<Record<string, string>>
  /** What the steps printed. */
  readonly log: string
  readonly summary: string
}

interface Job {
  readonly place: Place
  readonly temp: string
  readonly contexts: { readonly steps: Record<string, { outputs: Record<string, string> }> } & Contexts
  log: string
}

/** Runs all steps in a job of its own. */
export async function runAction(
  place: Place,
  inputs: Readonly<Record<string, string>>,
): Promise<ActionResult> {
  const temp = join(place.folder, "temp")
  await rm(temp, { recursive: true, force: true })
  await mkdir(temp, { recursive: true })
  await writeFile(join(temp, "summary.md"), "")
  const defaults = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, input.default]),
  )
  const contexts = {
    inputs: { ...defaults, ...inputs },
    steps: {},
    runner: { temp },
    github: { run_id: place.runId ?? "1" },
  }
  const job: Job = { place, temp, contexts, log: "" }
  let exitCode = 0
  for (const step of action.runs.steps) {
    const outcome: Outcome = exitCode === 0 ? "success" : "failure"
    if (!isTrue(step.if ?? "success()", outcome, job.contexts)) continue
    const code = step.run === undefined ? await useAction(step, job) : await runScript(step, job)
    if (exitCode === 0) exitCode = code
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, interpolate(value, job.contexts)]),
  )
  return { exitCode, outputs, log: job.log, summary: await readFile(join(temp, "summary.md"), "utf8") }
}

/** The path without the programs of this repository, which `npx` and `npm` add. */
export const systemPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join("node_modules", ".bin")))
  .join(delimiter)

async function runScript(step: Step, job: Job): Promise<number> {
  const { temp, place, contexts } = job
  const script = join(temp, "step.sh")
  const output = join(temp, "output")
  // An expression in a script would run as a program whatever text an input has.
  if (step.run?.includes("${{") === true) throw new Error(`an expression in a script: ${step.run}`)
  await writeFile(script, step.run ?? "")
  await writeFile(output, "")
  const env = Object.entries(step.env ?? {}).map(([name, value]) => [name, interpolate(value, contexts)])
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
    cwd: place.workspace,
    env: {
      PATH: systemPath,
      HOME: place.folder,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: root,
      GITHUB_WORKSPACE: place.workspace,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(temp, "summary.md"),
      RUNNER_TEMP: temp,
      ...place.env,
      ...(Object.fromEntries(env) as Record<string, string>),
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (job.log += text))
  const [code] = (await once(child, "close")) as [number | null]
  if (step.id !== undefined)
    contexts.steps[step.id] = { outputs: readOutputs(await readFile(output, "utf8")) }
  return code ?? 1
}

/** Reads lines of `name=value`. Later lines replace earlier ones, as in the runner. */
function readOutputs(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "")
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  )
}

type With = Readonly<Record<string, string>>

/** What each action does with the directories of the workflow run. Returns its exit code. */
const actions: Readonly<Record<string, (given: With, step: Step, job: Job) => Promise<number>>> = {
  "actions/upload-artifact": async ({ name = "", path = "" }, step, { place, contexts }) => {
    if (!existsSync(path) || readdirSync(path).length === 0) return 1
    const stored = join(place.folder, "artifacts", name)
    await rm(stored, { recursive: true, force: true })
    await cp(path, stored, { recursive: true })
    if (step.id !== undefined)
      contexts.steps[step.id] = { outputs: { "artifact-url": `https://github.example/artifacts/${name}` } }
    return 0
  },
  "actions/download-artifact": async ({ pattern = "", path = "" }, _step, { place }) => {
    const prefix = pattern.replace(/\*$/, "")
    for (const name of list(join(place.folder, "artifacts")))
      if (name.startsWith(prefix)) await cp(join(place.folder, "artifacts", name), path, { recursive: true })
    return 0
  },
  "actions/cache/restore": async ({ path = "", key = "", "restore-keys": prefix = "" }, _step, { place }) => {
    const keys = list(join(place.folder, "caches"))
    const found = keys.includes(key) ? key : keys.findLast((name) => name.startsWith(prefix))
    if (found !== undefined) await cp(join(place.folder, "caches", found), path, { recursive: true })
    return 0
  },
  "actions/cache/save": async ({ path = "", key = "" }, _step, { place }) => {
    await cp(path, join(place.folder, "caches", key), { recursive: true })
    return 0
  },
}

async function useAction(step: Step, job: Job): Promise<number> {
  const name = step.uses?.replace(/@.*$/, "") ?? ""
  const use = actions[name]
  if (use === undefined) throw new Error(`the tests don't know the action ${name}`)
  const given = Object.entries(step.with ?? {}).map(([key, value]) => [
    key,
    interpolate(String(value), job.contexts),
  ])
  return use(Object.fromEntries(given) as With, step, job)
}

const list = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])
