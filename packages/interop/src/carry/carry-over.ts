// Turns a collection into the files of a project, in three passes: its names and variables (`read-names.ts`), its requests
// (`carry-request.ts`) and its workflows (`workflows.ts`), which lead to the files.

import {
  getOrCreate,
  setOwn,
  setSecret,
  type JsonValue,
  type PlannedFile,
  type Scalar,
} from "@callsheet/format"
import { serverUrl } from "@callsheet/openapi"
import type { ReportedLoss } from "../losses.ts"
import { reasons } from "../messages.ts"
import type { Loss } from "../model.ts"
import { plainText } from "../text.ts"
import type { CarriedRequest, SharedAuth } from "./carry-request.ts"
import {
  apiNameFor,
  jsonFile,
  readNames,
  unusedNames,
  type CarriedApi,
  type CarryRequest,
  type Names,
} from "./read-names.ts"
import { ScriptFiles } from "./script-files.ts"
import type { SecretCause } from "./secret-values.ts"
import type { SecretValue } from "./secrets.ts"
import { isUntranslated } from "./scripts.ts"
import { suitesFile } from "./suites.ts"
import { BASE_URL } from "./variables.ts"
import { buildWorkflows, sizesToSplit, type BuiltWorkflow } from "./workflows.ts"

interface ListedSecret {
  /** `api.name` */
  readonly variable: string
  readonly cause: SecretCause
}

export interface CarriedOver {
  readonly api: string
  readonly files: readonly PlannedFile[]
  /** The names of the workflows, in the order of the source. */
  readonly workflows: readonly string[]
  /** The suites that run the parts of large workflows, with their workflows. */
  readonly suites: ReadonlyMap<string, readonly string[]>
  readonly requests: number
  readonly operations: number
  readonly saved: number
  /** The number of environments of each API. */
  readonly environments: number
  readonly losses: readonly ReportedLoss[]
  /** The files of the scripts that have to be translated. */
  readonly untranslated: readonly string[]
  /** The variables that requests use but no environment sets, as `api.name`. */
  readonly unset: readonly string[]
  /** The headers for the authentication of folders and collections that no security scheme replaces. */
  readonly sharedAuth: readonly (SharedAuth & { readonly requests: number })[]
  /** The variables whose values are in secrets files. */
  readonly secrets: readonly ListedSecret[]
  /** The values of the variables that are declared as secrets. */
  readonly known: readonly SecretValue[]
}

export function carryOver(request: CarryRequest): CarriedOver {
  const { names, workflows, scripts } = build(request)
  const { collection, secrets, apis, scope, variables } = names
  // A workflow of Arazzo has a name that others refer to. Elsewhere, one without requests is only an empty file.
  const isWritten = ({ requests: sent }: BuiltWorkflow): boolean =>
    sent.length > 0 || collection.source === "arazzo"
  const written = names.savesRequests ? [] : workflows.filter(isWritten)
  const requests = workflows.flatMap((workflow) => workflow.requests)
  const [own] = apis
  for (const name of scope.names)
    if (own !== undefined && own.origin.variable !== name) own.used.add(variables.nameOf(name))
  const texts = scripts.texts(written.map(({ name }) => name))
  const environments = apis.map((api) => environmentsOf(names, api))
  const files = [
    ...requests.flatMap((one) => one.files),
    ...environments.flatMap((one) => one.files),
    ...written.map(fileOf),
    ...(names.savesRequests ? [] : [...texts].map(scriptFileOf)),
    ...suitesFile(written, names),
    ...readmeOf(names),
  ]
  const losses = [
    ...names.losses,
    ...workflows.flatMap((workflow) => workflow.losses),
    ...scripts.losses,
    ...environments.flatMap((one) => one.losses),
    ...variables.losses,
    ...secrets.losses,
  ]
  const saved = requests.filter(({ isSaved }) => isSaved).length
  return {
    api: own?.name ?? apiNameFor(collection, secrets),
    files: isEmpty(names) ? [] : files,
    workflows: written.map(({ name }) => name),
    suites: partsBySuite(written),
    requests: names.flat.size,
    operations: requests.length - saved,
    saved,
    environments: scope.environments.length,
    losses: distinct(
      losses.map(({ where: place, what, reason: { message, group, severity } }) => ({
        where: secrets.prose(place),
        what: secrets.prose(what),
        // A reason may quote a name of the source.
        reason: secrets.prose(message),
        group,
        severity,
      })),
    ),
    untranslated: files.flatMap((one) => (one.is === "text" && isUntranslated(one.text) ? [one.file] : [])),
    unset: isEmpty(names) ? [] : apis.flatMap((api) => unsetIn(names, api)),
    sharedAuth: sharedAuthOf(requests, names),
    secrets: apis.flatMap((api) => secretsIn(names, api)),
    known: variables.known,
  }
}

function partsBySuite(written: readonly BuiltWorkflow[]): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>()
  for (const { name, suite } of written)
    if (suite !== undefined) getOrCreate(parts, suite.name, () => []).push(name)
  return parts
}

/** Returns whether nothing is left to import: every request is lost, and no variable is one that a user could want. */
function isEmpty({ apis: [own], apiOf, flat, collection }: Names): boolean {
  if (apiOf.size > 0 || own?.document !== undefined || collection.environments.length > 0) return false
  // The variables of a script are only for its commands.
  return collection.source === "curl" || (flat.size > 0 && collection.variables.length === 0)
}

/** Builds the workflows a second time if some are split. */
function build(request: CarryRequest): {
  readonly names: Names
  readonly workflows: readonly BuiltWorkflow[]
  readonly scripts: ScriptFiles
} {
  const names = readNames(request)
  const scripts = new ScriptFiles(names)
  const workflows = buildWorkflows(names, scripts)
  const sizes = names.savesRequests ? undefined : sizesToSplit(names, workflows)
  if (sizes === undefined) return { names, workflows, scripts }
  const again = unusedNames(names)
  const files = new ScriptFiles(again)
  return { names: again, workflows: buildWorkflows(again, files, sizes), scripts: files }
}

const fileOf = ({ name, workflow }: BuiltWorkflow): PlannedFile =>
  jsonFile(`apis/workflow/${name}.json`, workflow)

const scriptFileOf = ([path, text]: readonly [string, string]): PlannedFile => ({
  file: `apis/workflow/scripts/${path}`,
  is: "text",
  text,
})

/** Writes descriptions to the README, because the format has no field for them. */
function readmeOf({ collection: { root }, secrets, apis: [api] }: Names): readonly PlannedFile[] {
  const folders = root.items.filter((item) => item.kind === "folder")
  const sections = [root, ...folders].flatMap(({ name, description, where }) => {
    if (description === undefined) return []
    const text = secrets.prose(plainText(description), { where, what: "description" }).trim()
    return [`${name === root.name ? "#" : "##"} ${secrets.name(name)}\n\n${text}\n`]
  })
  if (api === undefined || sections.length === 0) return []
  return [{ file: `apis/${api.name}/README.md`, is: "text", text: sections.join("\n") }]
}

function environmentsOf(
  { collection, scope, secrets: known, variables: all }: Names,
  { name: api, document, origin, used }: CarriedApi,
): { readonly files: readonly PlannedFile[]; readonly losses: readonly Loss[] } {
  const { environments } = scope
  const folder = `apis/${api}/environments`
  const declared = [...used].flatMap((name) => all.declared(name) ?? [])
  const isSecretBase = [...origin.baseUrls.values()].some(
    (url) => /^https?:\/\/[^/]*@/i.test(url) || known.has(url),
  )
  const hasFallback = document !== undefined && serverUrl(document) !== undefined
  const variables: Record<string, JsonValue> = {
    [BASE_URL]: {
      type: "string",
      required: !hasFallback || environments.every(({ name }) => origin.baseUrls.has(name)),
      description: "Base URL of the API.",
      ...(isSecretBase ? { secret: true } : {}),
    },
  }
  for (const { name, type, cause, description, default: fallback } of declared)
    setOwn(variables, name, {
      type,
      required: false,
      ...(description === undefined ? {} : { description }),
      ...(cause === undefined ? {} : { secret: true }),
      ...(fallback === undefined ? {} : { default: fallback }),
    })
  const files: PlannedFile[] = [{ file: `${folder}/schema.json`, is: "declarations", variables }]
  const losses: Loss[] = []
  for (const environment of environments) {
    const baseUrl = origin.baseUrls.get(environment.name)
    const given = baseUrl === undefined ? {} : { [BASE_URL]: baseUrl }
    const values: Record<string, Scalar> = isSecretBase ? {} : given
    const secrets: Record<string, string> = isSecretBase ? given : {}
    for (const { name, cause, values: own } of declared) {
      const isSecret = cause !== undefined
      const value = own.get(environment.name)
      if (value === undefined) continue
      if (isSecret && !setSecret("", name, String(value)).ok)
        losses.push({
          where: collection.root.where,
          what: `secret ${name}`,
          reason: reasons.unquotable(),
        })
      else if (isSecret) setOwn(secrets, name, String(value))
      else setOwn(values, name, value)
    }
    const { level } = environment
    const settings = level === undefined ? {} : { level }
    files.push(jsonFile(`${folder}/${environment.name}.json`, { ...settings, ...values }))
    if (Object.keys(secrets).length > 0)
      files.push({ file: `${folder}/${environment.name}.secrets.env`, is: "secrets", values: secrets })
  }
  return { files, losses }
}

/** Counts the requests by folder and header. */
function sharedAuthOf(requests: readonly CarriedRequest[], { secrets }: Names): CarriedOver["sharedAuth"] {
  const counted = new Map<string, SharedAuth & { requests: number }>()
  for (const { sharedAuth: shared } of requests)
    if (shared !== undefined)
      getOrCreate(counted, JSON.stringify(shared), () => ({
        ...shared,
        where: secrets.prose(shared.where),
        requests: 0,
      })).requests++
  return [...counted.values()]
}

const secretsIn = ({ variables }: Names, { name: api, used }: CarriedApi): readonly ListedSecret[] =>
  [...used].flatMap((name) => {
    const { cause, values = new Map() } = variables.declared(name) ?? {}
    const isKept = [...values.values()].some((value) => value !== "")
    return cause === undefined || !isKept ? [] : [{ variable: `${api}.${name}`, cause }]
  })

function unsetIn({ scope, variables }: Names, api: CarriedApi): readonly string[] {
  const { name: of, document, origin, used } = api
  // An empty text is a value, but no secret. Secrets and variables of the process have none in the source.
  const given = new Set(
    scope.names
      .filter((name) => scope.declarations(name).some(({ value }) => value !== undefined))
      .map((name) => variables.nameOf(name)),
  )
  const unset = [...used].filter((name) => {
    const declared = variables.declared(name)
    if (declared === undefined) return false
    const { cause, values } = declared
    if (cause !== undefined && values.size > 0) return [...values.values()].every((value) => value === "")
    return values.size === 0 && declared.default === undefined && !given.has(name)
  })
  const hasBase = origin.baseUrls.size > 0 || (document !== undefined && serverUrl(document) !== undefined)
  return [...(hasBase ? [] : [BASE_URL]), ...unset].map((name) => `${of}.${name}`)
}

const distinct = (losses: readonly ReportedLoss[]): readonly ReportedLoss[] => [
  ...new Map(losses.map((loss) => [JSON.stringify([loss.where, loss.what, loss.reason]), loss])).values(),
]
