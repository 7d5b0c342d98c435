// Reads a suite of `callsheet.json`. Loaded only for `--suite`.

import { namesIn, suiteIn } from "@callsheet/language"
import { readProject } from "@callsheet/project"
import { narrow, type WorkflowSelection } from "./read-workflows.ts"

/** Reads a suite's entries and their workflows. The session reports errors of `callsheet.json`. */
export function readSuite(name: string, { root, named, ...selection }: SuiteSelection) {
  const previous = readProject(root, { workflows: [], apis: [] })
  const { suite, hasErrors } = suiteIn(previous, name)
  const { main: known } = suite
  const main = hasErrors ? known : narrow(known, { ...selection, known, suite: name })
  // A shard without entries sets nothing up.
  const isEmpty = main.length === 0 && known.length > 0
  const schedule = {
    ...suite,
    ...(isEmpty ? { before: [], finally: [] } : {}),
    main,
    grep: selection.grep,
    lastFailed: selection.lastFailed ?? false,
  }
  const { workflows } = namesIn(schedule)
  const names = [...named, ...namesIn(suite).apis]
  const project = readProject(root, { workflows, apis: "touched", named: names, previous })
  return { project, workflows, schedule }
}

/** Limits which main entries of a suite run. */
type SuiteSelection = Omit<WorkflowSelection, "cwd" | "wanted">
