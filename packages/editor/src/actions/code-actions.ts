// Answers which actions an editor can offer at a place.

import type { ClientCapabilities, CodeAction, CodeActionParams } from "vscode-languageserver-protocol"
import type { Context, Feature } from "../context.ts"
import { actionKinds, type ActionKind, type ActionRequest, type Offer, type Offering } from "./action.ts"
import { assertStatusOf } from "./assert-status.ts"
import { createRequest } from "./create-request.ts"
import { createScript } from "./create-script.ts"
import { declareVariable } from "./declare-variable.ts"
import { extractValue, moveSecret } from "./extract-value.ts"
import { fixAll } from "./fix-all.ts"
import { replaceSimilarName } from "./similar-names.ts"
import { createWorkspaceEdit } from "../edits/workspace-edit.ts"

/** In the order of the menu. */
const offerings: readonly Offering[] = [
  replaceSimilarName,
  declareVariable,
  createRequest,
  createScript,
  moveSecret,
  assertStatusOf,
  extractValue,
  fixAll,
]

export const codeActions: Feature = {
  // Older clients show only commands, which can't edit.
  capabilities: (client) =>
    showsActions(client) ? { codeActionProvider: { codeActionKinds: [...actionKinds] } } : {},
  requests: { "textDocument/codeAction": answer },
}

const showsActions = ({ textDocument }: ClientCapabilities): boolean =>
  textDocument?.codeAction?.codeActionLiteralSupport !== undefined

async function answer(params: CodeActionParams, context: Context): Promise<CodeAction[]> {
  const place = context.place(params.textDocument)
  if (place === undefined || !showsActions(context.capabilities)) return []
  const { only, diagnostics } = params.context
  const request: ActionRequest = {
    place,
    context,
    diagnostics: diagnostics.filter(({ source }) => source === "callsheet"),
    offset: place.file.offsetAt(params.range.start),
    asksFor: (kind) => only?.some((wanted) => includes(wanted, kind)) === true,
  }
  const offers = await Promise.all(offerings.map(async (offering) => offering(request)))
  context.signal.throwIfAborted()
  return offers
    .flat()
    .filter(({ kind }) => only === undefined || request.asksFor(kind))
    .flatMap((offer) => toAction(offer, request))
}

/** `quickfix` includes `quickfix.callsheet`. */
const includes = (wanted: string, kind: ActionKind): boolean =>
  wanted === "" || kind === wanted || kind.startsWith(`${wanted}.`)

function toAction(offer: Offer, { place, context }: ActionRequest): readonly CodeAction[] {
  const { title, kind, diagnostic, isPreferred, texts, command } = offer
  const edit = texts && createWorkspaceEdit(context, place.project, { texts })
  // Names are not secrets, except if somebody wrote a secret where a name belongs.
  const isShown = place.view.masker().text(title) === title
  if (!isShown || (texts !== undefined && edit === undefined)) return []
  return [
    {
      title,
      kind,
      ...(diagnostic && { diagnostics: [diagnostic] }),
      ...(isPreferred === true && { isPreferred }),
      ...(edit && { edit }),
      ...(command && { command }),
    },
  ]
}
