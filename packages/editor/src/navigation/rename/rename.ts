// Answers `prepareRename` and `rename` by one edit of all files.

import { CallsheetError, createLineFinder, smallChanges, type TextChange } from "@callsheet/format"
import { possibleMentions, type Named, type RenamedText } from "@callsheet/language"
import type { Range, RenameParams, WorkspaceEdit } from "vscode-languageserver-protocol"
import type { Context } from "../../context.ts"
import type { Place } from "../../workspace/workspace.ts"
import { ContentModified, createWorkspaceEdit } from "../../edits/workspace-edit.ts"
import { mentionAt, type PositionParams, type ProjectRange } from "../locate.ts"
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
  // The name may be at another place now, which the plan doesn't change.
  if (place.project.state.revision() !== place.view.revision) throw new ContentModified()
  const { texts, moves } = plan
  const edit = createWorkspaceEdit(context, place.project, { texts, moves, changesOf: smallChanges })
  const changes = texts.map((text) => ({ ...text, changes: smallChanges(text.before, text.after) }))
  tell(context, { to, lines: linesOf(place, { named, plan, texts: changes }) })
  return edit ?? {}
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
