// Turns new texts of a project's files into an edit that the client applies.

import type { TextChange } from "@callsheet/format"
import type {
  ClientCapabilities,
  CreateFile,
  RenameFile,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import { createEditorFile, type EditorFile } from "../file/editor-file.ts"
import type { OpenProject } from "../workspace/workspace.ts"
import { textChanges } from "./text-changes.ts"

/** The text that a file should have. The path starts at the project's root. */
export interface NewText {
  readonly file: string
  /** The text from which the new one was worked out. Null for a new file. */
  readonly before: string | null
  readonly after: string
}

interface FileMove {
  readonly from: string
  readonly to: string
}

interface ProjectEdit {
  readonly texts: readonly NewText[]
  /** By default, none. */
  readonly moves?: readonly FileMove[]
  /** Returns the changes that turn one text into another. By default, those of whole lines. */
  readonly changesOf?: (before: string, after: string) => readonly TextChange[]
}

/** Thrown if a file has changed since its new text was worked out (LSP, "ContentModified"). */
export class ContentModified extends Error {
  override readonly name = "ContentModified"
}

type Editing = Pick<Context, "workspace" | "capabilities">

const createsFiles = ({ workspace }: ClientCapabilities): boolean =>
  workspace?.workspaceEdit?.documentChanges === true &&
  workspace.workspaceEdit.resourceOperations?.includes("create") === true

/**
 * Returns undefined if the edit creates a file, but the client can't. Throws `ContentModified` if a text has changed: the
 * edit would undo that, although it has the version of the changed document.
 */
export function createWorkspaceEdit(
  { workspace, capabilities }: Editing,
  project: OpenProject,
  { texts, moves = [], changesOf = textChanges }: ProjectEdit,
): WorkspaceEdit | undefined {
  const edited = texts.map(({ file: path, before, after }) => {
    const uri = workspace.uriOf(project, path)
    const sent = workspace.textOf(uri)
    const file = createEditorFile({ uri, path, sent: sent ?? "" })
    if ((sent === undefined ? null : file.text) !== before) throw new ContentModified()
    return { uri, isNew: before === null, edits: editsOf(file, changesOf(file.text, after)) }
  })
  if (edited.some(({ isNew }) => isNew) && !createsFiles(capabilities)) return undefined
  if (capabilities.workspace?.workspaceEdit?.documentChanges !== true && moves.length === 0)
    return { changes: Object.fromEntries(edited.map(({ uri, edits }) => [uri, edits])) }
  return {
    documentChanges: [
      ...edited.flatMap(({ uri, isNew, edits }): (CreateFile | TextDocumentEdit)[] => [
        ...(isNew ? [{ kind: "create" as const, uri, options: { overwrite: false } }] : []),
        { textDocument: { uri, version: workspace.versionOf(uri) }, edits },
      ]),
      ...moves.map(({ from, to }): RenameFile => ({
        kind: "rename",
        oldUri: workspace.uriOf(project, from),
        newUri: workspace.uriOf(project, to),
      })),
    ],
  }
}

const editsOf = (file: EditorFile, changes: readonly TextChange[]): TextEdit[] =>
  changes.map(({ from, to, by }) => ({ range: file.rangeOf(from, to), newText: by }))
