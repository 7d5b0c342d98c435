// The settings of an environment: its parent, its level, and whether certificates are verified. Makes a new one, too.

import {
  deleteJsonKey,
  isJsonObject,
  parseJson,
  anyValueFileShape,
  setJsonKey,
  type EditedJson,
  type JsonValue,
  type KeyPath,
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
  requireSeen,
  seenIn,
  throwIfAny,
  type EnvironmentFilesForEdit,
  type EnvironmentRequest,
  type SeenEnvironment,
} from "./environment-files.ts"
import { checkParent, requireParsed } from "./write-environment.ts"

/** What a value file is to say; null: nothing, and so it is inherited. */
export interface Settings {
  readonly extends: string | null
  readonly level: Level | null
  readonly verify: boolean | null
}

type SettingsRequest = EnvironmentRequest & Settings

interface WrittenSettings extends Changed {
  readonly now: SeenEnvironment
}

/** Throws `env-missing`, `extends-missing`, `extends-cycle`, problems of files that don't parse, and `file-changed`. */
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

/** Throws `env-exists`, `env-name` and `extends-missing`. */
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
  if (!edited.ok) throw new ChangedMeanwhile(values.file)
  return {
    change: {
      title: `write the settings of the environment "${environment}" of the API "${api}"`,
      steps: edited.text === values.text ? [] : [replaceStep(values, edited.text)],
    },
    result: { now: seenIn({ values: edited.text, secrets: secrets.text }) },
  }
}

export function editSettings(text: string, { extends: parent, level, verify }: Settings): EditedJson {
  const own = parseJson(text.replace(/^\ufeff/, ""))
  const tls =
    own.ok && isJsonObject(own.value) && Object.hasOwn(own.value, "tls") ? own.value["tls"] : undefined
  const edits: readonly ((text: string) => EditedJson)[] = [
    (from) => put(from, ["extends"], parent),
    (from) => put(from, ["level"], level),
    (from) => putVerify(from, tls, verify),
  ]
  return edits.reduce<EditedJson>((edited, edit) => (edited.ok ? edit(edited.text) : edited), {
    ok: true,
    text,
  })
}

const put = (text: string, path: KeyPath, value: JsonValue): EditedJson =>
  value === null ? deleteJsonKey(text, path) : setJsonKey(text, path, value, anyValueFileShape)

/** `tls` is inherited whole: one that says nothing any more would hide that of the parent. */
function putVerify(text: string, tls: JsonValue | undefined, verify: boolean | null): EditedJson {
  const isObject = tls !== undefined && isJsonObject(tls)
  if (verify !== null)
    return isObject || tls === undefined
      ? setJsonKey(text, ["tls", "verify"], verify, anyValueFileShape)
      : setJsonKey(text, ["tls"], { verify }, anyValueFileShape)
  if (!isObject || !Object.hasOwn(tls, "verify")) return { ok: true, text }
  return deleteJsonKey(text, Object.keys(tls).length === 1 ? ["tls"] : ["tls", "verify"])
}
