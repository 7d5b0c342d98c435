// Reads what a run takes from `callsheet.json`: a suite, and defaults for options. Loaded only for projects with that file.

import {
  CallsheetError,
  parseSize,
  type Problem,
  type Project,
  type ProjectSettings,
  type SettingsFile,
} from "@callsheet/format"
import { checkSettings, resolveSuite, type Suite, type SuiteEntry } from "@callsheet/language"
import { readProject } from "@callsheet/project"
import { readReporters, type RunRequest } from "./commands/run-options.ts"
import { messages } from "./messages.ts"

/** Reads the entries of a suite, with all of their workflows. Throws if the suite has an error. */
export function readSuite(root: string, name: string, { grep, named }: SuiteSelection) {
  const found = readProject(root, { workflows: [], apis: [] })
  const { settingsFile, workflowNames } = found
  refuse(settingsFile?.problems ?? [])
  const settings = settingsFile?.settings ?? { version: 1 }
  // Throws for an unknown suite. Other errors are reported by the check below, all at once.
  const suite = resolveSuite({ settings, name, workflowNames, report: () => undefined })
  const schedule = suite === undefined ? undefined : select(suite, grep)
  const workflows = schedule === undefined ? [] : workflowsOf(schedule)
  const project = readProject(root, { workflows, apis: "touched", named: [...named, ...apisOf(suite)] })
  if (settingsFile !== undefined) refuse(problemsOf(project, settingsFile, settings, name))
  if (schedule === undefined) throw new Error("a suite with errors passed its check")
  return { project, workflows, schedule }
}

interface SuiteSelection {
  /** Selects only the main entries whose name contains this text, in any case. */
  readonly grep: string | undefined
  readonly named: readonly string[]
}

function select(suite: Suite, grep: string | undefined): Suite {
  if (grep === undefined) return suite
  const main = suite.main.filter(({ name }) => name.toLowerCase().includes(grep.toLowerCase()))
  if (main.length === 0) throw new CallsheetError(messages["workflow-unknown"].noMatch(grep))
  return { ...suite, main }
}

function workflowsOf({ before, main, finally: last }: Suite): readonly string[] {
  const names = new Set<string>()
  const add = (entries: readonly SuiteEntry[]): void => {
    for (const { workflow, finally: inner } of entries) {
      names.add(workflow)
      add(inner)
    }
  }
  for (const entries of [before, main, last]) add(entries)
  return [...names]
}

const apisOf = (suite: Suite | undefined): readonly string[] =>
  [...(suite?.before ?? []), ...(suite?.main ?? []), ...(suite?.finally ?? [])].flatMap(({ env }) =>
    Object.keys(env),
  )

/** Returns the problems of `defaults` and of one suite. The others don't matter to the run. */
function problemsOf(
  project: Project,
  settingsFile: SettingsFile,
  settings: ProjectSettings,
  suite: string,
): readonly Problem[] {
  const own = settings.suites?.[suite]
  const used = { ...settings, suites: own === undefined ? {} : { [suite]: own } }
  const problems: Problem[] = []
  checkSettings({
    project: { ...project, settingsFile: { ...settingsFile, settings: used } },
    apis: new Map([...project.apis].map(([name, api]) => [name, { api, document: undefined }])),
    // The data of an entry is checked when it is read, before the first request.
    checkFile: () => undefined,
    add: (problem) => void problems.push(problem),
  })
  return problems
}

function refuse(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === "error")
  const [first] = errors
  if (first !== undefined) throw new CallsheetError(first, { problems: errors })
}

/** Returns the request with the values of `defaults` where the call sets no option. */
export function withDefaults(request: RunRequest, { root, settingsFile }: Project): RunRequest {
  const { defaults } = settingsFile?.settings ?? {}
  if (defaults === undefined) return request
  const { session } = request
  const { reporters = [] } = defaults
  const { env, concurrency, timeoutMs, retries, maxWarnings, maxResponseSize, seed } = defaults
  return {
    ...request,
    reporters: request.hasReporters ? request.reporters : readReporters(reporters, root),
    maxWarnings: request.maxWarnings ?? maxWarnings,
    session: {
      ...session,
      defaultEnvironments: env,
      concurrency: session.concurrency ?? concurrency,
      timeoutMs: session.timeoutMs ?? timeoutMs,
      retries: session.retries ?? retries,
      maxResponseBytes:
        session.maxResponseBytes ?? (maxResponseSize === undefined ? undefined : parseSize(maxResponseSize)),
      seed: session.seed ?? seed,
    },
  }
}
