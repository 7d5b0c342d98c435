// Starts `callsheet lsp` and connects VS Code to it.

import * as vscode from "vscode"
import {
  DocumentDiagnosticRequest,
  LanguageClient,
  TransportKind,
  Trace,
  vsdiag,
  type LanguageClientOptions,
} from "vscode-languageclient/node"
import type { CallsheetCommand } from "../program/find-command.ts"
import { withoutReported } from "./reported-syntax.ts"

export interface ClientParts {
  readonly command: CallsheetCommand
  readonly output: vscode.LogOutputChannel
  /** The environment that the server shows values of. */
  readonly environment: () => string | undefined
  /** Runs a command of a code lens. Returns false if the server has to run it. */
  readonly runCommand: (name: string, argument: unknown) => Promise<boolean>
}

const FILES = "**/{apis/**,callsheet.json,callsheet.baseline.json}"

export function createClient(parts: ClientParts): LanguageClient {
  const { command, output, environment, runCommand } = parts
  const run = {
    module: command.entry,
    args: ["lsp"],
    // Adds `--stdio`.
    transport: TransportKind.stdio,
    options: { env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } },
  }
  const options: LanguageClientOptions = {
    // Remote files have their own scheme in some clients.
    documentSelector: ["file", "vscode-remote"].map((scheme) => ({ scheme, pattern: FILES })),
    initializationOptions: { trusted: vscode.workspace.isTrusted, commands: ["callsheet.debugScript"] },
    outputChannel: output,
    middleware: {
      provideDiagnostics: async (document, _previous, token, next) => {
        // Asks for everything, because what VS Code reports may have changed.
        const report = await next(document, undefined, token)
        if (report?.kind !== vsdiag.DocumentDiagnosticReportKind.full) return report
        const uri = document instanceof vscode.Uri ? document : document.uri
        return { ...report, items: withoutReported(uri, report.items) }
      },
      executeCommand: async (name, given, next) => {
        const isOurs = await runCommand(name, given[0])
        return isOurs ? undefined : (next(name, given) as unknown)
      },
      workspace: {
        configuration: async (asked, token, next) => {
          const values = await next(asked, token)
          if (!Array.isArray(values)) return values
          return values.map((value: unknown, index) =>
            withEnvironment(asked.items[index]?.section, value, environment()),
          )
        },
      },
    },
  }
  const client = new LanguageClient("callsheet", "callsheet", { run, debug: run }, options)
  const level = vscode.workspace.getConfiguration("callsheet").get<string>("trace.server")
  void client.setTrace(Trace.fromString(level ?? "off"))
  return client
}

/** Asks the server for all diagnostics again. */
export function pullAgain(client: LanguageClient): void {
  if (client.isRunning()) client.getFeature(DocumentDiagnosticRequest.method).refresh()
}

/** The environment that the user chose in the status bar wins over the setting. */
function withEnvironment(section: string | undefined, value: unknown, chosen: string | undefined): unknown {
  if (chosen === undefined) return value
  if (section === "callsheet.environment") return chosen
  if (section !== "callsheet" || typeof value !== "object") return value
  return { ...value, environment: chosen }
}
