// Answers calls about environments: shows them without secrets, changes them, and reveals single values.

import { createHmac, randomBytes } from "node:crypto"
import {
  CallsheetError,
  resolveEnvironment,
  formatMessages,
  type Api,
  type Environment,
  type EnvironmentFiles,
} from "@callsheet/format"
import {
  createEnvironment,
  deleteEnvironment,
  listApiNames,
  openProject,
  readEnvironments,
  renameEnvironment,
  seenIn,
  writeEnvironment,
  writeSettings,
  type SeenEnvironment,
} from "@callsheet/project"
import { messages } from "../messages.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import type { CellValue, ChosenEnvironment, Input } from "../calls/index.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { createSecretsMasker, type Masker } from "../secrets/secrets-masker.ts"
import { environmentsView } from "./environments-view.ts"
import { environmentChanged, refuseChange, unknownApi } from "./refuse-change.ts"
import type { SchemaChangeOptions } from "./preview-schema-change.ts"

export interface EnvironmentHandlersOptions extends SchemaChangeOptions {
  readonly noteChange: () => void
  /** Returns whether other machines can reach the server. If so, no secret is revealed. */
  readonly isRemote: () => boolean
  readonly say: (line: string) => void
}

/** Reads the files for each call, so that an answer after a write includes the change. */
export function createEnvironmentHandlers(options: EnvironmentHandlersOptions) {
  const { root, processEnvironment } = options
  const etagOf = createEtags()
  const handlers: HandlersOf<"environments" | "schemas" | "secrets"> = {
    "environments.read": async ({ api }) =>
      environmentsView({
        ...readAll(root, api, processEnvironment),
        processEnvironment,
        etagOf: (environment) => etagOf(seenOf(environment)),
      }),
    ...createChanges(options, etagOf),
    "schemas.plan": async (input) =>
      (await import("./preview-schema-change.ts")).previewSchemaChange(input, options),
    "secrets.reveal": async (input) => revealValue(input, options),
  }
  return { handlers }
}

function createChanges(
  { root, processEnvironment, write, noteChange }: EnvironmentHandlersOptions,
  etagOf: EtagOf,
): Omit<HandlersOf<"environments">, "environments.read"> {
  const read = (api: string) => readAll(root, api, processEnvironment)
  /** Finds the environment that the page has seen. Throws if it has changed since then. */
  const find = ({ api, environment: name, etag }: ChosenEnvironment) => {
    const { files, masker } = read(api)
    const environment = files.environments.get(name)
    if (environment === undefined) throw etag === null ? missing(files, name) : environmentChanged()
    const seen = seenOf(environment)
    if (etagOf(seen) !== etag) throw environmentChanged()
    return { environment, masker, chosen: { root, api, environment: name, seen } }
  }
  const change = async <T>(masker: Masker, task: Promise<T>): Promise<T> => {
    try {
      return await task
    } catch (error) {
      throw refuseChange(error, masker)
    } finally {
      // Notify pages even after a refusal: `.gitignore` may have changed, or an interrupted change may now be complete.
      noteChange()
    }
  }
  const written = async (masker: Masker, task: Promise<{ readonly now: SeenEnvironment }>) => ({
    etag: etagOf((await change(masker, task)).now),
  })
  return {
    "environments.write": async ({ set, unset, ...input }) => {
      const { environment, masker, chosen } = find(input)
      const values = Object.entries(set).map(([name, value]) => valueOf(name, value))
      const given = unset.filter((name) => environment.values.has(name) || environment.secrets.has(name))
      return written(masker, writeEnvironment({ ...chosen, values, unset: given }, write))
    },
    "environments.settings": async ({ extends: parent, level, verify, ...input }) => {
      const { masker, chosen } = find(input)
      return written(masker, writeSettings({ ...chosen, extends: parent, level, verify }, write))
    },
    "environments.create": async (input) => {
      const { masker } = read(input.api)
      return written(masker, createEnvironment({ root, ...input, verify: null }, write))
    },
    "environments.rename": async ({ to, ...input }) => {
      const { masker, chosen } = find(input)
      await change(masker, renameEnvironment({ ...chosen, to }, write))
      return { etag: etagOf(chosen.seen) }
    },
    "environments.delete": async (input) => {
      const { masker, chosen } = find(input)
      await change(masker, deleteEnvironment(chosen, write))
      return {}
    },
  }
}

function readAll(
  root: string,
  api: string,
  processEnvironment: EnvironmentHandlersOptions["processEnvironment"],
) {
  const apis = withoutOutsidePaths((): ReadonlyMap<string, Pick<Api, "environments">> => {
    const project = openProject(root)
    return new Map(
      listApiNames(project).map((name) => [name, { environments: readEnvironments(project, name) }]),
    )
  })
  const files = apis.get(api)?.environments
  if (files === undefined) throw unknownApi(api, apis.keys())
  return { files, masker: createSecretsMasker({ apis }, processEnvironment) }
}

const missing = ({ api, environments }: EnvironmentFiles, name: string): CallRefused =>
  new CallRefused(404, formatMessages["env-missing"].unknown(api, name, [...environments.keys()]))

type EtagOf = (seen: SeenEnvironment) => string

/**
 * Creates etags with a key of this process. Otherwise, they could confirm a guess of the contents of a secrets file.
 */
function createEtags(): EtagOf {
  const key = randomBytes(32)
  return ({ values, secrets }) =>
    createHmac("sha256", key)
      .update(JSON.stringify([values, secrets]))
      .digest("hex")
}

const seenOf = ({ valueFile, secretsFile }: Environment): SeenEnvironment =>
  seenIn({ values: valueFile.text, secrets: secretsFile?.text })

const valueOf = (name: string, value: CellValue) =>
  typeof value === "string" ? { name, text: value } : { name, value }

/** Returns a value from the files, and logs its name in the terminal. Never reveals process variables. */
function revealValue(
  { api, environment, variable, purpose }: Input<"secrets.reveal">,
  { root, isRemote, say }: EnvironmentHandlersOptions,
): { readonly value: string } {
  if (isRemote()) throw new CallRefused(403, messages["remote-refused"].reveal())
  const { files } = readAll(root, api, {})
  const resolved = resolveEnvironment({ files, name: environment }).environment.variables.get(variable)
  if (resolved === undefined)
    throw new CallsheetError(formatMessages["variable-undeclared"].override(api, variable, undefined))
  if (resolved.value === undefined)
    throw new CallsheetError(messages["variable-missing"].missing(variable, environment))
  say(`${purpose === "show" ? "revealed" : "copied"} ${api}/${environment} ${variable}`)
  return { value: String(resolved.value) }
}
