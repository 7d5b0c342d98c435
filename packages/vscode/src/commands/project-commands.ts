// Commands about a whole project: validate, import, export, new workflow.

import * as vscode from "vscode"
import { checkFreeName, isWorkflowName } from "@callsheet/format"
import type { Callsheet } from "../callsheet.ts"
import type { Environments } from "../environments.ts"
import type { TestExplorer } from "../explorer/test-explorer.ts"
import type { Project, Projects } from "../projects.ts"
import { chooseProject, chooseWorkflow, workflowsIn } from "./where.ts"

export interface ProjectParts {
  readonly callsheet: Callsheet
  readonly projects: Projects
  readonly environments: Environments
  readonly explorer: TestExplorer
}

const SHOW_OUTPUT = "Show Output"

export async function validateProject({ callsheet, projects }: ProjectParts): Promise<void> {
  const project = await chooseProject(projects)
  if (project === undefined || !(await vscode.workspace.saveAll(false))) return
  const { output, errors, exitCode } = await callsheet.read(project, ["validate"])
  callsheet.output.appendLine([output, errors].filter(Boolean).join("\n"))
  if (exitCode === 0) return tell(callsheet, `callsheet: ${lastLine(output) ?? "no errors"}`)
  const show = "Show Problems"
  const picked = await vscode.window.showWarningMessage("callsheet validate found errors.", show, SHOW_OUTPUT)
  if (picked === show) await vscode.commands.executeCommand("workbench.actions.view.problems")
  else if (picked === SHOW_OUTPUT) callsheet.output.show()
}

export async function importRequests({ callsheet, projects, explorer }: ProjectParts): Promise<void> {
  const project = await chooseProject(projects)
  if (project === undefined) return
  const source = await vscode.window.showQuickPick(sources, { title: "Import from" })
  if (source === undefined) return
  const files = await vscode.window.showOpenDialog({
    title: `Import ${source.detail}`,
    canSelectMany: true,
    canSelectFiles: !source.isFolder,
    canSelectFolders: source.isFolder,
    defaultUri: project.uri,
    openLabel: "Import",
  })
  if (files === undefined || files.length === 0) return
  const known = workflowNames(project, explorer)
  const words = ["import", "--", ...files.map(({ fsPath }) => fsPath)]
  const { output, errors, exitCode } = await callsheet.read(project, words)
  callsheet.output.appendLine([output, errors].filter(Boolean).join("\n"))
  await explorer.refresh()
  const added = workflowsIn(project, explorer).find(({ workflow }) => !known.includes(workflow))
  if (added !== undefined) await vscode.window.showTextDocument(vscode.Uri.joinPath(project.uri, added.file))
  const results = { 0: "imported everything.", 1: "imported, and something is left to do." }
  return tell(
    callsheet,
    `callsheet ${exitCode === 0 || exitCode === 1 ? results[exitCode] : "imported nothing."}`,
  )
}

// The dialogs of Windows and Linux choose either files or directories.
const sources = [
  { label: "Files", detail: "Postman, Insomnia, HAR, curl, Arazzo, OpenAPI", isFolder: false },
  { label: "Folder", detail: "Bruno, OpenCollection", isFolder: true },
]

const formats = [
  { label: "curl", ending: "sh" },
  { label: "har", ending: "har" },
  { label: "postman", ending: "postman_collection.json" },
  { label: "arazzo", ending: "arazzo.json" },
  { label: "k6", ending: "js" },
]

export async function exportWorkflow({ callsheet, projects, explorer, environments }: ProjectParts) {
  const where = await chooseWorkflow(projects, explorer)
  if (where === undefined) return
  const format = await vscode.window.showQuickPick(formats, { title: "Export to" })
  if (format === undefined) return
  const { project, workflow } = where
  const name = workflow.workflow
  const file = await vscode.window.showSaveDialog({
    title: `Export ${name}`,
    defaultUri: vscode.Uri.joinPath(project.uri, `${name}.${format.ending}`),
  })
  if (file === undefined) return
  const bindings = environments.bindings(project).map((binding) => `--env=${binding}`)
  // The dialog has asked whether to replace the file.
  const words = [
    "export",
    `--to=${format.label}`,
    ...bindings,
    `--output=${file.fsPath}`,
    "--force",
    "--",
    name,
  ]
  const { output, errors, exitCode } = await callsheet.read(project, words)
  callsheet.output.appendLine([output, errors].filter(Boolean).join("\n"))
  if (exitCode === 0 || exitCode === 1) await vscode.window.showTextDocument(file)
  if (exitCode !== 0)
    await tell(callsheet, exitCode === 1 ? "callsheet exported with losses." : "callsheet exported nothing.")
}

export async function newWorkflow({ projects, explorer }: ProjectParts): Promise<void> {
  const project = await chooseProject(projects)
  if (project === undefined) return
  const known = workflowNames(project, explorer)
  const name = await vscode.window.showInputBox({
    title: "New workflow",
    prompt: "The name of the file in apis/workflow, without .json",
    validateInput: (text) => refusal(text, known),
  })
  if (name === undefined || refusal(name, known) !== undefined) return
  const file = vscode.Uri.joinPath(project.uri, "apis", "workflow", `${name}.json`)
  const edit = new vscode.WorkspaceEdit()
  const contents = new TextEncoder().encode('{\n  "version": 1,\n  "blocks": []\n}\n')
  edit.createFile(file, { contents, overwrite: false })
  if (!(await vscode.workspace.applyEdit(edit))) return
  const editor = await vscode.window.showTextDocument(file)
  const inside = new vscode.Position(2, '  "blocks": ['.length)
  editor.selection = new vscode.Selection(inside, inside)
}

const workflowNames = (project: Project, explorer: TestExplorer): readonly string[] =>
  workflowsIn(project, explorer).map(({ workflow }) => workflow)

function refusal(name: string, known: readonly string[]): string | undefined {
  if (name === "") return "Type a name."
  if (!isWorkflowName(name)) return "A workflow can't have this name."
  const reason = checkFreeName(name)
  if (reason !== undefined) return `A workflow can't have this name: ${reason}.`
  return known.includes(name) ? "A workflow has this name." : undefined
}

async function tell(callsheet: Callsheet, message: string): Promise<void> {
  const picked = await vscode.window.showInformationMessage(message, SHOW_OUTPUT)
  if (picked === SHOW_OUTPUT) callsheet.output.show()
}

const lastLine = (text: string): string | undefined => text.trim().split("\n").at(-1)
