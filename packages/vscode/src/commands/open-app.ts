// "Open in the App": starts the local web app once per project, and opens it at the workflow and block at the cursor.

import * as vscode from "vscode"
import type { Callsheet } from "../callsheet.ts"
import type { TestExplorer } from "../explorer/test-explorer.ts"
import type { Project, Projects } from "../projects.ts"
import { chooseProject, workflowAtCursor } from "./where.ts"

export interface AppParts {
  readonly callsheet: Callsheet
  readonly projects: Projects
  readonly explorer: TestExplorer
}

/** The apps that the extension started. They end with VS Code. */
export class Apps implements vscode.Disposable {
  readonly #parts: AppParts
  readonly #stop = new AbortController()

  constructor(parts: AppParts) {
    this.#parts = parts
  }

  async open(): Promise<void> {
    const { projects, explorer } = this.#parts
    const here = workflowAtCursor(projects, explorer)
    const project = here?.project ?? (await chooseProject(projects))
    if (project === undefined) return
    const link = (await this.#runningLink(project)) ?? (await this.#start(project))
    if (link === undefined) {
      void vscode.window.showErrorMessage("callsheet: the app did not start. The output has the reason.")
      return
    }
    const block = here?.block === undefined ? "" : `/blocks/${encodeURIComponent(here.block)}`
    const route = here === undefined ? "" : `/workflows/${encodeURIComponent(here.workflow.workflow)}${block}`
    await openLink(`${link}${route}`)
  }

  /** Returns a new link to an app that runs already. */
  async #runningLink(project: Project): Promise<string | undefined> {
    const { output, exitCode } = await this.#parts.callsheet.read(project, ["app", "--print-link"])
    return exitCode === 0 ? output.trim() : undefined
  }

  #start(project: Project): Promise<string | undefined> {
    const { callsheet } = this.#parts
    return new Promise((resolve, reject) => {
      const call = {
        words: ["app", "--no-open"],
        signal: this.#stop.signal,
        onLine: (line: string) => resolve(line),
        onErrorLine: (line: string) => callsheet.output.info(line),
      }
      callsheet.run(project, call).then(() => resolve(undefined), reject)
    })
  }

  dispose(): void {
    this.#stop.abort()
  }
}

/**
 * Opens a link to an app on the machine of the extension, which may be remote. VS Code then forwards the port. A proxy,
 * such as code-server's, changes the address, and the app answers only at its own.
 */
async function openLink(link: string): Promise<void> {
  const { origin, port } = new URL(link)
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(origin, true))
  const isOwn = [`127.0.0.1:${port}`, `localhost:${port}`].includes(external.authority)
  if (isOwn && external.path.replace(/^\/$/, "") === "") {
    await vscode.env.openExternal(vscode.Uri.parse(link, true))
    return
  }
  const copy = "Copy Link"
  const message = `The app answers only at ${origin}. Open its link on the machine of the workspace, or forward the port first.`
  const picked = await vscode.window.showInformationMessage(message, copy)
  if (picked === copy) await vscode.env.clipboard.writeText(link)
}
