// Makes the change set of a single request, as the app sends it: a saved request without a workflow, in an environment of
// its server.

import {
  CallsheetError,
  isJsonObject,
  parseJson,
  type EnvironmentFiles,
  type PlannedFile,
  asciiSlug,
} from "@callsheet/format"
import { makeImportOf, type ImportChangeSet, type ImportRequest } from "./make-import.ts"
import { environmentNames } from "./carry/names.ts"
import { BASE_URL } from "./carry/variables.ts"
import { messages } from "./messages.ts"
import type { Collection } from "./model.ts"
import { readSources } from "./read/read-sources.ts"

export interface RequestToSave extends ImportRequest {
  /** The name of the request. By default, its method and path. */
  readonly name?: string | undefined
}

export interface SavedRequestChangeSet extends ImportChangeSet {
  readonly resource: string
  readonly request: string
  readonly environment: string
}

/** Throws `import-source` if the source isn't one request, and the errors of `makeImport`. */
export async function makeSavedRequest(request: RequestToSave): Promise<SavedRequestChangeSet> {
  const collection = withName(await readRequest(request), request.name)
  const make = (name: string) =>
    makeImportOf(
      { ...collection, environments: [{ name, variables: [] }] },
      { ...request, savesRequests: true },
    )
  const first = await make("default")
  const existing = request.environments.find(({ api }) => api === first.api)?.environments ?? new Map()
  const environment = environmentFor(baseUrlIn(first.files), existing)
  const made = environment === "default" ? first : await make(environment)
  // An environment of the project keeps its values. It already has this base URL.
  const files = made.files.filter(
    ({ file }) => !existing.has(environment) || !file.endsWith(`/environments/${environment}.json`),
  )
  const [, resource = "", name = ""] =
    files
      .map(({ file }) => /\/requests\/([^/]+)\/([^/]+)\.json$/.exec(file))
      .find((found) => found !== null) ?? []
  if (name === "") throw notOne(0)
  return { ...made, files, environment, resource, request: name }
}

/** Other texts than requests have no problems of their own. */
const readRequest = ({ sources }: RequestToSave): Promise<Collection> =>
  readSources(sources).catch((error: unknown) => {
    throw error instanceof CallsheetError ? notOne(0) : error
  })

const notOne = (requests: number): CallsheetError =>
  new CallsheetError(messages["import-source"].notOneRequest(requests))

function withName(collection: Collection, name: string | undefined): Collection {
  const { root } = collection
  const [item, ...others] = root.items
  if (item === undefined || item.kind === "folder" || others.length > 0) throw notOne(root.items.length)
  return name === undefined ? collection : { ...collection, root: { ...root, items: [{ ...item, name }] } }
}

/** Returns the base URL of the planned environment. Undefined if it is a secret. */
function baseUrlIn(files: readonly PlannedFile[]): string | undefined {
  const values = files.find(({ file }) => file.endsWith("/environments/default.json"))
  const parsed = values?.is === "text" ? parseJson(values.text) : undefined
  const url = parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value[BASE_URL] : undefined
  return typeof url === "string" ? url : undefined
}

/** Returns an environment of the API with this base URL, or the name of a new one. */
function environmentFor(url: string | undefined, existing: EnvironmentFiles["environments"]): string {
  const same = [...existing.values()].find(
    ({ name, values }) => url !== undefined && values.get(BASE_URL) === url && asciiSlug(name, "") === name,
  )
  if (same !== undefined) return same.name
  const host = url?.replace(/^https?:\/\//i, "") ?? ""
  if (existing.size > 0) {
    const free = environmentNames()
    for (const name of existing.keys()) free.add(name)
    return free.add(asciiSlug(host, "server"))
  }
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:\/|$)/i.test(host) ? "local" : "default"
}
