// `env write`: sets and unsets values of one environment, all or nothing; makes the environment where there is none.

import {
  extendsChain,
  isEnvironmentName,
  isJsonObject,
  parseJson,
  parseSecretsFile,
  suggest,
  type EnvironmentFiles,
  type Problem,
} from "@callsheet/format"
import type { ChangeStep } from "../write/ready-step.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import { ChangedMeanwhile } from "../write/changed-meanwhile.ts"
import { ensureFolder, type WriteScope } from "../write/write-scope.ts"
import { checkAssignments, checkNames, type VariableText, type VariableValue } from "./check-request.ts"
import { editEnvironmentTexts, type EditedName } from "./edit-environment-files.ts"
import {
  environmentsFolder,
  problemsThatHide,
  readEnvironmentsOf,
  requireFreeName,
  throwIfAny,
} from "./environment-files.ts"
import { GITIGNORE_FILE, ignoreSecrets, withoutIgnoring } from "./ignore-secrets.ts"
import type { EditableFile } from "./read-for-edit.ts"
import { readBothForEdit, requireSeen, seenIn, type SeenEnvironment } from "./seen-environment.ts"

export interface WriteEnvironmentRequest {
  readonly root: string
  readonly api: string
  readonly environment: string
  readonly values?: readonly (VariableText | VariableValue)[]
  /** Names to remove from the environment's own files, declared or not. */
  readonly unset?: readonly string[]
  /** The parent's name; `null` for none; left out, it stays as it is. */
  readonly extends?: string | null | undefined
  /** What the caller has seen of the two files. Left out, the values are written whatever the files say now. */
  readonly seen?: SeenEnvironment
}

export interface WrittenEnvironment extends Changed {
  readonly api: string
  readonly environment: string
  /** Whether there was no such environment before. */
  readonly isNew: boolean
  /** What became of each name, in the order of the call. A secret's value is never told. */
  readonly edits: readonly (Omit<EditedName, "in"> & { readonly file: string })[]
  /** Its two files as they are now. */
  readonly now: SeenEnvironment
}

/**
 * Writes values into the value file, those of secrets into the secrets file, after `.gitignore` ignores it. Throws with all
 * problems and with nothing written: `variable-undeclared`, `variable-type`, `variable-reserved`, `secret-unquotable`,
 * `env-name`, `extends-missing`, `extends-cycle`, `usage`; where a file that it must read does not parse, what is wrong
 * with that file; and `file-changed` where a file is no longer what the caller has seen, unless it says already what is to
 * be written.
 */
export async function writeEnvironment(
  request: WriteEnvironmentRequest,
  options: WriteOptions = {},
): Promise<WrittenEnvironment> {
  const { root, api } = request
  let hasIgnored = false
  const written = await changeProject(
    {
      root,
      folders: [".", environmentsFolder(api)],
      plan: (scope) => {
        const planned = planWrite(scope, request)
        // Before the change, not in it: that git ignores secrets files does no harm where the rest fails.
        if (planned.change.steps.some((step) => step.do === "replace" && step.isSecret)) {
          hasIgnored = ignoreSecrets(scope) || hasIgnored
        }
        return planned
      },
    },
    options,
  ).catch((error: unknown) => {
    throw hasIgnored ? withoutIgnoring(error) : error
  })
  return { ...written, files: hasIgnored ? [GITIGNORE_FILE, ...written.files] : written.files }
}

function planWrite(scope: WriteScope, request: WriteEnvironmentRequest) {
  const { api, environment, values = [], unset = [] } = request
  const files = readEnvironmentsOf(scope.project, api)
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
  const steps = [
    ...replaceStep(ofSecrets, { text: after.secrets, from: before.secrets, isSecret: true }),
    ...replaceStep(ofValues, { text: after.values, from: ofValues.text, isSecret: false }),
  ]
  if (steps.length > 0) requireSeen(request.seen, both)
  const edits = after.edits.map(({ in: place, ...edit }) => ({
    ...edit,
    file: place === "values" ? ofValues.file : ofSecrets.file,
  }))
  const title = `write the environment "${environment}" of the API "${api}"`
  const isSecretless = ofSecrets.text === undefined && after.secrets === ""
  const now = seenIn({ values: after.values, secrets: isSecretless ? undefined : after.secrets })
  return { change: { title, steps }, result: { api, environment, isNew, edits, now } }
}

interface NewText {
  readonly text: string
  /** What the file holds; undefined where there is none, and one is to be made even if it says nothing. */
  readonly from: string | undefined
  readonly isSecret: boolean
}

function replaceStep(
  { file, bytes }: EditableFile,
  { text, from, isSecret }: NewText,
): readonly ChangeStep[] {
  if (text === from) return []
  return [{ do: "replace", file, bytes: new TextEncoder().encode(text), before: bytes, isSecret }]
}

/** Throws where the schema has errors: it says what is secret. */
function requireSchema({ api, problems }: EnvironmentFiles): void {
  const schema = `${environmentsFolder(api)}/schema.json`
  throwIfAny(problems.filter(({ file, severity }) => file === schema && severity === "error"))
}

/** Throws what is wrong where one of the two files does not parse: it is never written over. */
export function requireParsed(files: EnvironmentFiles, values: EditableFile, secrets: EditableFile): void {
  const parsed = values.text === undefined ? undefined : parseJson(withoutMark(values.text))
  const isValuesBroken = parsed !== undefined && !(parsed.ok && isJsonObject(parsed.value))
  const isSecretsBroken = parseSecretsFile(withoutMark(secrets.text ?? "")).findings.some(
    ({ severity }) => severity !== "warning",
  )
  const broken = [...(isValuesBroken ? [values.file] : []), ...(isSecretsBroken ? [secrets.file] : [])]
  const [first] = broken
  if (first === undefined) return
  throwIfAny(
    files.problems.filter(({ file, severity }) => severity === "error" && broken.includes(file ?? "")),
  )
  // It was whole when the folder was read, and is broken now.
  throw new ChangedMeanwhile(first)
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, "")

/** What is wrong with a parent that an environment is to extend. */
export function checkParent(
  files: EnvironmentFiles,
  environment: string,
  parent: string | null | undefined,
): readonly Problem[] {
  if (parent === undefined || parent === null) return []
  if (!isEnvironmentName(parent)) {
    return [problem("env-name", `${JSON.stringify(parent)} is no environment's name`)]
  }
  if (parent === environment) {
    return [problem("extends-cycle", `the environment "${environment}" cannot extend itself`)]
  }
  const known = [...files.environments.keys()]
  if (!files.environments.has(parent)) {
    const message = `there is no environment ${JSON.stringify(parent)} to extend`
    return [problem("extends-missing", message, suggest(parent, known))]
  }
  const chain = extendsChain(files.environments, parent)
  const circle = chain.findIndex(({ name }) => name === environment)
  if (circle !== -1) {
    const names = [environment, ...chain.slice(0, circle + 1).map(({ name }) => name)]
    return [
      problem("extends-cycle", `environments would extend each other in a circle: ${names.join(" → ")}`),
    ]
  }
  // Of a parent that cannot be read nobody knows whom it extends.
  return chain.flatMap(({ valueFile }) => problemsThatHide(files, valueFile.file))
}

const problem = (code: Problem["code"], message: string, hint?: string): Problem => ({
  code,
  severity: "error",
  message,
  ...(hint === undefined ? {} : { hint }),
})
