// The chosen environment: in the status bar, in the settings of the server, and as `--env` of every run.

import * as vscode from "vscode"
import type { Callsheet } from "./callsheet.ts"
import type { Project, Projects } from "./projects.ts"

export interface ListedEnvironment {
  readonly api: string
  readonly name: string
  readonly level: string
}

const CHOSEN = "callsheet.environment"

export class Environments implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext
  readonly #callsheet: Callsheet
  readonly #projects: Projects
  readonly #item: vscode.StatusBarItem
  readonly #known = new Map<string, readonly ListedEnvironment[]>()
  #reading: Promise<void> = Promise.resolve()
  readonly #changed = new vscode.EventEmitter<void>()
  readonly onChange = this.#changed.event

  constructor(context: vscode.ExtensionContext, callsheet: Callsheet, projects: Projects) {
    this.#context = context
    this.#callsheet = callsheet
    this.#projects = projects
    this.#item = vscode.window.createStatusBarItem("callsheet.environment", vscode.StatusBarAlignment.Left)
    this.#item.name = "callsheet environment"
    this.#item.command = "callsheet.chooseEnvironment"
    this.#show()
  }

  /** The name of the chosen environment. Undefined to use the defaults of each project. */
  get chosen(): string | undefined {
    const kept = this.#context.workspaceState.get<string>(CHOSEN)
    const setting = vscode.workspace.getConfiguration("callsheet").get<string>("environment")
    return (kept ?? setting) || undefined
  }

  /** The names in all projects, sorted. */
  get names(): readonly string[] {
    return [...new Set([...this.#known.values()].flat().map(({ name }) => name))].sort()
  }

  /** Returns `<api>=<environment>` for each API of the project that has the environment. */
  bindings(project: Project, name: string | undefined = this.chosen): readonly string[] {
    const known = this.#known.get(project.root) ?? []
    return known.filter((environment) => environment.name === name).map(({ api }) => `${api}=${name}`)
  }

  refresh(): Promise<void> {
    this.#reading = this.#read()
    return this.#reading
  }

  async #read(): Promise<void> {
    const listed = await Promise.all(
      this.#projects.all.map(async (project) => {
        const json = await this.#callsheet.readJson(project, ["env", "list", "--json"])
        return [project.root, Array.isArray(json) ? (json as ListedEnvironment[]) : []] as const
      }),
    )
    this.#known.clear()
    for (const [root, environments] of listed) this.#known.set(root, environments)
    this.#show()
    this.#changed.fire()
  }

  /** Lets the user choose. `isNeeded` is true for a project without defaults. */
  async choose({ isNeeded = false } = {}): Promise<void> {
    await this.#reading
    const all = [...this.#known.values()].flat()
    const items = this.names.map((name) => {
      const own = all.filter((environment) => environment.name === name)
      const isProduction = own.some(({ level }) => level === "production")
      return {
        label: name,
        description: [...new Set(own.map(({ api }) => api))].join(", "),
        ...(isProduction ? { detail: "production: every run asks for this name" } : {}),
        value: name,
      }
    })
    const none = { label: "Defaults of the project", description: "callsheet.json", value: "" }
    const picked = await vscode.window.showQuickPick(isNeeded ? items : [none, ...items], {
      title: "Environment for runs",
    })
    if (picked === undefined) return
    await this.#context.workspaceState.update(CHOSEN, picked.value)
    this.#show()
    this.#changed.fire()
  }

  #show(): void {
    const { chosen } = this
    const all = [...this.#known.values()].flat()
    const isProduction = all.some(({ name, level }) => name === chosen && level === "production")
    this.#item.text = `$(server-environment) ${chosen ?? "callsheet: defaults"}`
    this.#item.tooltip =
      chosen === undefined ? "Choose the environment for callsheet runs" : `callsheet runs use ${chosen}`
    this.#item.backgroundColor = isProduction
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined
    if (this.#projects.all.length > 0) this.#item.show()
    else this.#item.hide()
  }

  dispose(): void {
    this.#item.dispose()
    this.#changed.dispose()
  }
}

export interface Unconfirmed {
  /** The names of the production environments. */
  readonly environments: readonly string[]
  /** What the run would send. */
  readonly message: string
}

/** Asks the user to type the name of each production environment. Returns false if any is not typed. */
export async function confirmProduction(runs: readonly Unconfirmed[]): Promise<boolean> {
  const names = new Set(runs.flatMap(({ environments }) => environments))
  const messages = [...new Set(runs.map(({ message }) => message))]
  for (const name of names) {
    const typed = await vscode.window.showInputBox({
      title: "Send requests to production?",
      prompt: `${messages.join("; ")}. Type ${name} to send.`,
      ignoreFocusOut: true,
      validateInput: (text) => (text === "" || name.startsWith(text) ? undefined : `Type ${name}.`),
    })
    if (typed !== name) return false
  }
  return names.size > 0
}
