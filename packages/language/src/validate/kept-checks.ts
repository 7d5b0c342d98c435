// Keeps what the checks of workflows found, for programs that check a project after each change, such as editors.

import type { Api, EnvironmentFiles, Finding, Problem, WorkflowFile } from "@callsheet/format"
import type { ApiSource } from "../requests/target.ts"
import { checkWorkflowFile, type WorkflowCheck } from "./check-workflow-file.ts"

interface Kept {
  readonly file: WorkflowFile
  readonly problems: readonly Problem[]
  /** The files that the check asked about. */
  readonly asked: ReadonlyMap<string, Finding | undefined>
}

/** Everything that a check reads besides its own workflow, and files on disk. */
type Around = Pick<WorkflowCheck, "apis" | "apiNames" | "reported">

/** Returns a check like `checkWorkflowFile`, which checks a workflow again only if something that it read has changed. */
export function createKeptChecks(): (check: WorkflowCheck) => void {
  let around: Around | undefined
  let kept = new Map<string, Kept>()
  return (check) => {
    const { file, checkFile, add } = check
    if (around === undefined || !isSameAround(around, check)) kept = new Map()
    around = check
    const known = kept.get(file.file)
    if (
      known?.file === file &&
      [...known.asked].every(([path, finding]) => isSame(checkFile(path), finding))
    ) {
      known.problems.forEach(add)
      return
    }
    const problems: Problem[] = []
    const asked = new Map<string, Finding | undefined>()
    checkWorkflowFile({
      ...check,
      checkFile: (path) => {
        const finding = checkFile(path)
        asked.set(path, finding)
        return finding
      },
      add: (problem) => void problems.push(problem),
    })
    kept.set(file.file, { file, problems, asked })
    problems.forEach(add)
  }
}

const isSame = (one: Finding | undefined, other: Finding | undefined): boolean =>
  one?.code === other?.code && one?.message === other?.message && one?.hint === other?.hint

function isSameAround(one: Around, other: Around): boolean {
  if (one.apis === other.apis && one.reported === other.reported && one.apiNames === other.apiNames)
    return true
  return (
    one.apiNames.join("\0") === other.apiNames.join("\0") &&
    filesIn(one.reported) === filesIn(other.reported) &&
    haveSame(one.apis, other.apis, isSameSource)
  )
}

const filesIn = (files: Around["reported"]): string =>
  [...files]
    .map(({ file }) => file)
    .sort()
    .join("\0")

const isSameSource = (one: ApiSource, other: ApiSource): boolean =>
  one.document === other.document && isSameApi(one.api, other.api)

function isSameApi(one: Api, other: Api): boolean {
  if (one === other) return true
  return (
    one.documentFile === other.documentFile &&
    one.misnamedDocument === other.misnamedDocument &&
    one.document?.file === other.document?.file &&
    haveSameProblems(one, other) &&
    haveSame(one.instances, other.instances, (a, b) => a.text === b.text && haveSameProblems(a, b)) &&
    haveSameEnvironments(one.environments, other.environments)
  )
}

const haveSameEnvironments = (one: EnvironmentFiles, other: EnvironmentFiles): boolean =>
  one === other ||
  (one.schemaFile?.text === other.schemaFile?.text &&
    haveSameProblems(one, other) &&
    haveSame(
      one.environments,
      other.environments,
      (a, b) => a.valueFile.text === b.valueFile.text && a.secretsFile?.text === b.secretsFile?.text,
    ))

interface WithProblems {
  readonly problems: readonly Problem[]
}

const haveSameProblems = (one: WithProblems, other: WithProblems): boolean =>
  one.problems === other.problems || JSON.stringify(one.problems) === JSON.stringify(other.problems)

const haveSame = <T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  isAlike: (one: T, other: T) => boolean,
): boolean =>
  one.size === other.size &&
  [...one].every(([key, value]) => {
    const match = other.get(key)
    return match !== undefined && isAlike(value, match)
  })
