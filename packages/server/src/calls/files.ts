// Calls that read and write files. Files are identified by names of the format, never by paths.

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
  /** `callsheet.json`. */
  project: object({ kind: kind("project") }),
}

export type FileName = shapes.TypeOf<(typeof fileKinds)[keyof typeof fileKinds]>

export type NamedFile = Extract<FileName, { readonly kind: "script" | "request" }>

export const fileName = variant<FileName>({ name: "file", tag: "kind", variants: fileKinds, summaries: {} })

const file = required(fileName, "What the file is, in names of the format.")
const fileText = required(text, "The text of the file.")

const fileRename = object({ file, etag, to: required(fileName, "What the file is to be called.") })

export const fileCalls = {
  /** Returns the file's text and its draft. Answers 404 `file-missing` if neither exists. */
  "files.read": call(object({ file }), answer<FileText>()),
  /** Saves a file. Answers 428 `etag-missing`, 409 `file-changed` with `current`, or 422. Equal contents never conflict. */
  "files.save": call(object({ file, etag, text: fileText }), answer<Saved>()),
  /** Deletes a workflow with its scripts, a script or a saved request. Refused for the same reasons as `files.save`. */
  "files.remove": call(object({ file, etag }), answer<FileRemoved>()),
  /** Renames a workflow with its scripts. Refused with `file-exists` and `file-twin` if the name is taken. */
  "files.rename": call(fileRename, answer<Saved>()),
  /** Previews renaming a script or a saved request, with the blocks and imports that name it. Refused like `files.rename`. */
  "files.planRename": call(fileRename, answer<ChangePlan>()),
  /** Lists the blocks that name a script or a saved request. Doesn't find names built from placeholders. */
  "files.uses": call(object({ file }), answer<{ readonly uses: readonly FileUse[] }>()),
  /** Checks the file as if it had the given text, with the result of `callsheet validate`. */
  "files.check": call(object({ file, text: fileText }), answer<{ readonly problems: readonly Problem[] }>()),
  /** Lists a workflow's scripts. Parses them, but never runs them. */
  "files.list": call(object({ workflow }), answer<ScriptsView>()),
  /** Keeps unsaved text until it is saved or dropped. Only this user can read it. Answers `draft-limit` if there is too much. */
  "drafts.keep": call(object({ file, etag, text: fileText }), answer<DraftKept>()),
  "drafts.drop": call(object({ file }), answer<Nothing>()),
  "drafts.list": call(object({}), answer<{ readonly drafts: readonly DraftSummary[] }>()),
}

export interface FileText {
  readonly path: string
  /** The text without a byte order mark. A file that has one keeps it when it is saved. */
  readonly text: string
  /** The SHA-256 of the bytes on disk. Null, with an empty `text`, if only a draft exists. */
  readonly etag: string | null
  readonly draft?: Draft | undefined
}

export interface Draft {
  readonly text: string
  /** The etag of the file that the draft is based on. Null if the file didn't exist. */
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
  /** True if other machines can reach the server. Scripts then can't be saved. */
  readonly isReadOnly: boolean
}

export interface ScriptView {
  /** The name without `.ts`. May include directories: `checks/total`. */
  readonly script: string
  /** The names that a block can call. Empty if the script has syntax errors. */
  readonly exports: readonly string[]
}

export interface DraftSummary {
  readonly file: FileName
  readonly keptAt: string
}

export interface DraftKept {
  /** `memory`: lost when the app stops, because the draft contains a secret or couldn't be written to disk. */
  readonly kept: "disk" | "memory"
}

export type CurrentFile = { readonly text: string; readonly etag: string } | null
