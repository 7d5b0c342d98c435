// Answers requests for hovers.

import type { Hover, HoverParams } from "vscode-languageserver-protocol"
import type { Context, Feature } from "../context.ts"
import { markup } from "../known/markup.ts"
import { hoverInJson } from "./in-json.ts"
import { hoverInScript, hoverInSecrets } from "./in-text.ts"

export const hover: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  requests: { "textDocument/hover": answer },
}

async function answer({ textDocument, position }: HoverParams, context: Context): Promise<Hover | null> {
  const place = context.place(textDocument)
  if (place === undefined) return null
  const { is: file } = place.file
  const offset = place.file.offsetAt(position)
  const request = { offset, context }
  const found = await (file.kind === "secrets"
    ? hoverInSecrets(place, request)
    : file.kind === "script"
      ? hoverInScript(place, request)
      : hoverInJson(place, request))
  if (found === undefined) return null
  const contents = markup(context.capabilities.textDocument?.hover?.contentFormat, found.write)
  return contents.value === "" ? null : { contents, range: place.file.rangeOf(found.from, found.to) }
}
