// Calls that fill a project: from files of other tools, or with the sample of `callsheet init`.

import { shapes, type JsonObject } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { api, apiName, sourceName, sourcePath, text } from "./names.ts"

const { array, object, optional, required } = shapes

/** The maximum size of a call's body in bytes. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024

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

export const importCalls = {
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
    }),
    answer<ImportPreview>(),
  ),
  /** Creates the project of `callsheet init`. Answers 400 `project-exists` if there is one. */
  "imports.sample": call(object({}), answer<Nothing>()),
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
  /** The number of requests in the command. Only the first one is returned. */
  readonly requests: number
  readonly losses: ImportPreview["losses"]
}

export interface ImportPreview {
  readonly plan: string
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
  /** The files that are written. Empty if nothing changes. */
  readonly files: readonly string[]
  /** Those of `files` that exist with other content. Ask the user before they are overwritten. */
  readonly replaced: readonly string[]
  /** The items that aren't imported completely. */
  readonly losses: readonly { readonly where: string; readonly what: string; readonly reason: string }[]
  /** The variables that requests use and that have no value, as `api.name`. */
  readonly unset: readonly string[]
}
