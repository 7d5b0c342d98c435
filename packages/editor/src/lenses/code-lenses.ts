// Answers with what an editor shows above workflows and blocks: run, run to here, debug a script, send a request.

import {
  createJsonLocator,
  scriptsOf,
  walkBlocks,
  type JsonPointer,
  type WorkflowFile,
} from "@callsheet/format"
import type { ClientCapabilities, CodeLens, CodeLensParams } from "vscode-languageserver-protocol"
import { DEBUG_SCRIPT, runCommands } from "../commands/command.ts"
import { commandNames } from "../commands/execute.ts"
import type { Context, Feature } from "../context.ts"
import { uriOf } from "../workspace/uris.ts"
import type { Place } from "../workspace/workspace.ts"

export const codeLenses: Feature = {
  capabilities: ({ textDocument }: ClientCapabilities) =>
    textDocument?.codeLens === undefined ? {} : { codeLensProvider: { resolveProvider: false } },
  requests: { "textDocument/codeLens": answer },
}

/** Shows nothing before trust, because every lens runs something. */
async function answer({ textDocument }: CodeLensParams, context: Context): Promise<CodeLens[]> {
  const place = context.isTrusted ? context.place(textDocument) : undefined
  if (place === undefined) return []
  const { is: file } = place.file
  if (file.kind === "request") return sendLenses(place, context)
  const workflow = file.kind === "workflow" ? place.view.project.workflows.get(file.workflow) : undefined
  return workflow === undefined ? [] : workflowLenses(place, workflow, context)
}

/** A lens is shown only if somebody runs its command: the client that declares it, or the server. */
function isRun(command: string, { clientCommands, options }: Context): boolean {
  return clientCommands.includes(command) || (options.runs !== undefined && commandNames.includes(command))
}

function workflowLenses({ file, project }: Place, workflow: WorkflowFile, context: Context): CodeLens[] {
  const { environment } = context.settings
  const suffix = environment === undefined ? "" : ` (${environment})`
  const locate = createJsonLocator(file.text)
  const lensAt = (pointer: JsonPointer, { command, title, until }: Shown): CodeLens[] => {
    if (!isRun(command, context)) return []
    const at = locate(pointer, "key")
    const argument = {
      project: uriOf(project.state.root),
      workflow: workflow.name,
      ...(until !== undefined && { until }),
      environments: environment === undefined ? [] : [environment],
    }
    return [
      { range: file.rangeOf(at, at), command: { title: title + suffix, command, arguments: [argument] } },
    ]
  }
  const { run } = runCommands
  const blocks = workflow.readable?.workflow.blocks ?? []
  return [
    ...lensAt(["blocks"], { command: run, title: "Run" }),
    ...[...walkBlocks(blocks)].flatMap(({ block, pointer }) => {
      const until = block.id
      const debugs = scriptsOf(block).length > 0
      return [
        ...lensAt(pointer(), { command: run, title: "Run to here", until }),
        ...(debugs ? lensAt(pointer(), { command: DEBUG_SCRIPT, title: "Debug script", until }) : []),
      ]
    }),
  ]
}

interface Shown {
  readonly command: string
  readonly title: string
  readonly until?: string
}

function sendLenses({ file }: Place, context: Context): CodeLens[] {
  const { environment } = context.settings
  const command = runCommands.sendRequest
  if (!isRun(command, context)) return []
  const title = environment === undefined ? "Send" : `Send (${environment})`
  const argument = { uri: file.uri, ...(environment !== undefined && { environment }) }
  return [{ range: file.rangeOf(0, 0), command: { title, command, arguments: [argument] } }]
}
