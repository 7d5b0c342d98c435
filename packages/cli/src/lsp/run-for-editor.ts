// Runs workflows for `callsheet lsp`: a workflow in a process of its own, a saved request in this one.

import { readFileSync, statSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { runSession, SessionLog, startProgram, thisNode, withDefaults } from "@callsheet/engine"
import type { RunEnd, RunOrder, Runs, SendOrder } from "@callsheet/editor"
import {
  attempt,
  createReportFold,
  integersAsText,
  isJsonObject,
  parseExact,
  readEvent,
  type JsonValue,
  type Report,
  type RunEvent,
  type RunReport,
} from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import { projectToSend } from "@callsheet/server"
import type { CommandCall } from "../args/command.ts"
import { withPorts } from "../session/with-ports.ts"

type Caller = Pick<CommandCall, "environment" | "scriptEntry">

/** Neither passes `--yes`, nor confirms in another way, so that production is always refused. */
export const runsForEditor = (call: Caller): Runs => ({
  run: (order, { onEvent, signal }) => runInProcess(call, order, { onEvent, signal }),
  send: (order, signal) => sendSaved(call, order, signal),
})

interface Listening {
  readonly onEvent: (event: RunEvent) => void
  readonly signal: AbortSignal
}

/** Values follow `=`, so that none is read as an option. */
const wordsOf = (
  { root, workflow, until, environments }: RunOrder,
  reportFile: string,
): readonly string[] => [
  "run",
  workflow,
  `--project=${root}`,
  "--reporter=ndjson",
  `--reporter=json=${reportFile}`,
  ...(until === undefined ? [] : [`--until=${until}`]),
  ...environments.map((environment) => `--env=${environment}`),
]

/** More than all problems of a run, which are limited. */
const MAX_ERRORS = 64 * 1024

/** The largest report that is read, because the server keeps it. */
const MAX_REPORT = 8 * 1024 * 1024

async function runInProcess(caller: Caller, order: RunOrder, listening: Listening): Promise<RunEnd> {
  // Only this user can read it. Events may contain values that turn out to be secrets later, the report never does.
  const folder = await mkdtemp(join(tmpdir(), "callsheet-"))
  const reportFile = join(folder, "report.json")
  try {
    const end = await startRun(caller, wordsOf(order, reportFile), { ...listening, root: order.root })
    return { ...end, report: readReport(reportFile, order.workflow) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function readReport(file: string, workflow: string): RunReport | undefined {
  if ((attempt(() => statSync(file))?.size ?? Infinity) > MAX_REPORT) return undefined
  // The command has just written it, to a directory that only this user can write to.
  const report = attempt(() => parseExact<Report>(readFileSync(file, "utf8")))
  return report?.runs.find((run) => run.workflow === workflow && run.blocks.length > 0)
}

function startRun(
  { environment, scriptEntry }: Caller,
  words: readonly string[],
  { root, onEvent, signal }: Listening & { readonly root: string },
): Promise<Omit<RunEnd, "report">> {
  // The same callsheet as this one.
  const entry = fileURLToPath(new URL("./start.js", scriptEntry))
  return new Promise((resolve) => {
    const child = startProgram(thisNode(), [entry, ...words], {
      cwd: root,
      // The editor shows what it says.
      environment: { ...environment, FORCE_COLOR: "0" },
      readsErrors: true,
    })
    let errors = ""
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(0, MAX_ERRORS)
    })
    const stop = (): void => void child.kill("SIGTERM")
    signal.addEventListener("abort", stop, { once: true })
    if (signal.aborted) stop()
    const end = (exitCode: number | null): void => {
      signal.removeEventListener("abort", stop)
      resolve({ exitCode: exitCode ?? undefined, errors })
    }
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on("line", (line) => {
        const event = eventIn(line)
        if (event !== undefined) onEvent(event)
      })
    child.on("error", () => end(null))
    child.on("close", end)
    // Nobody can answer a question.
    child.stdin?.on("error", () => undefined).end()
  })
}

/** Returns undefined for lines that are not events, such as how the session ended. */
function eventIn(line: string): RunEvent | undefined {
  const value = attempt(() => JSON.parse(line) as JsonValue)
  return value !== undefined && isJsonObject(value) ? readEvent(value).event : undefined
}

/** A workflow in memory sends the saved request, so no process that reads files can. */
async function sendSaved(
  { environment: processEnvironment, scriptEntry }: Caller,
  order: SendOrder,
  signal: AbortSignal,
): Promise<Report> {
  const project = projectToSend(order.root, { ...order, environment: order.environment ?? "" })
  const log = new SessionLog()
  const { root, api, environment } = order
  const options = withDefaults(
    { ...(environment !== undefined && { environments: { [api]: environment } }) },
    project,
  )
  await withPorts({ root, scriptEntry, processEnvironment }, (ports) =>
    runSession({
      project,
      workflows: [...project.workflows.keys()],
      schedule: undefined,
      ports,
      readAllEnvironments: () => readAllEnvironments(project),
      listen: [(event, maskAgain) => log.append(event, maskAgain)],
      options: { ...options, processEnvironment, exchanges: true, coverage: false, signal },
    }),
  )
  const fold = createReportFold()
  for (const event of log) fold.apply(integersAsText(event))
  return fold.report
}
