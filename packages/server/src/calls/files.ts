// Calls that read and write the texts of files. They are named in words of the format, and never by a path.

import type { Problem } from "@callsheet/format"
import type { Call, InputKindsOf, NoInput } from "./call.ts"
import type { ChangePlan } from "./plans.ts"

/** A file that can be edited as text: by what it is, in names of the format. */
export type FileName =
  | { readonly kind: "workflow"; readonly workflow: string }
  /** `script` is without `.ts`, and may be in folders: `checks/total`. */
  | { readonly kind: "script"; readonly workflow: string; readonly script: string }
  | { readonly kind: "request"; readonly api: string; readonly resource: string; readonly request: string }
  | { readonly kind: "schema"; readonly api: string }
  | { readonly kind: "environment"; readonly api: string; readonly environment: string }

/** A file that blocks name. */
export type NamedFile = Extract<FileName, { readonly kind: "script" | "request" }>

export interface FileCalls {
  /** The text of a file as it is, and its draft. Answered with 404 `file-missing` where there is neither. */
  readonly "files.read": Call<{ readonly file: FileName }, FileText>
  /**
   * Writes a file whole. Equal contents are no conflict, whatever the etag. Answered with 428 `etag-missing`; 409 `file-changed`
   * and what stands there as `current`; 422 and `problems` where the text breaks the format of its kind.
   */
  readonly "files.save": Call<
    { readonly file: FileName; readonly etag: string | null; readonly text: string },
    FileSaved
  >
  /**
   * Removes a workflow with its scripts, a script or a saved request. Refused as `files.save` is. Of files of
   * environments it is `usage`.
   */
  readonly "files.remove": Call<{ readonly file: FileName; readonly etag: string | null }, FileRemoved>
  /**
   * Gives a workflow another name; nothing names one, and it takes its scripts along. `file-exists` and `file-twin` where the
   * name is taken.
   */
  readonly "files.rename": Call<FileRename, { readonly etag: string }>
  /**
   * What another name of a script in its workflow, or of a saved request in its API, comes to: the blocks that name it, and
   * imports of scripts, get the new one by `plans.apply`. Refused as `files.rename` is. 409 with what stands there as `current`.
   */
  readonly "files.planRename": Call<FileRename, ChangePlan>
  /** The blocks that name a script or a saved request; those not that a token leads there. */
  readonly "files.uses": Call<{ readonly file: FileName }, { readonly uses: readonly FileUse[] }>
  /** What `callsheet validate` would say of the file if it held this text. */
  readonly "files.check": Call<
    { readonly file: FileName; readonly text: string },
    { readonly problems: readonly Problem[] }
  >
  /** The scripts of a workflow, parsed and never run. */
  readonly "files.list": Call<{ readonly workflow: string }, ScriptsView>
  /**
   * Keeps a text that is not saved, for its user alone, until it is saved or dropped. `draft-limit` where there are too many.
   */
  readonly "drafts.keep": Call<
    { readonly file: FileName; readonly etag: string | null; readonly text: string },
    DraftKept
  >
  readonly "drafts.drop": Call<{ readonly file: FileName }, NoInput>
  /** Latest first. */
  readonly "drafts.list": Call<NoInput, { readonly drafts: readonly DraftSummary[] }>
}

export const fileInputs: InputKindsOf<FileCalls> = {
  "files.read": { file: "file" },
  "files.save": { file: "file", etag: "etag", text: "text" },
  "files.remove": { file: "file", etag: "etag" },
  "files.rename": { file: "file", etag: "etag", to: "file" },
  "files.planRename": { file: "file", etag: "etag", to: "file" },
  "files.uses": { file: "file" },
  "files.check": { file: "file", text: "text" },
  "files.list": { workflow: "workflow" },
  "drafts.keep": { file: "file", etag: "etag", text: "text" },
  "drafts.drop": { file: "file" },
  "drafts.list": {},
}

export interface FileText {
  /** From the root of the project, for showing. */
  readonly path: string
  /** Without a byte order mark: a file that has one keeps it. */
  readonly text: string
  /** SHA-256 of the bytes on the disk; null, with an empty text, where there is a draft alone. */
  readonly etag: string | null
  /** What was not saved. Absent where it says what the file says. */
  readonly draft?: Draft
}

export interface Draft {
  readonly text: string
  /** Of the file that it was begun from; null where there was none. */
  readonly etag: string | null
  /** ISO 8601. */
  readonly keptAt: string
}

export interface FileRename {
  readonly file: FileName
  readonly etag: string | null
  readonly to: FileName
}

/** Blocks of a workflow that name a script or a saved request. */
export interface FileUse {
  readonly workflow: string
  /** Their ids. */
  readonly blocks: readonly string[]
}

export interface FileRemoved {
  /** They name what is not there any more. */
  readonly uses: readonly FileUse[]
  /** Of a workflow: its scripts, which are gone with it. */
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
  /** ISO 8601. */
  readonly keptAt: string
}

export interface DraftKept {
  /** `memory`: lost when the application ends, for it holds the value of a secret, or the disk refused it. */
  readonly kept: "disk" | "memory"
}

export interface FileSaved {
  /** Of what stands on the disk now. */
  readonly etag: string
}

/** What stands on the disk in place of what was expected; null where nothing does. */
export type CurrentFile = { readonly text: string; readonly etag: string } | null
