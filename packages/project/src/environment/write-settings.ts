// The settings of an environment: its parent, its level, and the verification of certificates. Also creates environments.

import {
  anyValueFileShape,
  isJsonObject,
  ownOf,
  parseJson,
  type JsonPointer,
  type JsonValue,
  type Level,
} from "@callsheet/format"
import type { Changed, PlannedChange, WriteOptions } from "../write/change-project.ts"
import { replaceStep } from "../write/ready-step.ts"
import { ChangedMeanwhile } from "../write/write-failed.ts"
import { ensureFolder } from "../write/write-scope.ts"
import {
  changeEnvironment,
  environmentsFolder,
  readBothForEdit,
  requireEnvironment,
  requireFreeName,
  requireParsed,
  requireSeen,
  seenIn,
  throwIfAny,
  withoutMark,
  type EnvironmentFilesForEdit,
  type EnvironmentRequest,
  type SeenEnvironment,
} from "./environment-files.ts"
import { JsonText } from "./edited-text.ts"
import { checkParent } from "./write-environment.ts"

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

/** Changes settings. Throws `env-missing`, `extends-missing`, `extends-cycle`, problems of unparsable files, `file-changed`. */
export const writeSettings = (
  request: SettingsRequest,
  options: WriteOptions = {},
): Promise<WrittenSettings> =>
  changeEnvironment(request, options, (scope, files) => {
    requireEnvironment(files, request.environment)
    throwIfAny(checkParent(files, request.environment, request.extends))
    const both = readBothForEdit(scope, request.api, request.environment)
    requireParsed(files, both.values, both.secrets)
    const planned = planSettings(both, request)
    if (planned.change.steps.length > 0) requireSeen(request.seen, both)
    return planned
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
    return planSettings(readBothForEdit(scope, request.api, request.environment), request)
  })

function planSettings(
  { values, secrets }: EnvironmentFilesForEdit,
  { api, environment, ...settings }: SettingsRequest,
): PlannedChange<Pick<WrittenSettings, "now">> {
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
  const tls = isJsonObject(own.value) ? ownOf(own.value, "tls") : undefined
  // Removes an empty `tls`, which would hide the parent's, because `tls` is inherited as a whole.
  if (verify === null) {
    if (isJsonObject(tls) && Object.hasOwn(tls, "verify"))
      put(Object.keys(tls).length === 1 ? ["tls"] : ["tls", "verify"], null)
  } else if (tls === undefined || isJsonObject(tls)) put(["tls", "verify"], verify)
  else put(["tls"], { verify })
  return edited.text
}
