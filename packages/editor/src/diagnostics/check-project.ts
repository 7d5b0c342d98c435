// Checks a whole project, as `callsheet validate` does, and keeps the result until something changes.

import { createKeptChecks, validateProject } from "@callsheet/language"
import type { Problem, Project } from "@callsheet/format"
import type { CheckedView, ProjectState } from "../project/project-state.ts"

export interface CheckedProject {
  readonly view: CheckedView
  readonly problems: readonly Problem[]
  /** Those that a check of one file doesn't find. */
  readonly surrounding: readonly Problem[]
}

/** The parts of `callsheet validate` that the command brings. */
export interface Validation {
  /** Finds problems that need more than the project's files, such as git. */
  readonly findSurrounding: (project: Project, asksGit: boolean) => Promise<readonly Problem[]>
  readonly mask: (project: Project, problems: readonly Problem[]) => Promise<readonly Problem[]>
}

interface ProjectCheck extends Validation {
  readonly state: ProjectState
  readonly isTrusted: boolean
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  /** Called after each check. */
  readonly onChecked: () => void
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export function createProjectCheck(options: ProjectCheck) {
  const { state, isTrusted, processEnvironment, findSurrounding, mask, onChecked } = options
  const checkWorkflow = createKeptChecks()
  let latest: CheckedProject | undefined
  let going: { readonly revision: number; readonly result: Promise<CheckedProject | undefined> } | undefined
  const check = async (): Promise<CheckedProject | undefined> => {
    const view = state.view()
    const outdated = new Error("outdated")
    const giveWay = async (): Promise<void> => {
      await turn()
      if (state.revision() !== view.revision) throw outdated
    }
    try {
      const { project, describe, checkFile, checkRows, readSource } = view
      const found = await validateProject({
        project,
        describe,
        checkFile,
        checkRows,
        processEnvironment,
        readSource,
        checkWorkflow,
        giveWay,
      })
      const around = await findSurrounding(project, isTrusted)
      const problems = await mask(project, [...found, ...around])
      latest = { view, problems, surrounding: problems.slice(found.length) }
      onChecked()
      return latest
    } catch (error) {
      if (error === outdated) return undefined
      throw error
    }
  }
  return {
    /** The last finished check, of any revision. */
    latest: (): CheckedProject | undefined => latest,
    /** Returns the result for the current files. Starts again whenever something changes. */
    current: async (signal: AbortSignal): Promise<CheckedProject> => {
      for (;;) {
        signal.throwIfAborted()
        const revision = state.revision()
        if (latest?.view.revision === revision) return latest
        if (going?.revision !== revision) going = { revision, result: check() }
        const found = await unlessAborted(going.result, signal)
        if (found?.view.revision === state.revision()) return found
      }
    },
  }
}

/** Rejects as soon as the caller no longer waits. The check goes on, for others. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException("cancelled", "AbortError"))
    signal.addEventListener("abort", stop, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}
