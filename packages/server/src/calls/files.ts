// Calls that read and write the texts of files. They are named in words of the format, and never by a path.

import { shapes, type Problem } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
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
  /** The text of a file as it is, and its draft. Answered with 404 `file-missing` where there is neither. */
  "files.read": call(object({ file }), answer<FileText>()),
  /** Equal contents never conflict. 428 `etag-missing`, 409 `file-changed` with `current`, 422 with `problems` of the text. */
  "files.save": call(object({ file, etag, text: fileText }), answer<FileSaved>()),
  /** Removes a workflow with its scripts, a script or a saved request. Refused as `files.save` is. */
  "files.remove": call(object({ file, etag }), answer<FileRemoved>()),
  /** Renames a workflow with its scripts. Refused with `file-exists` and `file-twin` if the name is taken. */
  "files.rename": call(fileRename, answer<{ readonly etag: string }>()),
  /** Previews another name of a script or a saved request, with the blocks and imports that name it. Refused as `files.rename` is. */
  "files.planRename": call(fileRename, answer<ChangePlan>()),
  /** The blocks that name a script or a saved request; those not that a token leads there. */
  "files.uses": call(object({ file }), answer<{ readonly uses: readonly FileUse[] }>()),
  /** What `callsheet validate` would say of the file if it held this text. */
  "files.check": call(object({ file, text: fileText }), answer<{ readonly problems: readonly Problem[] }>()),
  /** The scripts of a workflow, parsed and never run. */
  "files.list": call(object({ workflow }), answer<ScriptsView>()),
  /** Keeps a text that is not saved, for its user alone, until it is saved or dropped. `draft-limit` where there are too many. */
  "drafts.keep": call(object({ file, etag, text: fileText }), answer<DraftKept>()),
  "drafts.drop": call(object({ file }), answer<Nothing>()),
  "drafts.list": call(object({}), answer<{ readonly drafts: readonly DraftSummary[] }>()),
}

export interface FileText {
  readonly path: string
  /** Without a byte order mark: a file that has one keeps it. */
  readonly text: string
  /** SHA-256 of the bytes on the disk; null, with an empty text, where there is a draft alone. */
  readonly etag: string | null
  readonly draft?: Draft | undefined
}

export interface Draft {
  readonly text: string
  /** Of the file that it was begun from; null where there was none. */
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
  /** Other machines can reach the server: then no script is written. */
  readonly isReadOnly: boolean
}

export interface ScriptView {
  /** Without `.ts`; may be in folders: `checks/total`. */
  readonly script: string
  /** Names that a block can call. Of a script that is not well-formed none. */
  readonly exports: readonly string[]
}

export interface DraftSummary {
  readonly file: FileName
  readonly keptAt: string
}

export interface DraftKept {
  /** `memory`: lost when the application ends, for it holds the value of a secret, or the disk refused it. */
  readonly kept: "disk" | "memory"
}

export interface FileSaved {
  readonly etag: string
}

export type CurrentFile = { readonly text: string; readonly etag: string } | null
