// Navigation: definitions, references, symbols, folding, selections and links.

import type { Feature } from "../context.ts"
import { prepareRename, rename } from "./rename/rename.ts"
import { documentLink, foldingRange, selectionRange } from "./ranges.ts"
import { documentSymbol, workspaceSymbol } from "./symbols.ts"
import { definition, documentHighlight, references } from "./definition.ts"

export const navigation: Feature = {
  capabilities: (client) => ({
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    documentLinkProvider: {},
    renameProvider: client.textDocument?.rename?.prepareSupport === true ? { prepareProvider: true } : true,
  }),
  requests: {
    "textDocument/definition": definition,
    "textDocument/references": references,
    "textDocument/documentHighlight": documentHighlight,
    "textDocument/documentSymbol": documentSymbol,
    "workspace/symbol": workspaceSymbol,
    "textDocument/foldingRange": foldingRange,
    "textDocument/selectionRange": selectionRange,
    "textDocument/documentLink": documentLink,
    "textDocument/prepareRename": prepareRename,
    "textDocument/rename": rename,
  },
}
