// The extension: starts the language server, and in a trusted workspace everything that runs callsheet.

import * as vscode from "vscode"
import type { LanguageClient } from "vscode-languageclient/node"
import { Callsheet } from "./callsheet.ts"
import { createClient, pullAgain } from "./client/language-client.ts"
import { watchReported } from "./client/reported-syntax.ts"
import { Apps } from "./commands/open-app.ts"
import { exportWorkflow, importRequests, newWorkflow, validateProject } from "./commands/project-commands.ts"
import { runLens, runToBlock, runWorkflow, sendThisRequest } from "./commands/run-commands.ts"
import { workflowAtCursor } from "./commands/where.ts"
import { Environments } from "./environments.ts"
import { TestExplorer } from "./explorer/test-explorer.ts"
import { offerRemoval } from "./offer-removal.ts"
import { Projects } from "./projects.ts"
import { Responses } from "./responses.ts"

type RunCommand = (name: string, argument: unknown) => Promise<boolean>

/** The language server of the workspace. It starts again when the user trusts the workspace. */
class Server {
  #client: LanguageClient | undefined
  #watching: vscode.Disposable | undefined
  environment: () => string | undefined = () => undefined
  runCommand: RunCommand = () => Promise.resolve(false)
  readonly #callsheet: Callsheet

  constructor(callsheet: Callsheet) {
    this.#callsheet = callsheet
  }

  async start(projects: Projects): Promise<void> {
    await this.stop()
    const command = this.#callsheet.server(projects.all[0])
    const client = createClient({
      command,
      output: this.#callsheet.output,
      environment: () => this.environment(),
      runCommand: (name, argument) => this.runCommand(name, argument),
    })
    this.#client = client
    this.#watching = watchReported(() => pullAgain(client))
    try {
      await client.start()
    } catch (error) {
      this.#callsheet.output.error(`the language server did not start: ${String(error)}`)
    }
  }

  /** Tells the server that settings changed, which it then reads. */
  async notifySettings(): Promise<void> {
    if (this.#client?.isRunning() !== true) return
    await this.#client.sendNotification("workspace/didChangeConfiguration", { settings: null })
  }

  async execute(command: string, argument: unknown): Promise<unknown> {
    return this.#client?.sendRequest("workspace/executeCommand", { command, arguments: [argument] })
  }

  async stop(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    this.#watching?.dispose()
    await client?.stop().catch(() => undefined)
  }
}

let server: Server | undefined

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const startedAt = performance.now()
  const callsheet = new Callsheet(context)
  const projects = new Projects()
  context.subscriptions.push(projects)
  const own = new Server(callsheet)
  server = own
  const startTrusted = (): void => {
    const trusted = startTrustedParts({ context, callsheet, projects, server: own })
    void trusted.catch((error: unknown) => callsheet.output.error(String(error)))
  }
  if (vscode.workspace.isTrusted) startTrusted()
  context.subscriptions.push(
    vscode.commands.registerCommand("callsheet.restartServer", () => own.start(projects)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      startTrusted()
      void own.start(projects)
    }),
  )
  // Files are found in the background: VS Code waits for `activate`.
  void projects.refresh().then(() => own.start(projects))
  callsheet.output.info(`activated in ${Math.round(performance.now() - startedAt)} ms`)
  return Promise.resolve()
}

export async function deactivate(): Promise<void> {
  await server?.stop()
}

interface Start {
  readonly context: vscode.ExtensionContext
  readonly callsheet: Callsheet
  readonly projects: Projects
  readonly server: Server
}

/** Starts what runs callsheet, which can run code of the workspace. */
async function startTrustedParts({ context, callsheet, projects, server: own }: Start): Promise<void> {
  const environments = new Environments(context, callsheet, projects)
  const responses = new Responses()
  const explorer = new TestExplorer({ callsheet, projects, environments, responses })
  const apps = new Apps({ callsheet, projects, explorer })
  const project = { callsheet, projects, environments, explorer }
  const run = {
    projects,
    explorer,
    sendRequest: async (uri: string) => {
      const argument = { uri, environment: environments.chosen }
      await responses.openSent(uri, await own.execute("callsheet.sendRequest", argument))
    },
  }
  own.environment = () => environments.chosen
  own.runCommand = async (name, argument) => {
    const uri = name === "callsheet.sendRequest" ? uriIn(argument) : undefined
    if (uri !== undefined) await run.sendRequest(uri)
    if (name === "callsheet.run") await runLens(run, argument)
    return uri !== undefined || name === "callsheet.run"
  }
  const commands: Readonly<Record<string, (argument: unknown) => unknown>> = {
    chooseEnvironment: () => environments.choose(),
    runWorkflow: () => runWorkflow(run),
    runToBlock: () => runToBlock(run),
    sendThisRequest: () => sendThisRequest(run),
    debugScript: (argument) => runLens(run, argument, true),
    openResponse: () => {
      const here = workflowAtCursor(projects, explorer)
      return responses.open(
        here?.block === undefined ? undefined : { workflow: here.workflow.workflow, block: here.block },
      )
    },
    validateProject: () => validateProject(project),
    importRequests: () => importRequests(project),
    exportWorkflow: () => exportWorkflow(project),
    newWorkflow: () => newWorkflow(project),
    openApp: () => apps.open(),
  }
  context.subscriptions.push(
    environments,
    responses,
    explorer,
    apps,
    ...Object.entries(commands).map(([name, command]) =>
      vscode.commands.registerCommand(`callsheet.${name}`, command),
    ),
    environments.onChange(() => void own.notifySettings()),
    watchFiles(() => void explorer.refresh()),
    projects.onChange(() => void environments.refresh()),
  )
  await Promise.all([explorer.refresh(), offerRemoval(context)])
}

/** Returns the document in the argument of `callsheet.sendRequest`. */
function uriIn(argument: unknown): string | undefined {
  const uri: unknown =
    typeof argument === "object" && argument !== null ? Reflect.get(argument, "uri") : undefined
  return typeof uri === "string" ? uri : undefined
}

const SETTLE_MS = 500

/** Calls `onChange` after files that define tests or environments changed. */
function watchFiles(onChange: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(onChange, SETTLE_MS)
  }
  const watchers = ["**/apis/workflow/*.json", "**/apis/*/environments/*.json", "**/callsheet.json"].map(
    (glob) => {
      const watcher = vscode.workspace.createFileSystemWatcher(glob)
      for (const listen of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) listen(later)
      return watcher
    },
  )
  return vscode.Disposable.from(...watchers, { dispose: () => clearTimeout(timer) })
}
