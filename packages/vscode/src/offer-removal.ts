// Offers to remove the JSON Schemas of `callsheet init --editor` from the settings: with the extension, VS Code completes
// and explains each field twice. It reports no mistake twice, because these schemas report none.

import * as vscode from "vscode"
import { withoutOwnSchemas } from "./schema-entries.ts"

const KEPT = "callsheet.keepSchemas"
const REMOVE = "Remove Them"
const KEEP = "Keep Them"

/** Asks once per workspace. Other people may use the settings without the extension, so nothing is removed unasked. */
export async function offerRemoval(context: vscode.ExtensionContext): Promise<void> {
  const removals = (vscode.workspace.workspaceFolders ?? []).flatMap(removalIn)
  if (removals.length === 0 || context.workspaceState.get<boolean>(KEPT) === true) return
  const message =
    "JSON Schemas in .vscode/settings.json explain fields that the callsheet extension explains, too. Remove the schemas?"
  const picked = await vscode.window.showInformationMessage(message, REMOVE, KEEP)
  if (picked === KEEP) await context.workspaceState.update(KEPT, true)
  if (picked === REMOVE) for (const remove of removals) await remove()
}

function removalIn(folder: vscode.WorkspaceFolder): readonly (() => Thenable<void>)[] {
  const settings = vscode.workspace.getConfiguration("json", folder.uri)
  const found = settings.inspect<unknown>("schemas")
  // In a workspace of one directory, its settings are those of the workspace.
  const isSingle = vscode.workspace.workspaceFile === undefined
  const others = withoutOwnSchemas(isSingle ? found?.workspaceValue : found?.workspaceFolderValue)
  if (others === undefined) return []
  const target = isSingle ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.WorkspaceFolder
  return [() => settings.update("schemas", others.length === 0 ? undefined : others, target)]
}
