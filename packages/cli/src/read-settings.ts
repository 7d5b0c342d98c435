// Reads what a run takes from `callsheet.json`: a suite, and defaults for options. Loaded only if the project has the
// file.

import type { SessionOptions } from "@callsheet/engine"
import { CallsheetError, parseSize, type Project } from "@callsheet/format"
import { resolveSuite, type Suite, type SuiteEntry } from "@callsheet/language"
import { readProject } from "@callsheet/project"
import { messages } from "./messages.ts"

/** Reads the entries of a suite, with all of their workflows. The session reports what is wrong with `callsheet.json`. */
export function readSuite(name: string, { root, grep, named }: SuiteSelection) {
  const { settingsFile, workflowNames } = readProject(root, { workflows: [], apis: [] })
  const { settings } = settingsFile ?? { settings: { version: 1 } as const }
  const { suite, hasErrors } =
    settings === undefined
      ? { suite: { name, before: [], main: [], finally: [] }, hasErrors: true }
      : resolveSuite({ settings, name, workflowNames, report: () => undefined })
  const schedule = grep === undefined ? suite : select(suite, grep)
  if (schedule.main.length === 0 && suite.main.length > 0 && !hasErrors)
    throw new CallsheetError(messages["workflow-unknown"].noMatch(grep ?? ""))
  const workflows = workflowsOf(schedule)
  const project = readProject(root, { workflows, apis: "touched", named: [...named, ...apisOf(suite)] })
  return { project, workflows, schedule }
}

interface SuiteSelection {
  readonly root: string
  /** Selects the main entries whose names contain this text, in any case. */
  readonly grep?: string | undefined
  readonly named: readonly string[]
}

function select(suite: Suite, grep: string): Suite & { readonly grep: string } {
  const main = suite.main.filter(({ name }) => name.toLowerCase().includes(grep.toLowerCase()))
  return { ...suite, grep, main }
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
