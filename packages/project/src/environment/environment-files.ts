// Where an API's environment files stand, and what must hold before one of them is changed.

import { createHash } from "node:crypto"
import {
  hints,
  CallsheetError,
  isEnvironmentName,
  type EnvironmentFiles,
  type Problem,
} from "@callsheet/format"
import type { ProjectFolder } from "../read/project-folder.ts"
import { readEnvironments } from "../read/read-api.ts"
import { listApiNames, nameHint, unknownName } from "../read/read-project.ts"
import type { Changed, PlannedChange, WriteOptions } from "../write/change-project.ts"
import { readForEdit, type WriteScope } from "../write/write-scope.ts"
import { changeIgnoringSecrets } from "./ignore-secrets.ts"

export const environmentsFolder = (api: string): string => `apis/${api}/environments`
export const valueFile = (api: string, environment: string): string =>
  `${environmentsFolder(api)}/${environment}.json`
export const secretsFile = (api: string, environment: string): string =>
  `${environmentsFolder(api)}/${environment}.secrets.env`

/** Reads the environments of an API by name. Throws `api-unknown`, or why the folder cannot be read. */
function readEnvironmentsOf(project: ProjectFolder, api: string): EnvironmentFiles {
  const known = listApiNames(project)
  if (!known.includes(api)) throw unknownName("API", api, known)
  const files = readEnvironments(project, api)
  const folder = environmentsFolder(api)
  throwIfAny(files.problems.filter(({ file }) => file === folder))
  return files
}

export interface EnvironmentRequest {
  readonly root: string
  readonly api: string
  readonly environment: string
  /** What the caller has seen of the two files. Without it they are changed whatever they say now. */
  readonly seen?: SeenEnvironment
}

export const changeEnvironment = <T>(
  { root, api }: EnvironmentRequest,
  options: WriteOptions,
  plan: (scope: WriteScope, files: EnvironmentFiles) => PlannedChange<T>,
): Promise<T & Changed> =>
  changeIgnoringSecrets(
    {
      root,
      folders: [".", environmentsFolder(api)],
      plan: (scope) => plan(scope, readEnvironmentsOf(scope.project, api)),
    },
    options,
  )

/** Throws where the schema has errors: it says what is secret. */
export function requireSchema({ api, problems }: EnvironmentFiles): void {
  const schema = `${environmentsFolder(api)}/schema.json`
  throwIfAny(problems.filter(({ file, severity }) => file === schema && severity === "error"))
}

export function requireEnvironment({ api, environments }: EnvironmentFiles, name: string): void {
  if (environments.has(name)) return
  const known = [...environments.keys()]
  throw new CallsheetError(
    "env-missing",
    `the API ${JSON.stringify(api)} has no environment ${JSON.stringify(name)}`,
    { hint: nameHint("it has", name, known) },
  )
}

/** Throws `env-name` where no new environment may have that name. `except` is one that goes away. */
export function requireFreeName(files: EnvironmentFiles, name: string, except?: string): void {
  if (!isEnvironmentName(name)) {
    throw new CallsheetError("env-name", `${JSON.stringify(name)} cannot be the name of an environment`, {
      hint: hints.environmentName,
    })
  }
  const twin = [...files.environments.keys()].find(
    (known) => known !== except && known.toLowerCase() === name.toLowerCase(),
  )
  if (twin === name) {
    throw new CallsheetError(
      "env-exists",
      `the API ${JSON.stringify(files.api)} already has an environment ${JSON.stringify(name)}`,
    )
  }
  if (twin !== undefined) {
    throw new CallsheetError(
      "env-name",
      `the environments ${JSON.stringify(twin)} and ${JSON.stringify(name)} would differ in upper and lower case alone`,
      { hint: `did you mean ${JSON.stringify(twin)}?` },
    )
  }
}

/** The errors because of which a file does not tell what it extends; a wrong value of a variable is none. */
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
  throw new CallsheetError(first.code, first.message, { hint: first.hint, problems })
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

/** Tells apart two states of a file by its text without byte order mark; null, that of no file, for undefined. */
export const fingerprint = (text: string | undefined): string | null =>
  text === undefined ? null : createHash("sha256").update(text).digest("hex")

/** What is seen of two texts, of which each may hold a byte order mark; undefined where there is no file. */
export const seenIn = (texts: Record<keyof SeenEnvironment, string | undefined>): SeenEnvironment => ({
  values: print(texts.values),
  secrets: print(texts.secrets),
})

const print = (text: string | undefined): string | null => fingerprint(text?.replace(/^\ufeff/, ""))

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

export const changedFile = (file: string): Problem => ({
  code: "file-changed",
  severity: "error",
  file,
  message: "another program has changed the file since it was read; nothing was written",
})
