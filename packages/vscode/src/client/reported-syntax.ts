// Knows in which files VS Code's own JSON validation reports broken syntax, which the server then doesn't report, too.

import * as vscode from "vscode"

/** VS Code's validation names the language as its source. It accepts some files that callsheet doesn't, such as empty ones. */
const isReported = (uri: vscode.Uri): boolean =>
  vscode.languages.getDiagnostics(uri).some(({ source }) => source === "json" || source === "jsonc")

const isSyntaxCode = (code: vscode.Diagnostic["code"]): boolean =>
  (typeof code === "object" ? code.value : code) === "json-syntax"

/** Returns the diagnostics of a file that VS Code doesn't report itself. */
export const withoutReported = <D extends vscode.Diagnostic>(
  uri: vscode.Uri,
  diagnostics: readonly D[],
): D[] => diagnostics.filter(({ code }) => !isSyntaxCode(code) || !isReported(uri))

/** Calls `onChange` if VS Code starts or stops reporting broken syntax in a file. */
export function watchReported(onChange: () => void): vscode.Disposable {
  const reported = new Set<string>()
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    const changed = uris.filter((uri) => reported.has(uri.toString()) !== isReported(uri))
    for (const uri of changed)
      if (isReported(uri)) reported.add(uri.toString())
      else reported.delete(uri.toString())
    if (changed.length > 0) onChange()
  })
}
