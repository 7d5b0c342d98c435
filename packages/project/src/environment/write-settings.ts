// The settings of an environment: its parent, its level, and whether certificates are verified. Makes a new one, too.

import {
  deleteJsonKey,
  isJsonObject,
  parseJson,
  anyValueFileShape,
  setJsonKey,
  type EditedJson,
  type EnvironmentFiles,
  type JsonValue,
  type KeyPath,
  type Level,
} from "@callsheet/format"
import { ChangedMeanwhile } from "../write/changed-meanwhile.ts"
import {
  changeProject,
  type Changed,
  type PlannedChange,
  type WriteOptions,
} from "../write/change-project.ts"
import { ensureFolder, type WriteScope } from "../write/write-scope.ts"
import {
  environmentsFolder,
  readEnvironmentsOf,
  requireEnvironment,
  requireFreeName,
  throwIfAny,
} from "./environment-files.ts"
import {
  readBothForEdit,
  requireSeen,
  seenIn,
  type EnvironmentFilesForEdit,
  type SeenEnvironment,
} from "./seen-environment.ts"
import { checkParent, requireParsed } from "./write-environment.ts"

/** What a value file is to say; null: nothing, and so it is inherited. */
export interface Settings {
  readonly extends: string | null
  readonly level: Level | null
  /** Of `tls`, whose other keys stay. */
  readonly verify: boolean | null
}

interface ChosenEnvironment {
  readonly root: string
  readonly api: string
  readonly environment: string
}

interface WriteSettingsRequest extends ChosenEnvironment, Settings {
  /** What the caller has seen of the two files. Left out, the settings are written whatever the files say now. */
  readonly seen?: SeenEnvironment
}

type CreateEnvironmentRequest = ChosenEnvironment & Settings

interface WrittenSettings extends Changed {
  readonly api: string
  readonly environment: string
  /** Its two files as they are now. */
  readonly now: SeenEnvironment
}

/**
 * Writes the settings of an environment that is there. Throws `env-missing`, `extends-missing`, `extends-cycle`, what is wrong
 * with a file of it that does not parse, and `file-changed` where a file is no longer what the caller has seen.
 */
export async function writeSettings(
  request: WriteSettingsRequest,
  options: WriteOptions = {},
): Promise<WrittenSettings> {
  const { root, api, environment, seen } = request
  const plan = (scope: WriteScope) => {
    const files = readEnvironmentsOf(scope.project, api)
    requireEnvironment(files, environment)
    throwIfAny(checkParent(files, environment, request.extends))
    const both = readBothForEdit(scope, api, environment)
    requireParsed(files, both.values, both.secrets)
    const planned = planSettings(files, both, request)
    if (planned.change.steps.length > 0) requireSeen(seen, both)
    return planned
  }
  return changeProject({ root, folders: [".", environmentsFolder(api)], plan }, options)
}

/** Makes an environment of that name. Throws `env-exists`, `env-name`, `extends-missing`. */
export async function createEnvironment(
  request: CreateEnvironmentRequest,
  options: WriteOptions = {},
): Promise<WrittenSettings> {
  const { root, api, environment } = request
  const plan = (scope: WriteScope) => {
    const files = readEnvironmentsOf(scope.project, api)
    requireFreeName(files, environment)
    throwIfAny(checkParent(files, environment, request.extends))
    ensureFolder(scope, environmentsFolder(api))
    return planSettings(files, readBothForEdit(scope, api, environment), request)
  }
  return changeProject({ root, folders: [".", environmentsFolder(api)], plan }, options)
}

type Result = Omit<WrittenSettings, keyof Changed>

function planSettings(
  { api }: EnvironmentFiles,
  { values, secrets }: EnvironmentFilesForEdit,
  { environment, ...settings }: CreateEnvironmentRequest,
): PlannedChange<Result> {
  const { file, bytes: before, text } = values
  const edited = editSettings(text ?? "{}\n", settings)
  if (!edited.ok) throw new ChangedMeanwhile(file)
  const bytes = new TextEncoder().encode(edited.text)
  const isSame = edited.text === text
  return {
    change: {
      title: `write the settings of the environment "${environment}" of the API "${api}"`,
      steps: isSame ? [] : [{ do: "replace", file, bytes, before, isSecret: false }],
    },
    result: { api, environment, now: seenIn({ values: edited.text, secrets: secrets.text }) },
  }
}

/** The text of a value file with these settings; every other byte of it stays. */
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
