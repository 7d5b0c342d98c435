// Runs what the files of CI systems on a page run: commands that call callsheet, and our action. Each job runs once for
// each machine that it asks for.

import { dirname } from "node:path"
import { load } from "js-yaml"
import { interpolate } from "../action/expressions.ts"
import { runAction } from "../action/run-action.ts"
import { runSteps, type Place } from "./run-shell.ts"

const ciFiles =
  /^(?:\.github\/workflows\/.+|\.gitlab-ci\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|Jenkinsfile)$/

export const isCiFile = (path: string): boolean => ciFiles.test(path)

type Variables = Readonly<Record<string, string>>

/** One machine: the values of `matrix`, and the variables by which a shell knows its number. */
interface Machine {
  readonly matrix: Variables
  readonly variables: Variables
}

interface Work {
  readonly place: Place
  readonly machine: Machine
  readonly failures: string[]
}

/** Returns the problems. Throws if nothing was run. */
export async function runCiFile(path: string, text: string, place: Place): Promise<readonly string[]> {
  const failures: string[] = []
  let count = 0
  for (const job of path === "Jenkinsfile" ? [readJenkinsfile(text)] : readJobs(load(text)))
    for (const machine of machinesOf(job)) count += await runJob(job, { place, machine, failures })
  if (count === 0) throw new Error(`${path} doesn't call callsheet`)
  return failures
}

/** The commands of `sh` steps. */
const readJenkinsfile = (text: string): unknown =>
  [...text.matchAll(/^ *sh '(.*)'$/gm)].map(([, run]) => ({ run }))

/** The values of `jobs`, or of GitLab's top level, or one job. */
function readJobs(value: unknown): readonly unknown[] {
  if (!isObject(value)) throw new Error("expected a mapping")
  if (isObject(value["jobs"])) return Object.values(value["jobs"])
  return "steps" in value ? [value] : Object.values(value)
}

function machinesOf(job: unknown): readonly Machine[] {
  const { strategy, parallel, parallelism } = isObject(job) ? job : {}
  const matrix = isObject(strategy) && isObject(strategy["matrix"]) ? strategy["matrix"] : {}
  const [[name, values] = ["", [""]]] = Object.entries(matrix)
  const shards = (values as readonly string[]).map((value) => ({ matrix: { [name]: value }, variables: {} }))
  const count = Number(parallel ?? parallelism ?? 1)
  if (count === 1) return shards
  return Array.from({ length: count }, (_, at) => ({
    matrix: {},
    variables: {
      CI_NODE_INDEX: `${at + 1}`,
      CI_NODE_TOTAL: `${count}`,
      CIRCLE_NODE_INDEX: `${at}`,
      CIRCLE_NODE_TOTAL: `${count}`,
    },
  }))
}

/** Runs the steps below a value in order. Returns the number of those that ran. */
async function runJob(value: unknown, work: Work): Promise<number> {
  if (!isObject(value)) return 0
  let count = 0
  if (typeof value["uses"] === "string" && value["uses"].startsWith("OWNER/callsheet@"))
    count += await useAction(isObject(value["with"]) ? value["with"] : {}, work)
  for (const [key, child] of Object.entries(value)) {
    const commands = ["run", "script", "command"].includes(key) ? [child].flat() : []
    if (commands.every((command) => typeof command === "string"))
      for (const command of commands) count += await runCommand(command, work)
    count += await runJob(child, work)
  }
  return count
}

async function runCommand(command: string, { place, machine, failures }: Work): Promise<number> {
  if (!command.includes("callsheet ")) return 0
  const environment = { ...place.environment, ...machine.variables }
  const failure = await runSteps(
    [{ command: `set -e\n${command}` }],
    { ...place, environment },
    { exitCode: 0 },
  )
  if (failure !== undefined) failures.push(failure)
  return 1
}

async function useAction(inputs: Readonly<Record<string, unknown>>, work: Work): Promise<number> {
  const { place, machine, failures } = work
  const given = Object.entries(inputs).map(([name, value]) => [
    name,
    interpolate(String(value), { matrix: machine.matrix }),
  ])
  const { exitCode, log } = await runAction(
    { folder: `${dirname(place.state)}/ci`, workspace: place.cwd, env: place.environment },
    Object.fromEntries(given) as Variables,
  )
  if (exitCode !== 0)
    failures.push(`the action with ${JSON.stringify(inputs)} exits with ${exitCode}:\n${log}`)
  return 1
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
