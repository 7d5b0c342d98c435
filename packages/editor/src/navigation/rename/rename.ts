// Answers `prepareRename` and `rename` by one edit of all files.

import { CallsheetError, createLineFinder, smallChanges, type TextChange } from "@callsheet/format"
import { possibleMentions, type Named, type RenamedText } from "@callsheet/language"
import type {
  Range,
  RenameParams,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol"
import type { Context } from "../../context.ts"
import type { Place } from "../../workspace/workspace.ts"
import { createLocator, mentionAt, type PositionParams, type ProjectRange } from "../locate.ts"
import { messages, notes as noteTexts } from "./messages.ts"
import { planRename, refusalOfThing, settled, type RenamePlan } from "./plan-rename.ts"

export async function prepareRename(
  params: PositionParams,
  context: Context,
): Promise<{ readonly range: Range; readonly placeholder: string } | null> {
  const found = mentionAt(params, context)
  if (found === undefined) return null
  const { place, mention } = found
  const named = settled(place.view, mention.named)
  const refusal = refusalOfThing(named)
  if (refusal !== undefined) throw new CallsheetError(refusal)
  return Promise.resolve({ range: place.file.rangeOf(mention.from, mention.to), placeholder: named.name })
}

export async function rename(params: RenameParams, context: Context): Promise<WorkspaceEdit> {
  const found = mentionAt(params, context)
  if (found === undefined) throw new CallsheetError(messages.usage.nothing())
  const { place, mention } = found
  const named = settled(place.view, mention.named)
  const to = params.newName
  if (to === named.name) return {}
  const plan = await planRename(place.view, named, to)
  const { workspaceEdit } = context.capabilities.workspace ?? {}
  if (plan.moves.length > 0 && workspaceEdit?.resourceOperations?.includes("rename") !== true)
    throw new CallsheetError(messages.usage.fileRenames())
  const changes = plan.texts.map((text) => ({ ...text, changes: smallChanges(text.before, text.after) }))
  tell(context, { to, lines: linesOf(place, { named, plan, texts: changes }) })
  return editOf(context, place, { plan, changes })
}

interface ChangedText extends RenamedText {
  readonly changes: readonly TextChange[]
}

/** The most places that a message lists. */
const MAX_LINES = 20

interface Unchanged {
  readonly to: string
  readonly lines: readonly string[]
}

/** Lists what the rename doesn't change, because the protocol has no dialog for it. */
function tell({ client }: Context, { to, lines }: Unchanged): void {
  if (lines.length === 0) return
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "…"] : lines
  client.notify("window/showMessage", { type: 2, message: noteTexts.list(to, shown) })
}

interface Renamed {
  readonly named: Named
  readonly plan: RenamePlan
  readonly texts: readonly ChangedText[]
}

function linesOf({ view }: Place, { named, plan, texts }: Renamed): readonly string[] {
  const changed = new Map(texts.map(({ file, changes }) => [file, changes]))
  const isChanged = ({ file, from, to }: ProjectRange): boolean =>
    changed.get(file)?.some((change) => change.from <= to && from <= change.to) === true
  const warned = plan.warnings.map(
    ({ file = "", line = 1, column = 1, message }) => `${file}:${line}:${column}: ${message}`,
  )
  const missed = [...plan.mentions, ...possibleMentions(view, named)]
    .filter((place) => place.from < place.to && !isChanged(place))
    .map(({ file, from }) => {
      const { line, column } = createLineFinder(view.textOf(file) ?? "")(from)
      return noteTexts.unchanged(`${file}:${line}:${column}`, named.name)
    })
  const masker = view.masker()
  return [...new Set([...warned, ...missed, ...plan.notes])].map((line) => masker.text(line))
}

interface Worked {
  readonly plan: RenamePlan
  readonly changes: readonly ChangedText[]
}

function editOf(context: Context, place: Place, { plan, changes }: Worked): WorkspaceEdit {
  const { fileOf } = createLocator(context, place)
  const texts = changes.map(({ file, changes: list }) => {
    const { uri, rangeOf } = fileOf(file)
    return {
      uri,
      edits: list.map(({ from, to, by }): TextEdit => ({ range: rangeOf(from, to), newText: by })),
    }
  })
  if (context.capabilities.workspace?.workspaceEdit?.documentChanges !== true && plan.moves.length === 0)
    return { changes: Object.fromEntries(texts.map(({ uri, edits }) => [uri, edits])) }
  const edits = texts.map(({ uri, edits: list }): TextDocumentEdit => ({
    textDocument: { uri, version: null },
    edits: list,
  }))
  const moves = plan.moves.map(({ from, to }) => ({
    kind: "rename" as const,
    oldUri: fileOf(from).uri,
    newUri: context.workspace.uriOf(place.project, to),
  }))
  return { documentChanges: [...edits, ...moves] }
}
