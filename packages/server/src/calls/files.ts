// Calls that read and write files. The format's names identify a file, never a path.

import { shapes, type Problem } from "@callsheet/format"
import { answer, call, type Nothing, type Saved } from "./call.ts"
import { api, environment, etag, requestName, scriptName, text, variableName, workflow } from "./names.ts"
import type { ChangePreview } from "./change-sets.ts"

const { enumOf, object, required, variant } = shapes

const kind = <const K extends string>(name: K) => required(enumOf(name), "The kind of the file.")

const fileKinds = {
  workflow: object({ kind: kind("workflow"), workflow }),
  script: object({
    kind: kind("script"),
    workflow,
    script: required(scriptName, "The path without `.ts`, such as `checks/total`."),
  }),
  request: object({
    kind: kind("request"),
    api,
    resource: required(requestName, "The directory of the saved request."),
    request: required(requestName, "The name of the saved request."),
  }),
  schema: object({ kind: kind("schema"), api }),
  environment: object({ kind: kind("environment"), api, environment }),
  /** `callsheet.json`. */
  project: object({ kind: kind("project") }),
  /** `callsheet.baseline.json`. */
  baseline: object({ kind: kind("baseline") }),
}

export type FileName = shapes.TypeOf<(typeof fileKinds)[keyof typeof fileKinds]>

export type NamedFile = Extract<FileName, { readonly kind: "script" | "request" }>

export const fileName = variant<FileName>({ name: "file", tag: "kind", variants: fileKinds, summaries: {} })

const usedKinds = {
  script: fileKinds.script,
  request: fileKinds.request,
  operation: object({
    kind: kind("operation"),
    api,
    method: required(text, "The method in capitals."),
    path: required(text, "The path of the document."),
  }),
  variable: object({ kind: kind("variable"), api, name: required(variableName, "The variable's name.") }),
}

/** Something that a place can use. */
export type UseSubject = shapes.TypeOf<(typeof usedKinds)[keyof typeof usedKinds]>

const used = variant<UseSubject>({ name: "used", tag: "kind", variants: usedKinds, summaries: {} })

const file = required(fileName, "The file, by names of the format.")
const fileText = required(text, "The text of the file.")

const fileRename = object({ file, etag, to: required(fileName, "The new name.") })

export const fileCalls = {
  /** Returns a file's text and its draft. Answers 404 `file-missing` if both are missing. */
  "files.read": call(object({ file }), answer<FileText>()),
  /**
   * Saves a file. Answers 428 `etag-missing`, 409 `file-changed` with `current`, or 422. Saving the same contents again
   * never conflicts.
   */
  "files.save": call(object({ file, etag, text: fileText }), answer<Saved>()),
  /** Deletes a workflow with its scripts, a script or a saved request. Refused for the reasons of `files.save`. */
  "files.remove": call(object({ file, etag }), answer<FileRemoved>()),
  /**
   * Previews renaming a script, a saved request, or a workflow with its scripts, and updating all references. Refused
   * with `file-exists` or `file-twin` if the name is taken.
   */
  "files.planRename": call(fileRename, answer<ChangePreview>()),
  /** Lists the blocks and entries that need a file. Doesn't find names with placeholders. */
  "files.uses": call(object({ file }), answer<FileUses>()),
  /** Lists the places that use something, also those whose names contain placeholders. */
  "files.places": call(object({ of: required(used, "What is used.") }), answer<UsePlaces>()),
  /** Finds lines of `callsheet.json`, workflows, saved requests, environments and scripts that contain all words. Finds no secrets. */
  "files.find": call(
    object({ query: required(text, "Words, in any order and case.") }),
    answer<{ readonly lines: readonly FoundLine[] }>(),
  ),
  /** Checks a file as if it had this text. Returns the problems that `callsheet validate` would report. */
  "files.check": call(object({ file, text: fileText }), answer<{ readonly problems: readonly Problem[] }>()),
  /** Lists the scripts of a workflow. Parses them but never runs them. */
  "files.list": call(object({ workflow }), answer<ScriptsView>()),
  /**
   * Keeps unsaved text until it is saved or dropped. Only this user can read it. Answers `draft-limit` if there are too
   * many drafts.
   */
  "drafts.keep": call(object({ file, etag, text: fileText }), answer<DraftStorage>()),
  "drafts.drop": call(object({ file }), answer<Nothing>()),
  "drafts.list": call(object({}), answer<{ readonly drafts: readonly DraftSummary[] }>()),
}

export interface FileText {
  readonly path: string
  /** The text without a byte order mark. If the file has one, saving keeps it. */
  readonly text: string
  /** The SHA-256 of the bytes on disk. Null if only a draft exists. `text` is then empty. */
  readonly etag: string | null
  readonly draft?: Draft | undefined
}

export interface Draft {
  readonly text: string
  /** The etag of the file when the draft was started. Null if the file didn't exist. */
  readonly etag: string | null
  readonly keptAt: string
}

export interface FileUses {
  /** The blocks that name a script or a saved request. */
  readonly uses: readonly FileUse[]
  /** The suites that name a workflow, or have a pattern that matches nothing else. */
  readonly suites: readonly string[]
}

export interface UsePlaces {
  readonly places: readonly UsePlace[]
  /** The number of places that `places` leaves out. */
  readonly omitted: number
}

export interface UsePlace {
  readonly file: FileName
  /** 1-based. */
  readonly line: number
  readonly column: number
  /** The id of the block. Absent in a saved request. */
  readonly block?: string | undefined
  /** False if a name with placeholders may refer to something else. */
  readonly isSure: boolean
}

export interface FoundLine {
  readonly file: FileName
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly text: string
  /** The id of the innermost block around it. */
  readonly block?: string | undefined
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
  /** True if other machines can reach the server, because scripts then can't be saved. */
  readonly isReadOnly: boolean
}

export interface ScriptView {
  /** The name without `.ts`. May include directories: `checks/total`. */
  readonly script: string
  /** The functions that a block can call. Empty if the script has syntax errors. */
  readonly exports: readonly string[]
  readonly importedBy: readonly ScriptId[]
}

export interface ScriptId {
  readonly workflow: string
  readonly script: string
}

export interface DraftSummary {
  readonly file: FileName
  readonly keptAt: string
}

export interface DraftStorage {
  /** `memory`: the draft is lost when the app stops, because it contains a secret or couldn't be written to disk. */
  readonly kept: "disk" | "memory"
}
