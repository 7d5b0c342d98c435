// Changes `callsheet.baseline.json` as a whole, under the project's lock.

import { BASELINE_FILE, baselineText, requireBaseline, type BaselineEntry } from "@callsheet/format"
import { withoutMark } from "../environment/environment-files.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { replaceStep } from "../write/ready-step.ts"
import { readForEdit } from "../write/write-scope.ts"

interface BaselineChange {
  readonly root: string
  /** A description of the change for people. The journal keeps it in case the change is interrupted. */
  readonly title: string
  /** Returns the new entries, or undefined to keep the file. Called again if another program changes the file first. */
  readonly change: (entries: readonly BaselineEntry[]) => readonly BaselineEntry[] | undefined
}

/** Changes the entries. Throws the errors of a broken file, which stays as it is, and those of `changeProject`. */
export function changeBaseline(
  { root, title, change }: BaselineChange,
  options: WriteOptions = {},
): Promise<Changed> {
  return changeProject(
    {
      root,
      folders: ["."],
      makeChanges: (scope) => {
        const before = readForEdit(scope, BASELINE_FILE)
        const baseline =
          before.text === undefined
            ? { entries: [] }
            : requireBaseline({ file: BASELINE_FILE, text: withoutMark(before.text) })
        const changed = change(baseline.entries)
        const text = changed === undefined ? undefined : baselineText({ ...baseline, entries: changed })
        const isSame = text === undefined || text === before.text
        return { change: { title, steps: isSame ? [] : [replaceStep(before, text)] }, result: {} }
      },
    },
    options,
  )
}
