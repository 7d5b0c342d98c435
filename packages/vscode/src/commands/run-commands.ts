// Commands that run something: a workflow, everything up to a block, a saved request, and code lenses of the server.

import * as vscode from "vscode"
import type { TestExplorer } from "../explorer/test-explorer.ts"
import type { Projects } from "../projects.ts"
import { nodeId } from "../tests/test-tree.ts"
import { readLensArgument } from "../tests/lens-argument.ts"
import { chooseWorkflow, workflowAtCursor } from "./where.ts"

export interface RunParts {
  readonly projects: Projects
  readonly explorer: TestExplorer
  /** Asks the language server to send a saved request, and opens what it received. */
  readonly sendRequest: (uri: string) => Promise<void>
}

export async function runWorkflow({ projects, explorer }: RunParts): Promise<void> {
  const where = await chooseWorkflow(projects, explorer)
  if (where === undefined) return
  if (!(await saveAll())) return
  await explorer.run(where.project, [nodeId.workflow(where.workflow.workflow)])
}

/** Runs the workflow up to the block at the cursor. */
export async function runToBlock({ projects, explorer }: RunParts): Promise<void> {
  const where = workflowAtCursor(projects, explorer)
  if (where?.block === undefined) {
    void vscode.window.showInformationMessage("Put the cursor in a block of a workflow.")
    return
  }
  if (!(await saveAll())) return
  await explorer.run(where.project, [nodeId.block(where.workflow.workflow, where.block)])
}

/** Sends the request at the cursor: a block after those before it, or a saved request by the language server. */
export async function sendThisRequest(parts: RunParts): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri
  if (uri !== undefined && /\/apis\/[^/]+\/requests\/[^/]+\/[^/]+\.json$/.test(uri.path))
    return parts.sendRequest(uri.toString())
  return runToBlock(parts)
}

/** Runs what a code lens names: `callsheet.run` of the server, or our `callsheet.debugScript`. */
export async function runLens(
  { projects, explorer }: RunParts,
  argument: unknown,
  debugs = false,
): Promise<void> {
  const lens = readLensArgument(argument)
  const project = lens && projects.all.find(({ root, uri }) => [root, uri.toString()].includes(lens.project))
  if (lens === undefined || project === undefined || !(await saveAll())) return
  const { workflow, until, environments } = lens
  const node = until === undefined ? nodeId.workflow(workflow) : nodeId.block(workflow, until)
  await explorer.run(project, [node], { environments, debugs })
}

/** The command reads files, not editors. Returns false if a file could not be saved. */
const saveAll = async (): Promise<boolean> => vscode.workspace.saveAll(false)
