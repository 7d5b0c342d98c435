// The callsheet that the extension starts for each project, with its output channel.

import * as vscode from "vscode"
import { findCommand, findServer, type CallsheetCommand } from "./program/find-command.ts"
import { readProgram, startProgram, type ProgramCall } from "./program/start-program.ts"
import type { Project } from "./projects.ts"

export class Callsheet {
  readonly output: vscode.LogOutputChannel
  readonly #extension: string

  constructor(context: vscode.ExtensionContext) {
    this.#extension = context.extensionPath
    this.output = vscode.window.createOutputChannel("callsheet", { log: true })
    context.subscriptions.push(this.output)
  }

  /** Returns the command that serves the language to the whole workspace. */
  server(project: Project | undefined): CallsheetCommand {
    return findServer(this.#place(project))
  }

  /** Runs the command to its end. Throws unless the workspace is trusted, because a project can name programs. */
  run(project: Project, call: Omit<ProgramCall, "root">) {
    return startProgram(this.#command(project, call.words), { ...call, root: project.root })
  }

  /** Runs the command to its end, and returns what it printed. */
  read(project: Project, words: readonly string[], signal?: AbortSignal) {
    const call = { words, root: project.root, ...(signal === undefined ? {} : { signal }) }
    return readProgram(this.#command(project, words), call)
  }

  /** Returns the JSON that the command prints. Logs its errors. Undefined if there is none. */
  async readJson(project: Project, words: readonly string[]): Promise<unknown> {
    const { output, errors } = await this.read(project, words)
    if (errors !== "") this.output.warn(errors.trimEnd())
    try {
      return JSON.parse(output) as unknown
    } catch {
      return undefined
    }
  }

  #command(project: Project, words: readonly string[]): CallsheetCommand {
    if (!vscode.workspace.isTrusted) throw new Error("this workspace is not trusted")
    const command = findCommand(this.#place(project))
    // Names of inputs and paths only: values come from the user's files.
    this.output.info(`callsheet ${command.version}: ${words.join(" ")}`)
    return command
  }

  #place(project: Project | undefined) {
    const folder = project?.folder.uri.fsPath ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath
    return {
      extension: this.#extension,
      root: project?.root ?? folder ?? this.#extension,
      workspace: folder ?? this.#extension,
      isTrusted: vscode.workspace.isTrusted && folder !== undefined,
    }
  }
}
