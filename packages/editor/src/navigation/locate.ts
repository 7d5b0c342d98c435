// Converts places in a project's files to locations of the protocol, and back.

import { getOrCreate } from "@callsheet/format"
import { mentionAtOffset, type PlacedMention, type ProjectTexts } from "@callsheet/language"
import type { Location, Position, TextDocumentIdentifier } from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import { createEditorFile, type EditorFile } from "../file/editor-file.ts"
import type { Place } from "../workspace/workspace.ts"

/** The parameters of a request about a place in a document. */
export interface PositionParams {
  readonly textDocument: TextDocumentIdentifier
  readonly position: Position
}

export const textsOf = ({ view }: Pick<Place, "view">): ProjectTexts => view

/** Returns the place and the mention at a position. Undefined if nothing has a name there. */
export function mentionAt(
  { textDocument, position }: PositionParams,
  context: Context,
): { readonly place: Place; readonly mention: PlacedMention } | undefined {
  const place = context.place(textDocument)
  if (place === undefined) return undefined
  const { file } = place
  const mention = mentionAtOffset(textsOf(place), file.path, file.offsetAt(position))
  return mention === undefined ? undefined : { place, mention }
}

export interface ProjectRange {
  readonly file: string
  readonly from: number
  readonly to: number
}

/** Returns a function that makes locations. It reads each file once, with its unsaved text. */
export function createLocator(
  { workspace }: Pick<Context, "workspace">,
  { project }: Pick<Place, "project">,
) {
  const files = new Map<string, EditorFile>()
  const open = (path: string): EditorFile =>
    getOrCreate(files, path, () => {
      const uri = workspace.uriOf(project, path)
      return createEditorFile({ uri, path, sent: workspace.textOf(uri) ?? "" })
    })
  return {
    fileOf: open,
    location: ({ file, from, to }: ProjectRange): Location => ({
      uri: open(file).uri,
      range: open(file).rangeOf(from, to),
    }),
    /** Returns the start of a line. `line` is 1-based. */
    lineOf: (file: string, line: number): Location => {
      const start = { line: line - 1, character: 0 }
      return { uri: workspace.uriOf(project, file), range: { start, end: start } }
    },
  }
}
