// The projects in the workspace: every directory with `apis/`, outside node_modules.

import * as vscode from "vscode"

export interface Project {
  readonly uri: vscode.Uri
  /** The absolute path of the directory. */
  readonly root: string
  /** The workspace folder that contains it. */
  readonly folder: vscode.WorkspaceFolder
  /** Its path in the workspace, for people. */
  readonly label: string
}

const FILES = "**/apis/{*/openapi.json,*/openapi.yaml,*/openapi.yml,*/environments/*.json,workflow/*.json}"
const OUTSIDE = "**/{node_modules,.*}/**"
const MAX_FILES = 20_000

export class Projects implements vscode.Disposable {
  #known: readonly Project[] = []
  readonly #changed = new vscode.EventEmitter<readonly Project[]>()
  readonly onChange = this.#changed.event

  get all(): readonly Project[] {
    return this.#known
  }

  /** Returns the innermost project that contains a file. */
  of(uri: vscode.Uri | undefined): Project | undefined {
    if (uri === undefined) return undefined
    const inside = this.#known.filter((project) => isInside(uri, project.uri))
    return inside.sort((one, other) => other.root.length - one.root.length)[0]
  }

  async refresh(): Promise<void> {
    const files = await vscode.workspace.findFiles(FILES, OUTSIDE, MAX_FILES)
    const found = new Map<string, Project>()
    for (const file of files) {
      const folder = vscode.workspace.getWorkspaceFolder(file)
      const root = rootOf(file)
      if (folder === undefined || root === undefined || !isInside(root, folder.uri)) continue
      const label = vscode.workspace.asRelativePath(root, true)
      found.set(root.toString(), { uri: root, root: root.fsPath, folder, label })
    }
    this.#known = [...found.values()].sort((one, other) => (one.root < other.root ? -1 : 1))
    this.#changed.fire(this.#known)
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

const isInside = (uri: vscode.Uri, directory: vscode.Uri): boolean =>
  uri.scheme === directory.scheme &&
  uri.authority === directory.authority &&
  (uri.path === directory.path || uri.path.startsWith(`${directory.path.replace(/\/$/, "")}/`))

/** Returns the directory that contains the innermost `apis/` around a file. */
function rootOf(file: vscode.Uri): vscode.Uri | undefined {
  const at = file.path.lastIndexOf("/apis/")
  return at === -1 ? undefined : file.with({ path: file.path.slice(0, at) || "/" })
}
