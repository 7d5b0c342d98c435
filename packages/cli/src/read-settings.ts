// Reads what a run takes from `callsheet.json`: a suite, and defaults for options. Loaded only if the project has the
// file.

import type { SessionOptions } from "@callsheet/engine"
import { parseSize, type Project } from "@callsheet/format"
import { resolveSuite, type Suite, type SuiteEntry } from "@callsheet/language"
import { readProject } from "@callsheet/project"
import { narrow, type WorkflowSelection } from "./read-workflows.ts"

/** Reads the entries of a suite, with all of their workflows. The session reports what is wrong with `callsheet.json`. */
export function readSuite(name: string, { root, named, ...selection }: SuiteSelection) {
  const previous = readProject(root, { workflows: [], apis: [] })
  const { settingsFile, workflowNames } = previous
  const { settings } = settingsFile ?? { settings: { version: 1 } as const }
  const { suite, hasErrors } =
    settings === undefined
      ? { suite: { name, before: [], main: [], finally: [] }, hasErrors: true }
      : resolveSuite({ settings, name, workflowNames, report: () => undefined })
  const { main: known } = suite
  const main = hasErrors ? known : narrow(known, { ...selection, known, suite: name })
  const schedule = {
    ...suite,
    main,
    grep: selection.grep,
    lastFailed: selection.selectFailed !== undefined,
  }
  const workflows = workflowsOf(schedule)
  const names = [...named, ...apisOf(suite)]
  const project = readProject(root, { workflows, apis: "touched", named: names, previous })
  return { project, workflows, schedule }
}

/** Narrows the main entries. */
type SuiteSelection = Omit<WorkflowSelection, "cwd" | "wanted">

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

const apisOf = (suite: Suite): readonly string[] =>
  [...suite.before, ...suite.main, ...suite.finally].flatMap(({ env }) => Object.keys(env))

/** Returns the options with the values of `defaults` where the call sets none. */
export function withDefaults(session: SessionOptions, { settingsFile }: Project): SessionOptions {
  const { defaults } = settingsFile?.settings ?? {}
  if (defaults === undefined) return session
  const { env, concurrency, jobs, timeoutMs, retries, maxResponseSize, seed } = defaults
  return {
    ...session,
    defaultEnvironments: env,
    concurrency: session.concurrency ?? concurrency,
    jobs: session.jobs ?? jobs,
    timeoutMs: session.timeoutMs ?? timeoutMs,
    retries: session.retries ?? retries,
    maxResponseBytes:
      session.maxResponseBytes ?? (maxResponseSize === undefined ? undefined : parseSize(maxResponseSize)),
    seed: session.seed ?? seed,
  }
}
