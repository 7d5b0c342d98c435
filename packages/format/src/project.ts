// The type of a project, which is immutable: `project` reads it and `engine` runs it.

import type { EnvironmentFiles } from "./environment/types.ts"
import type { JsonValue } from "./json/value.ts"
import type { Problem } from "./problems.ts"
import type { SettingsFile } from "./project-file/readable-settings.ts"
import type { ReadFile, SourceFile } from "./source.ts"
import type { SavedRequest } from "./request/check-saved-request.ts"
import type { ReadableWorkflow } from "./workflow/check-workflow.ts"
import type { Workflow } from "./workflow/types.ts"

/** The files of a project that were read: at least the requested ones. */
export interface Project {
  /** The absolute path of the directory that contains `apis/`. */
  readonly root: string
  readonly apiNames: readonly string[]
  readonly workflowNames: readonly string[]
  readonly apis: ReadonlyMap<string, Api>
  readonly workflows: ReadonlyMap<string, WorkflowFile>
  /** The sorted script files of each workflow that was read, without `.ts`. A name may include directories: `a/b`. */
  readonly scriptNames: ReadonlyMap<string, readonly string[]>
  /** The workflows with a script that may read the inbox's address. Only in projects that have one. */
  readonly inboxScripts?: ReadonlySet<string>
  /** `callsheet.json`. Absent if the project has none. */
  readonly settingsFile?: SettingsFile | undefined
  /** `callsheet.baseline.json`. Absent if the project has none. */
  readonly baselineFile?: BaselineFile | undefined
  /** Problems with the project itself: unreadable directories, invalid names. */
  readonly problems: readonly Problem[]
}

/** Not parsed, because most runs of a project without violations don't need it. */
export interface BaselineFile extends SourceFile {
  /** The reason why the file can't be read. */
  readonly problem?: Problem | undefined
}

export interface Api {
  readonly name: string
  /** The path of the OpenAPI document from the root. Also set if the document is missing or can't be read. */
  readonly documentFile?: string
  /** The path of a file that seems to be the document, although callsheet doesn't read it because of its name. */
  readonly misnamedDocument?: string
  /** The text of the OpenAPI document. Not parsed, because many runs don't need it. */
  readonly document?: SourceFile
  /**
   * Reads the other files that the document refers to. Reads each file once, so that every caller gets the same text.
   */
  readonly readFile?: ReadFile
  readonly environments: EnvironmentFiles
  /** The saved requests, parsed and checked, by `<resource>/<instance>`. */
  readonly instances: ReadonlyMap<string, InstanceFile>
  readonly problems: readonly Problem[]
}

/** A workflow file. `workflow` is absent if `problems` contains errors. */
export interface WorkflowFile extends SourceFile {
  readonly name: string
  readonly workflow?: Workflow | undefined
  /** The readable part of the workflow. Absent if the file has no list of blocks. */
  readonly readable?: ReadableWorkflow | undefined
  readonly problems: readonly Problem[]
}

/** Returns whether a file has a syntax error. What is read around it is for checks, and no edit can change the file. */
export const isHalfWritten = ({ file, problems }: Pick<WorkflowFile, "file" | "problems">): boolean =>
  problems.some((problem) => problem.code === "json-syntax" && problem.file === file)

export interface InstanceFile extends SourceFile {
  readonly resource: string
  readonly name: string
  readonly request?: SavedRequest | undefined
  readonly problems: readonly Problem[]
}

/** A file to write. Declarations, secrets, suites and a source are added to those that exist, which keep their values. */
export type PlannedFile = { readonly file: string } & (
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "bytes"; readonly bytes: Uint8Array }
  /** A text that is written only if its directory has no file of this name, in any case and with any ending. */
  | { readonly is: "first"; readonly text: string }
  | { readonly is: "declarations"; readonly variables: Readonly<Record<string, JsonValue>> }
  | { readonly is: "secrets"; readonly values: Readonly<Record<string, string>> }
  /** Suites and helpers for `callsheet.json`. */
  | {
      readonly is: "suites"
      readonly suites: Readonly<Record<string, JsonValue>>
      readonly helpers: readonly string[]
    }
  /** The address of an API's document, for `callsheet.json`. Replaces an earlier one. */
  | { readonly is: "source"; readonly api: string; readonly address: string }
)
