// Answers requests for completion.

import { isJsonObject, ownOf, type JsonValue } from "@callsheet/format"
import type { CompletionItem, CompletionList, CompletionParams } from "vscode-languageserver-protocol"
import type { Context, Feature } from "../context.ts"
import { describeOperation } from "../known/describe-operation.ts"
import { markup } from "../known/markup.ts"
import { operationOf } from "../known/operations.ts"
import { completeJson } from "./complete-json.ts"
import { completeScript } from "./script.ts"
import { completeSecrets } from "./secrets.ts"

export const completion: Feature = {
  capabilities: () => ({
    completionProvider: { triggerCharacters: ['"', "{", ".", "$", "/"], resolveProvider: true },
  }),
  requests: { "textDocument/completion": complete, "completionItem/resolve": resolve },
}

const nothing: CompletionList = { isIncomplete: false, items: [] }

async function complete(
  { textDocument, position, context: trigger }: CompletionParams,
  context: Context,
): Promise<CompletionList> {
  const place = context.place(textDocument)
  if (place === undefined) return nothing
  const { is: file } = place.file
  const offset = place.file.offsetAt(position)
  switch (file.kind) {
    case "secrets":
      return completeSecrets(place, offset)
    case "script":
      return completeScript(place, offset)
    case "other":
      return nothing
    default:
      return completeJson(place, { offset, context, trigger: trigger?.triggerCharacter })
  }
}

/** Adds the documentation of an operation, which takes longer than its name. */
async function resolve(item: CompletionItem, context: Context): Promise<CompletionItem> {
  const data = item.data as JsonValue | undefined
  const [uri, api, operation] = ["uri", "api", "operation"].map((name) =>
    isJsonObject(data) ? ownOf(data, name) : undefined,
  )
  if (typeof uri !== "string" || typeof api !== "string" || typeof operation !== "string") return item
  const view = context.place({ uri })?.view
  const found = view && (await operationOf(view, { api, operation }))
  if (view === undefined || found === undefined) return item
  const formats = context.capabilities.textDocument?.completion?.completionItem?.documentationFormat
  return { ...item, documentation: markup(formats, describeOperation(found, view.masker().text)) }
}
