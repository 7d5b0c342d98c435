// Writes one environment or nothing: values for `env write`, and settings (parent, level, TLS verification). Creates a
// missing environment.

import { platform } from "node:os"
import {
  extendsChain,
  formatMessages,
  isEnvironmentName,
  suggest,
  toProblem,
  anyValueFileShape,
  isJsonObject,
  parseJson,
  type EnvironmentFiles,
  type Problem,
  type JsonPointer,
  type JsonValue,
  type Level,
  member,
} from "@callsheet/format"
import type { Changed, WriteOptions, ChangeSet } from "../write/change-project.ts"
import { replaceStep } from "../write/ready-step.ts"
import { ensureFolder, locateFile, type EditableFile, type WriteScope } from "../write/write-scope.ts"
import {
  checkAssignments,
  checkNames,
  editEnvironmentTexts,
  type EditedName,
  type VariableText,
  type VariableValue,
} from "./edit-environment-files.ts"
import {
  changeEnvironment,
  environmentsFolder,
  problemsThatHide,
  readBothForEdit,
  requireFreeName,
  requireParsed,
  requireSchema,
  requireSeen,
  seenIn,
  throwIfAny,
  requireEnvironment,
  withoutMark,
  type EnvironmentRequest,
  type SeenEnvironment,
  type EnvironmentFilesForEdit,
} from "./environment-files.ts"
import { ChangedMeanwhile } from "../write/write-failed.ts"
import { JsonText } from "./edited-text.ts"

export interface WriteEnvironmentRequest extends EnvironmentRequest {
  readonly values?: readonly (VariableText | VariableValue)[]
  /** The names to remove from the environment's own files, declared or not. */
  readonly unset?: readonly string[]
  /** The parent's name, `null` to remove the parent, or absent to keep it. */
  readonly extends?: string | null | undefined
}

export interface WrittenEnvironment extends Changed {
  readonly api: string
  readonly environment: string
  readonly isNew: boolean
  /** One edit per name, in the order of the call. Never contains a secret's value. */
  readonly edits: readonly (Omit<EditedName, "in"> & { readonly file: string })[]
  readonly now: SeenEnvironment
}

/**
 * Writes an environment, or throws all problems at once: `variable-undeclared`, `variable-type`, `variable-reserved`,
 * `secret-unquotable`, `env-name`, `extends-missing`, `extends-cycle`, `usage`, `file-changed`, and syntax errors in
 * the files.
 */
export const writeEnvironment = (
  request: WriteEnvironmentRequest,
  options: WriteOptions = {},
): Promise<WrittenEnvironment> =>
  changeEnvironment(request, options, (scope, files) => makeWriteChanges(scope, files, request))

function makeWriteChanges(scope: WriteScope, files: EnvironmentFiles, request: WriteEnvironmentRequest) {
  const { api, environment, values = [], unset = [] } = request
  const isNew = !files.environments.has(environment)
  if (isNew) requireFreeName(files, environment)
  requireSchema(files)
  const { assignments, problems } = checkAssignments(files, values)
  throwIfAny([...checkNames(values, unset), ...problems, ...checkParent(files, environment, request.extends)])
  ensureFolder(scope, environmentsFolder(api))
  const both = readBothForEdit(scope, api, environment)
  const { values: ofValues, secrets: ofSecrets } = both
  requireParsed(files, ofValues, ofSecrets)
  const before = { values: ofValues.text ?? "{}\n", secrets: ofSecrets.text ?? "" }
  const after = editEnvironmentTexts(before, { assignments, unset, extends: request.extends })
  const isSecret = after.edits.some(({ in: place }) => place === "secrets")
  const steps = [
    ...(after.secrets === before.secrets && !(isSecret && isOpenToOthers(scope, ofSecrets))
      ? []
      : [replaceStep(ofSecrets, after.secrets, true)]),
    // Create a missing value file even without values.
    ...(after.values === ofValues.text ? [] : [replaceStep(ofValues, after.values)]),
  ]
  if (steps.length > 0) requireSeen(request.seen, both)
  const edits = after.edits.map(({ in: place, ...edit }) => ({
    ...edit,
    file: place === "values" ? ofValues.file : ofSecrets.file,
  }))
  const title = `write the environment "${environment}" of the API "${api}"`
  const hasNoSecrets = ofSecrets.text === undefined && after.secrets === ""
  const now = seenIn({ values: after.values, secrets: hasNoSecrets ? undefined : after.secrets })
  return { change: { title, steps }, result: { api, environment, isNew, edits, now } }
}

/** Returns whether other users can read the secrets file. If so, the file is rewritten to make it private. */
function isOpenToOthers(scope: WriteScope, { file, text }: EditableFile): boolean {
  if (text === undefined || platform() === "win32") return false
  return ((locateFile(scope, file).stats?.mode ?? 0) & 0o077) !== 0
}

function checkParent(
  files: EnvironmentFiles,
  environment: string,
  parent: string | null | undefined,
): readonly Problem[] {
  if (parent === undefined || parent === null) return []
  if (!isEnvironmentName(parent)) return [toProblem(formatMessages["env-name"].parent(parent))]
  if (parent === environment) return [toProblem(formatMessages["extends-cycle"].self(environment))]
  const known = [...files.environments.keys()]
  if (!files.environments.has(parent))
    return [toProblem(formatMessages["extends-missing"].unknown(parent, suggest(parent, known)))]
  const chain = extendsChain(files.environments, parent)
  const end = chain.findIndex(({ name }) => name === environment)
  if (end !== -1) {
    const names = [environment, ...chain.slice(0, end + 1).map(({ name }) => name)]
    return [toProblem(formatMessages["extends-cycle"].cycle(names))]
  }
  // A parent that can't be read might extend this environment, which would be a cycle. So report its problems.
  return chain.flatMap(({ valueFile }) => problemsThatHide(files, valueFile.file))
}

/** The settings of a value file. Null removes a setting, so that the environment inherits it. */
export interface Settings {
  readonly extends: string | null
  readonly level: Level | null
  readonly verify: boolean | null
}

type SettingsRequest = EnvironmentRequest & Settings

interface WrittenSettings extends Changed {
  readonly now: SeenEnvironment
}

/**
 * Changes settings. Throws `env-missing`, `extends-missing`, `extends-cycle`, `file-changed`, and syntax errors in the
 * files.
 */
export const writeSettings = (
  request: SettingsRequest,
  options: WriteOptions = {},
): Promise<WrittenSettings> =>
  changeEnvironment(request, options, (scope, files) => {
    requireEnvironment(files, request.environment)
    throwIfAny(checkParent(files, request.environment, request.extends))
    const both = readBothForEdit(scope, request.api, request.environment)
    requireParsed(files, both.values, both.secrets)
    const changeSet = makeSettingsChanges(both, request)
    if (changeSet.change.steps.length > 0) requireSeen(request.seen, both)
    return changeSet
  })

/** Creates an environment. Throws `env-exists`, `env-name` and `extends-missing`. */
export const createEnvironment = (
  request: SettingsRequest,
  options: WriteOptions = {},
): Promise<WrittenSettings> =>
  changeEnvironment(request, options, (scope, files) => {
    requireFreeName(files, request.environment)
    throwIfAny(checkParent(files, request.environment, request.extends))
    ensureFolder(scope, environmentsFolder(request.api))
    return makeSettingsChanges(readBothForEdit(scope, request.api, request.environment), request)
  })

function makeSettingsChanges(
  { values, secrets }: EnvironmentFilesForEdit,
  { api, environment, ...settings }: SettingsRequest,
): ChangeSet<Pick<WrittenSettings, "now">> {
  const edited = editSettings(values.text ?? "{}\n", settings)
  if (edited === undefined) throw new ChangedMeanwhile(values.file)
  return {
    change: {
      title: `write the settings of the environment "${environment}" of the API "${api}"`,
      steps: edited === values.text ? [] : [replaceStep(values, edited)],
    },
    result: { now: seenIn({ values: edited, secrets: secrets.text }) },
  }
}

/** Returns the text with these settings, or undefined if the text doesn't parse. */
export function editSettings(text: string, { extends: parent, level, verify }: Settings): string | undefined {
  const own = parseJson(withoutMark(text))
  if (!own.ok) return undefined
  const edited = new JsonText(text)
  const put = (path: JsonPointer, value: JsonValue): void =>
    edited.set(path, value ?? undefined, anyValueFileShape)
  put(["extends"], parent)
  put(["level"], level)
  const tls = member(own.value, "tls")
  // An empty `tls` would hide the parent's, because `tls` is inherited as a whole.
  if (verify === null) {
    if (isJsonObject(tls) && Object.hasOwn(tls, "verify"))
      put(Object.keys(tls).length === 1 ? ["tls"] : ["tls", "verify"], null)
  } else if (tls === undefined || isJsonObject(tls)) put(["tls", "verify"], verify)
  else put(["tls"], { verify })
  return edited.text
}
