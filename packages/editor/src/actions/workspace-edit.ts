// Turns new texts of a project's files into an edit that the client applies.

import type {
  ClientCapabilities,
  CreateFile,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import { createEditorFile } from "../file/editor-file.ts"
import type { OpenProject } from "../workspace/workspace.ts"
import { textChanges } from "./text-changes.ts"

/** The text that a file should have. The path starts at the project's root. */
export interface NewText {
  readonly file: string
  readonly text: string
}

type Editing = Pick<Context, "workspace" | "capabilities">

const createsFiles = ({ workspace }: ClientCapabilities): boolean =>
  workspace?.workspaceEdit?.documentChanges === true &&
  workspace.workspaceEdit.resourceOperations?.includes("create") === true

/** Returns undefined if the edit creates a file, but the client can't. */
export function createWorkspaceEdit(
  { workspace, capabilities }: Editing,
  project: OpenProject,
  texts: readonly NewText[],
): WorkspaceEdit | undefined {
  const edited = texts.map(({ file, text }) => {
    const uri = workspace.uriOf(project, file)
    const sent = workspace.textOf(uri)
    return { uri, isNew: sent === undefined, edits: editsOf({ uri, path: file, sent: sent ?? "" }, text) }
  })
  if (edited.some(({ isNew }) => isNew) && !createsFiles(capabilities)) return undefined
  if (capabilities.workspace?.workspaceEdit?.documentChanges !== true)
    return { changes: Object.fromEntries(edited.map(({ uri, edits }) => [uri, edits])) }
  return {
    documentChanges: edited.flatMap(({ uri, isNew, edits }): (CreateFile | TextDocumentEdit)[] => [
      ...(isNew ? [{ kind: "create" as const, uri, options: { overwrite: false } }] : []),
      { textDocument: { uri, version: null }, edits },
    ]),
  }
}

function editsOf(before: Parameters<typeof createEditorFile>[0], after: string): TextEdit[] {
  const file = createEditorFile(before)
  return textChanges(file.text, after).map(({ from, to, by }) => ({
    range: file.rangeOf(from, to),
    newText: by,
  }))
}
