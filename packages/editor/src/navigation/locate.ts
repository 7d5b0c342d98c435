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
  const offset = file.offsetAt(position)
  const mention = mentionAtOffset(textsOf(place), file.path, offset) ?? operationIdAt(place, offset)
  return mention === undefined ? undefined : { place, mention }
}

/** Finds the `operationId` in the line at an offset of a document's file, in JSON or YAML. */
function operationIdAt({ file, view }: Place, offset: number): PlacedMention | undefined {
  if (file.is.kind !== "other") return undefined
  const start = file.text.lastIndexOf("\n", offset - 1) + 1
  const line = file.text.slice(start, start + MAX_LINE).split("\n", 1)[0] ?? ""
  const [, before = "", name] = /^(.*?["']?operationId["']?\s*:\s*["']?)([^"',\s]+)/.exec(line) ?? []
  const from = start + before.length
  if (name === undefined || offset < from || offset > from + name.length) return undefined
  const api = ownerOf(view, file.path)
  if (api === undefined) return undefined
  const named = { is: "operation", api, name } as const
  return { named, declares: true, file: file.path, from, to: from + name.length }
}

/** The longest part of a line that is read, because a document can be a single line. */
const MAX_LINE = 1_000

/** Returns the API whose directory contains a file of its document. */
function ownerOf({ project }: Place["view"], path: string): string | undefined {
  const [, api] = /^apis\/([^/]+)\//.exec(path) ?? []
  return api !== undefined && project.apis.has(api) ? api : undefined
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
