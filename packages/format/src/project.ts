// A whole project as a value: what `project` reads, and what `engine` takes. It is never changed.

import type { EnvironmentFiles } from "./environment/types.ts"
import type { Problem } from "./problems.ts"
import type { ReadFile, SourceFile } from "./source.ts"
import type { SavedRequest } from "./request/check-saved-request.ts"
import type { ReadableWorkflow } from "./workflow/readable-workflow.ts"
import type { Workflow } from "./workflow/types.ts"

/** What was read of a project: at least the files that were asked for. */
export interface Project {
  /** Absolute path of the folder that holds `apis/`. */
  readonly root: string
  readonly apiNames: readonly string[]
  readonly workflowNames: readonly string[]
  readonly apis: ReadonlyMap<string, Api>
  readonly workflows: ReadonlyMap<string, WorkflowFile>
  /** Names of the script files of each workflow that was read, without `.ts`, sorted; may be in folders: `a/b`. */
  readonly scriptNames: ReadonlyMap<string, readonly string[]>
  /** What is wrong with the project itself: unreadable folders, names that may not be. */
  readonly problems: readonly Problem[]
}

export interface Api {
  readonly name: string
  /** Path of its OpenAPI document from the root; there too where the document was only looked for, or cannot be read. */
  readonly documentFile?: string
  /** The OpenAPI document's text, not parsed: only a run that needs it pays for it. */
  readonly document?: SourceFile
  /** Reads the other files that the document's references lead to: each once, so that all who ask see the same text. */
  readonly readFile?: ReadFile
  readonly environments: EnvironmentFiles
  /** By `<resource>/<instance>`; parsed and checked. */
  readonly instances: ReadonlyMap<string, InstanceFile>
  readonly problems: readonly Problem[]
}

/** A workflow file; `workflow` is absent where `problems` holds errors. */
export interface WorkflowFile extends SourceFile {
  readonly name: string
  readonly workflow?: Workflow | undefined
  /** What can be read of it; absent where the file holds no list of blocks. */
  readonly readable?: ReadableWorkflow | undefined
  readonly problems: readonly Problem[]
}

export interface InstanceFile extends SourceFile {
  readonly resource: string
  readonly name: string
  readonly request?: SavedRequest
  readonly problems: readonly Problem[]
}
