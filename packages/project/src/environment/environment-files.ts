// The paths of an API's environment files, and the checks before a change of such a file.

import { createHash } from "node:crypto"
import {
  CallsheetError,
  formatMessages,
  isEnvironmentName,
  isJsonObject,
  parseJson,
  parseSecretsFile,
  toProblem,
  type EnvironmentFiles,
  type Problem,
  nameKey,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { ProjectFolder } from "../read/project-folder.ts"
import { readEnvironments } from "../read/read-api.ts"
import { listApiNames, requireApi } from "../read/read-project.ts"
import type { Changed, ChangeSet, WriteOptions } from "../write/change-project.ts"
import { ChangedMeanwhile } from "../write/write-failed.ts"
import { readForEdit, type EditableFile, type WriteScope } from "../write/write-scope.ts"
import { changeIgnoringSecrets } from "./ignore-secrets.ts"

export const environmentsFolder = (api: string): string => `apis/${api}/environments`
export const valueFile = (api: string, environment: string): string =>
  `${environmentsFolder(api)}/${environment}.json`
export const secretsFile = (api: string, environment: string): string =>
  `${environmentsFolder(api)}/${environment}.secrets.env`

/** Reads all environments of an API. Throws `api-unknown`, or the reason why the directory can't be read. */
function readEnvironmentsOf(project: ProjectFolder, api: string): EnvironmentFiles {
  requireApi(api, listApiNames(project))
  const files = readEnvironments(project, api)
  const folder = environmentsFolder(api)
  throwIfAny(files.problems.filter(({ file }) => file === folder))
  return files
}

export interface EnvironmentRequest {
  readonly root: string
  readonly api: string
  readonly environment: string
  /** The state of the two files that the caller saw. If absent, the files are changed whatever they contain. */
  readonly seen?: SeenEnvironment
}

export const changeEnvironment = <T>(
  { root, api }: EnvironmentRequest,
  options: WriteOptions,
  makeChanges: (scope: WriteScope, files: EnvironmentFiles) => ChangeSet<T>,
): Promise<T & Changed> =>
  changeIgnoringSecrets(
    {
      root,
      folders: [".", environmentsFolder(api)],
      makeChanges: (scope) => makeChanges(scope, readEnvironmentsOf(scope.project, api)),
    },
    options,
  )

/** Throws if the schema has errors, because it declares which variables are secrets. */
export function requireSchema({ api, problems }: EnvironmentFiles): void {
  const schema = `${environmentsFolder(api)}/schema.json`
  throwIfAny(problems.filter(({ file, severity }) => file === schema && severity === "error"))
}

export function requireEnvironment({ api, environments }: EnvironmentFiles, name: string): void {
  if (environments.has(name)) return
  throw new CallsheetError(formatMessages["env-missing"].unknown(api, name, [...environments.keys()]))
}

/** Throws `env-name` or `env-exists` if an environment can't get this name. `except` is the environment to rename. */
export function requireFreeName(files: EnvironmentFiles, name: string, except?: string): void {
  if (!isEnvironmentName(name)) throw new CallsheetError(formatMessages["env-name"].invalid(name))
  const twin = [...files.environments.keys()].find(
    (known) => known !== except && nameKey(known) === nameKey(name),
  )
  if (twin === name) throw new CallsheetError(messages["env-exists"].exists(files.api, name))
  if (twin !== undefined) throw new CallsheetError(messages["env-name"].twin(name, twin))
}

/** Returns the errors that make a file's `extends` unreadable. Excludes wrong values of variables. */
export const problemsThatHide = (files: EnvironmentFiles, file: string): readonly Problem[] =>
  files.problems.filter(
    (problem) => problem.file === file && problem.severity === "error" && !isOfOneKey.has(problem.code),
  )

const isOfOneKey = new Set<Problem["code"]>([
  "variable-undeclared",
  "variable-type",
  "variable-reserved",
  "variable-name",
  "secret-committed",
  "extends-cycle",
  "extends-missing",
  "env-name",
])

export function throwIfAny(problems: readonly Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new CallsheetError(first, { problems })
}

export interface SeenEnvironment {
  readonly values: string | null
  readonly secrets: string | null
}

export type EnvironmentFilesForEdit = ReturnType<typeof readBothForEdit>

export const readBothForEdit = (scope: WriteScope, api: string, environment: string) => ({
  values: readForEdit(scope, valueFile(api, environment)),
  secrets: readForEdit(scope, secretsFile(api, environment)),
})

/** Returns a hash of the text without its byte order mark, or null if the file doesn't exist. */
export const fingerprint = (text: string | undefined): string | null =>
  text === undefined ? null : createHash("sha256").update(text).digest("hex")

/**
 * Returns the fingerprints of two files. A text may start with a byte order mark. Undefined stands for a missing file.
 */
export const seenIn = (texts: Record<keyof SeenEnvironment, string | undefined>): SeenEnvironment => ({
  values: fingerprintOf(texts.values),
  secrets: fingerprintOf(texts.secrets),
})

const fingerprintOf = (text: string | undefined): string | null =>
  fingerprint(text === undefined ? undefined : withoutMark(text))

export const withoutMark = (text: string): string => text.replace(/^\ufeff/, "")

export function requireSeen(
  seen: SeenEnvironment | undefined,
  { values, secrets }: EnvironmentFilesForEdit,
): void {
  if (seen === undefined) return
  const now = seenIn({ values: values.text, secrets: secrets.text })
  const changed = [
    ...(now.values === seen.values ? [] : [values.file]),
    ...(now.secrets === seen.secrets ? [] : [secrets.file]),
  ]
  throwIfAny(changed.map(changedFile))
}

/** Throws the problems of files that don't parse. callsheet never overwrites such a file. */
export function requireParsed(
  { problems }: EnvironmentFiles,
  values: Omit<EditableFile, "bytes">,
  secrets: Omit<EditableFile, "bytes"> | undefined,
): void {
  const parsed = parseJson(withoutMark(values.text ?? "{}"))
  const { findings } = parseSecretsFile(withoutMark(secrets?.text ?? ""))
  const broken = [
    ...(parsed.ok && isJsonObject(parsed.value) ? [] : [values.file]),
    ...(findings.every(({ severity }) => severity === "warning") ? [] : [secrets?.file ?? ""]),
  ]
  const [first] = broken
  if (first === undefined) return
  throwIfAny(problems.filter(({ file = "", severity }) => severity === "error" && broken.includes(file)))
  // The file parsed when the directory was read but doesn't now, so it has changed.
  throw new ChangedMeanwhile(first)
}

export const changedFile = (file: string): Problem => toProblem(messages["file-changed"].changed(), file)
