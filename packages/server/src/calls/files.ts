// Calls that read and write files. Files are identified by names of the format, never by path.

import { shapes, type Problem } from "@callsheet/format"
import { answer, call, type Nothing, type Saved } from "./call.ts"
import { api, environment, etag, requestName, scriptName, text, workflow } from "./names.ts"
import type { ChangePlan } from "./plans.ts"

const { enumOf, object, required, variant } = shapes

const kind = <const K extends string>(name: K) => required(enumOf(name), "What the file is.")

const fileKinds = {
  workflow: object({ kind: kind("workflow"), workflow }),
  script: object({
    kind: kind("script"),
    workflow,
    script: required(scriptName, "Without `.ts`; may be in folders: `checks/total`."),
  }),
  request: object({
    kind: kind("request"),
    api,
    resource: required(requestName, "The folder of the saved request."),
    request: required(requestName, "The name of the saved request."),
  }),
  schema: object({ kind: kind("schema"), api }),
  environment: object({ kind: kind("environment"), api, environment }),
}

export type FileName = shapes.TypeOf<(typeof fileKinds)[keyof typeof fileKinds]>

export type NamedFile = Extract<FileName, { readonly kind: "script" | "request" }>

export const fileName = variant<FileName>({ name: "file", tag: "kind", variants: fileKinds, summaries: {} })

const file = required(fileName, "What the file is, in names of the format.")
const fileText = required(text, "The text of the file.")

const fileRename = object({ file, etag, to: required(fileName, "What the file is to be called.") })

export const fileCalls = {
  /** Returns the file's text and its draft. 404 `file-missing` if neither exists. */
  "files.read": call(object({ file }), answer<FileText>()),
  /** 428 `etag-missing`, 409 `file-changed` with `current`, 422 with `problems`. Saving equal contents never conflicts. */
  "files.save": call(object({ file, etag, text: fileText }), answer<Saved>()),
  /** Deletes a workflow with its scripts, a script or a saved request. Refused for the same reasons as `files.save`. */
  "files.remove": call(object({ file, etag }), answer<FileRemoved>()),
  /** Renames a workflow with its scripts. Refused with `file-exists` and `file-twin` if the name is taken. */
  "files.rename": call(fileRename, answer<Saved>()),
  /** Previews renaming a script or a saved request, including the blocks and imports that name it. Refused like `files.rename`. */
  "files.planRename": call(fileRename, answer<ChangePlan>()),
  /** Lists the blocks that name a script or a saved request. Names built from placeholders are not found. */
  "files.uses": call(object({ file }), answer<{ readonly uses: readonly FileUse[] }>()),
  /** Checks the file as if it had this text, as `callsheet validate` would. */
  "files.check": call(object({ file, text: fileText }), answer<{ readonly problems: readonly Problem[] }>()),
  /** Lists a workflow's scripts. They are parsed, never run. */
  "files.list": call(object({ workflow }), answer<ScriptsView>()),
  /** Keeps an unsaved text until it is saved or dropped; only its user can read it. `draft-limit` if there are too many. */
  "drafts.keep": call(object({ file, etag, text: fileText }), answer<DraftKept>()),
  "drafts.drop": call(object({ file }), answer<Nothing>()),
  "drafts.list": call(object({}), answer<{ readonly drafts: readonly DraftSummary[] }>()),
}

export interface FileText {
  readonly path: string
  /** Without a byte order mark. A file that has one keeps it when saved. */
  readonly text: string
  /** SHA-256 of the bytes on disk. Null, with an empty text, if only a draft exists. */
  readonly etag: string | null
  readonly draft?: Draft | undefined
}

export interface Draft {
  readonly text: string
  /** The etag of the file that the draft started from; null if there was no file. */
  readonly etag: string | null
  readonly keptAt: string
}

export interface FileUse {
  readonly workflow: string
  readonly blocks: readonly string[]
}

export interface FileRemoved {
  readonly uses: readonly FileUse[]
  readonly scripts: readonly string[]
}

export interface ScriptsView {
  readonly scripts: readonly ScriptView[]
  /** Other machines can reach the server, so scripts can't be saved. */
  readonly isReadOnly: boolean
}

export interface ScriptView {
  /** Without `.ts`; may include directories: `checks/total`. */
  readonly script: string
  /** Names that a block can call. Empty if the script has syntax errors. */
  readonly exports: readonly string[]
}

export interface DraftSummary {
  readonly file: FileName
  readonly keptAt: string
}

export interface DraftKept {
  /** `memory`: lost when the app stops, because it contains a secret or couldn't be written to disk. */
  readonly kept: "disk" | "memory"
}

export type CurrentFile = { readonly text: string; readonly etag: string } | null
