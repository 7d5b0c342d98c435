// Gives a text file another name, with a folder that belongs to it: both, or neither.

import { dirname } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import type { ChangeStep } from "../write/ready-step.ts"
import type { WriteScope } from "../write/write-scope.ts"
import type { ProjectFolder } from "../read/project-folder.ts"
import { openProject } from "../read/read-project.ts"
import type { TextEdit } from "../schema/schema-change.ts"
import { editSteps } from "./edit-steps.ts"
import { makeFolders, removeEmptyFolders } from "./make-folders.ts"
import {
  bytesOf,
  etagOf,
  findEntry,
  findText,
  findTwin,
  requireNoTwin,
  type TextFile,
  type TextPlace,
} from "./text-place.ts"

export interface MoveTextRequest {
  readonly root: string
  readonly from: TextPlace
  readonly to: TextPlace
  /** Of the file as the caller has seen it. */
  readonly etag: string | null
  /** A folder that goes along where it is there; in one folder with its new place. Paths from the root. */
  readonly along?: { readonly from: string; readonly to: string }
  /** What it says under its new name, without a byte order mark; what it says now where this is left out. */
  readonly text?: string
  /** Other files that change with it. */
  readonly edits?: readonly TextEdit[]
  /** What is done, for people: `rename the workflow "a" to "b"`. */
  readonly title: string
}

/** `changed`: nothing was moved, and this is what stands there. */
type MovedText =
  | { readonly do: "moved"; readonly etag: string }
  | { readonly do: "changed"; readonly current: TextFile | null }

/**
 * Compares under the project's lock. What a crash leaves half done the next command finishes. Throws `file-exists` and
 * `file-twin` where the new name is taken, `file-changed` where a file of `edits` is another by now, what `readTextFile`
 * throws, and as `changeProject` does.
 */
export async function moveTextFile(
  request: MoveTextRequest,
  options: WriteOptions = {},
): Promise<MovedText & Changed> {
  const { root, from, to, edits = [] } = request
  const folders = [...new Set([".", ...[from, to, ...edits].map(({ file }) => dirname(file))])]
  const made = makeFolders(root, to.file, options.disk)
  return made.cleaningUp(() =>
    changeProject<MovedText>(
      {
        root,
        folders,
        plan: (scope) => planMove(scope, request, made.make),
        afterwards: (scope) => removeEmptyFolders(scope, from.file),
      },
      options,
    ),
  )
}

function planMove(scope: WriteScope, request: MoveTextRequest, make: (scope: WriteScope) => void) {
  const { from, to, etag, along, title, text, edits = [] } = request
  const before = findText(scope.project, from)
  if (before === undefined || before.etag !== etag) {
    const current = before === undefined ? null : { text: before.text, etag: before.etag }
    return { change: { title, steps: [] }, result: { do: "changed", current } as const }
  }
  const bytes = text === undefined || text === before.text ? before.bytes : bytesOf(text, before)
  const result = { do: "moved", etag: etagOf(bytes) } as const
  if (from.file === to.file) return { change: { title, steps: [] }, result }
  if (bytes === before.bytes) requireFree(scope.project, from.file, to)
  else requireFree(scope.project, undefined, to)
  make(scope)
  const isMove = dirname(from.file) === dirname(to.file) && bytes === before.bytes
  const steps: readonly ChangeStep[] = isMove
    ? [{ do: "move", file: from.file, to: to.file }]
    : [
        { do: "replace", file: to.file, bytes, before: undefined, isSecret: false },
        { do: "remove", file: from.file },
      ]
  const all = [...steps, ...moveAlong(scope, along), ...editSteps(scope, edits)]
  return { change: { title, steps: all }, result }
}

/** Throws `file-exists` and `file-twin` where a file cannot get a name, as `moveTextFile` does when it comes to it. */
export function requireFreeName(root: string, from: TextPlace, to: TextPlace): void {
  requireFree(openProject(root), from.file, to)
}

function moveAlong({ project }: WriteScope, along: MoveTextRequest["along"]): readonly ChangeStep[] {
  if (along === undefined || findEntry(project, { file: along.from }) === undefined) return []
  requireFree(project, along.from, { file: along.to })
  return [{ do: "move", file: along.from, to: along.to }]
}

/** What is moved as it is may get a name that differs from its own in case alone. */
function requireFree(project: ProjectFolder, from: string | undefined, to: TextPlace): void {
  if (from !== undefined && findTwin(project, to.file) === from) return
  requireNoTwin(project, to.file)
  if (findEntry(project, to) === undefined) return
  throw new CallsheetError("file-exists", `${JSON.stringify(to.file)} is there already`, {
    hint: "take another name, or move that file first",
  })
}
