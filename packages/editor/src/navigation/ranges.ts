// Answers what folds, what a selection grows to, and which texts link to files.

import { joinPath, locateJson, PROJECT_FILE, type TextRange } from "@callsheet/format"
import { mentionsInFile, ownFiles, type PlacedMention } from "@callsheet/language"
import type {
  DocumentLink,
  DocumentLinkParams,
  FoldingRange,
  FoldingRangeParams,
  SelectionRange,
  SelectionRangeParams,
} from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import type { EditorFile } from "../file/editor-file.ts"
import type { Place } from "../workspace/workspace.ts"
import { textsOf } from "./locate.ts"

const jsonKinds: ReadonlySet<string> = new Set([
  "workflow",
  "request",
  "schema",
  "environment",
  "project",
  "baseline",
])
const isJson = ({ is }: EditorFile): boolean => jsonKinds.has(is.kind)

export function foldingRange(
  { textDocument }: FoldingRangeParams,
  context: Context,
): Promise<readonly FoldingRange[] | null> {
  const file = context.place(textDocument)?.file
  if (file === undefined || !isJson(file)) return Promise.resolve(null)
  const limit = context.capabilities.textDocument?.foldingRange?.rangeLimit ?? Infinity
  const folds = locateJson(file.text)
    .containers()
    .map(({ from, to }) => ({ startLine: file.positionAt(from).line, endLine: file.positionAt(to).line - 1 }))
    .filter(({ startLine, endLine }) => endLine > startLine)
  const byLine = new Map(folds.map((fold) => [fold.startLine, fold]))
  return Promise.resolve([...byLine.values()].slice(0, limit))
}

export function selectionRange(
  { textDocument, positions }: SelectionRangeParams,
  context: Context,
): Promise<readonly SelectionRange[] | null> {
  const place = context.place(textDocument)
  if (place === undefined || !isJson(place.file)) return Promise.resolve(null)
  const { file } = place
  const json = locateJson(file.text)
  const mentions = mentionsInFile(textsOf(place), file.path)
  return Promise.resolve(
    positions.map((position): SelectionRange => {
      const offset = file.offsetAt(position)
      const around = [...namesAround(file.text, offset, mentions), ...json.rangesAround(offset)]
      return nested(around, file) ?? { range: { start: position, end: position } }
    }),
  )
}

/** Returns the name at an offset, and the placeholder around it. */
function namesAround(text: string, offset: number, mentions: readonly PlacedMention[]): readonly TextRange[] {
  const names = mentions
    .filter(({ from, to }) => from < to && from <= offset && offset <= to)
    .toSorted((a, b) => a.to - a.from - (b.to - b.from))
  const [name] = names
  if (name === undefined) return []
  const placeholder = placeholderAround(text, name)
  return placeholder === undefined ? names : [...names, placeholder]
}

function placeholderAround(text: string, { from, to }: TextRange): TextRange | undefined {
  const open = text.lastIndexOf("{{", from)
  if (open === -1 || /["\n]/.test(text.slice(open, from))) return undefined
  const braces = /\{\{|\}\}|["\n]/g
  braces.lastIndex = to
  for (let depth = 1, match = braces.exec(text); match !== null; match = braces.exec(text)) {
    if (match[0] === "{{") depth++
    else if (match[0] !== "}}") return undefined
    else if (--depth === 0) return { from: open, to: match.index + 2 }
  }
  return undefined
}

/** Nests ranges that grow. Leaves out those that don't contain the one before. */
function nested(ranges: readonly TextRange[], file: EditorFile): SelectionRange | undefined {
  const growing: TextRange[] = []
  for (const range of ranges) {
    const last = growing.at(-1)
    const contains = last === undefined || (range.from <= last.from && range.to >= last.to)
    const isSame = last !== undefined && range.from === last.from && range.to === last.to
    if (contains && !isSame) growing.push(range)
  }
  return growing.reduceRight<SelectionRange | undefined>(
    (parent, { from, to }) => ({ range: file.rangeOf(from, to), ...(parent && { parent }) }),
    undefined,
  )
}

const linked: ReadonlySet<string> = new Set(["file", "script", "request", "api", "workflow", "environment"])

export function documentLink(
  { textDocument }: DocumentLinkParams,
  context: Context,
): Promise<readonly DocumentLink[] | null> {
  const place = context.place(textDocument)
  if (place === undefined || !isJson(place.file)) return Promise.resolve(null)
  const mentions = mentionsInFile(textsOf(place), place.file.path)
  return Promise.resolve(
    mentions
      .filter(({ named, from, to }) => linked.has(named.is) && from < to)
      .flatMap((mention) => linkOf(mention, place, context)),
  )
}

function linkOf(
  { named, from, to }: PlacedMention,
  { view, project, file }: Place,
  { workspace }: Context,
): readonly DocumentLink[] {
  const [target, ...others] = ownFiles(view.project, named)
  if (target === undefined || others.length > 0) return []
  if (named.is === "file" && !isFile(target, view)) return []
  return [{ range: file.rangeOf(from, to), target: workspace.uriOf(project, target) }]
}

const isFile = (path: string, { checkFile }: Place["view"]): boolean =>
  joinPath(PROJECT_FILE, path) === path && checkFile(path) === undefined
