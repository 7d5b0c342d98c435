// The last responses, as read-only JSON documents.

import * as vscode from "vscode"
import { stringifyJson } from "@callsheet/format"

const SCHEME = "callsheet-response"
const MAX_RESPONSES = 100

export class Responses implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>()
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this)

  /** Keeps a response, which the command has masked. The newest is last. */
  keep(workflow: string, block: string, response: object): void {
    const uri = uriOf(workflow, block)
    const key = uri.toString()
    this.#texts.delete(key)
    this.#texts.set(key, `${stringifyJson(response, { indent: 2 })}\n`)
    const [oldest] = this.#texts.keys()
    if (this.#texts.size > MAX_RESPONSES && oldest !== undefined) this.#texts.delete(oldest)
    this.#changed.fire(uri)
  }

  /** Keeps and opens the response in the server's answer about a saved request. The server has masked it. */
  async openSent(uri: string, answer: unknown): Promise<void> {
    const response: unknown =
      typeof answer === "object" && answer !== null ? Reflect.get(answer, "response") : undefined
    if (typeof response !== "object" || response === null) return
    const place = {
      workflow: "requests",
      block: vscode.Uri.parse(uri, true)
        .path.split("/")
        .slice(-2)
        .join("/")
        .replace(/\.json$/, ""),
    }
    this.keep(place.workflow, place.block, response)
    await this.open(place)
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? ""
  }

  /** Opens the response of a block, or lets the user choose one. */
  async open(place?: { readonly workflow: string; readonly block: string }): Promise<void> {
    const wanted = place && uriOf(place.workflow, place.block)
    const uri = wanted !== undefined && this.#texts.has(wanted.toString()) ? wanted : await this.#pick()
    if (uri !== undefined) await vscode.window.showTextDocument(uri, { preview: true })
  }

  async #pick(): Promise<vscode.Uri | undefined> {
    if (this.#texts.size === 0) {
      void vscode.window.showInformationMessage("Run a workflow first: no response arrived yet.")
      return undefined
    }
    const items = [...this.#texts.keys()].toReversed().map((key) => {
      const uri = vscode.Uri.parse(key, true)
      return { label: uri.path.slice(1).replace(/\.json$/, ""), uri }
    })
    const picked = await vscode.window.showQuickPick(items, { title: "Open a response" })
    return picked?.uri
  }

  dispose(): void {
    this.#registered.dispose()
    this.#changed.dispose()
  }
}

/** The block's id may contain anything, so it is one segment. The ending makes the document JSON. */
const uriOf = (workflow: string, block: string): vscode.Uri =>
  vscode.Uri.from({ scheme: SCHEME, path: `/${workflow}/${block.replaceAll("/", "∕")}.json` })
