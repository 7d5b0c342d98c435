// Calls that fill a project: from files of other tools, with the sample project, or with the inbox.

import { shapes, type JsonObject } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import type { ChangePreview } from "./change-sets.ts"
import { api, apiName, requestName, sourceName, sourcePath, text } from "./names.ts"

const { array, object, optional, required } = shapes

/** The maximum size of a call's body in bytes. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024
/** The maximum size of the sources of an import in bytes: that of an OpenAPI document. */
export const MAX_IMPORT_BYTES = 128 * 1024 * 1024

const source = object({
  name: required(sourceName, "The file's name, without directories, for messages."),
  text: required(text, "The contents of the file."),
})
export type ImportSource = shapes.TypeOf<typeof source>

const directory = object({
  name: required(sourceName, "The directory's name, for messages."),
  files: required(
    array(() =>
      object({
        path: required(sourcePath, "The path from the directory, with `/`."),
        text: required(text, "The contents of the file."),
      }),
    ),
    "Its text files.",
  ),
})

const fetched = text

export const importCalls = {
  /**
   * Fetches a document from an http or https URL, without credentials, and keeps it for ten minutes. Writes nothing.
   * Answers 422 if the address can't be used, or if it answers with something else.
   */
  "imports.fetch": call(
    object({ url: required(text, "The URL, without a name or password.") }),
    answer<FetchedDocument>(),
  ),
  /**
   * Previews the change of an API's document to a fetched one. `plans.apply` carries it out. `fileCount` is 0 if the
   * document is the same.
   */
  "imports.update": call(
    object({ api, fetched: required(fetched, "The document, as `imports.fetch` returned it.") }),
    answer<ChangePreview>(),
  ),
  /**
   * Previews an import. `plans.apply` carries it out, and overwrites the files in `replaced`. Answers 422 with the
   * problems if the files can't be imported.
   */
  "imports.plan": call(
    object({
      sources: required(
        array(() => source),
        "A collection with its environments, curl commands, or an OpenAPI document.",
      ),
      directory: optional(directory, "The directory of a Bruno or OpenCollection collection."),
      document: optional(source, "The OpenAPI document of the requests."),
      api: optional(apiName, "The name of the API. By default, the collection's."),
      fetched: optional(fetched, "A further source: the document, as `imports.fetch` returned it."),
      saved: optional(
        object({ name: optional(requestName, "The name of the request.") }),
        "Set to save the only request, without a workflow.",
      ),
    }),
    answer<ImportPreview>(),
  ),
  /** Creates the sample project, and starts its servers until the app stops. Answers 400 `project-exists` if there is one. */
  "imports.sample": call(object({}), answer<Nothing>()),
  /** Adds the API that receives callbacks. Answers 400 `file-exists` if the project has an API of that name. */
  "imports.inbox": call(object({}), answer<Nothing>()),
  /**
   * Reads a curl command as the content of a saved request of an API. Writes nothing. Answers 422 if it has no request.
   */
  "imports.readCurl": call(object({ api, text: required(text, "The command.") }), answer<CurlView>()),
}

export interface CurlView {
  /** The fields of a saved request, with placeholders in place of secrets. */
  readonly request: JsonObject
  /** Scheme and host that the command sends to, and the start of its path that all requests share. */
  readonly baseUrl?: string | undefined
  /** The secrets of the command, by the names in the placeholders. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  readonly losses: ImportPreview["losses"]
}

export interface LossView {
  readonly where: string
  readonly what: string
  readonly reason: string
  /** The cause, such as `saved responses`. */
  readonly group: string
  readonly severity: "changes-results" | "needs-hand" | "information"
}

export interface LossGroupView extends Pick<LossView, "group" | "severity"> {
  /** The reason, if all losses of the group have the same. */
  readonly reason?: string | undefined
  readonly count: number
}

export interface FetchedDocument {
  readonly fetched: string
  /** The URL that answered. */
  readonly url: string
  /** The redirects on the way there, in order. */
  readonly redirects: readonly { readonly status: number; readonly url: string }[]
  readonly sizeBytes: number
}

/** What to run to see how the imported requests are answered. */
interface FirstRunView {
  /** Workflows and suites in this order, as runs name them. */
  readonly subjects: readonly string[]
  /** True to check responses against the document. */
  readonly validatesContracts: boolean
}

export interface ImportPreview {
  readonly plan: string
  /** The saved request, if only that is written. */
  readonly request?:
    | { readonly resource: string; readonly name: string; readonly environment: string }
    | undefined
  /** Set if the address of the fetched document is not remembered, because its query has a secret. */
  readonly isSourceSecret?: true | undefined
  /** The format, such as `postman`. */
  readonly source: string
  readonly api: string
  /** The runnable requests of the source. */
  readonly requests: number
  /** Those that become operations of the document. */
  readonly operations: number
  /** Those that become saved requests. */
  readonly saved: number
  readonly workflows: readonly string[]
  readonly firstRun: FirstRunView
  /** The files that are written. Empty if nothing changes. */
  readonly files: readonly string[]
  /** Those of `files` that exist with other content. Ask the user before they are overwritten. */
  readonly replaced: readonly string[]
  /** The items that aren't imported completely, in the order of the source. */
  readonly losses: readonly LossView[]
  /** The causes of `losses`, most important first. */
  readonly lossGroups: readonly LossGroupView[]
  /** The files of the scripts that have to be translated. */
  readonly untranslated: readonly string[]
  /** The variables that requests use and that have no value, as `api.name`. */
  readonly unset: readonly string[]
  /** What a document without requests brings. */
  readonly added?: { readonly operations: number; readonly environments: number } | undefined
  /** The variables whose values are in secrets files, by why they are there. */
  readonly secrets: readonly { readonly cause: string; readonly variables: readonly string[] }[]
  /** Sentences about the authentication of folders and collections that became a header or a parameter. */
  readonly sharedAuth: readonly string[]
}
