// Finds what the user means: the project, workflow and block at the cursor, or a choice from a list.

import * as vscode from "vscode"
import type { ListedWorkflow } from "../tests/listed-tests.ts"
import type { TestExplorer } from "../explorer/test-explorer.ts"
import type { Project, Projects } from "../projects.ts"

export interface Where {
  readonly project: Project
  readonly workflow: ListedWorkflow
  /** The id of the block at the cursor. */
  readonly block?: string | undefined
}

/** Returns the project of the active editor, the only project, or the one that the user chooses. */
export async function chooseProject(projects: Projects): Promise<Project | undefined> {
  const own = projects.of(vscode.window.activeTextEditor?.document.uri)
  if (own !== undefined) return own
  const { all } = projects
  if (all.length < 2) {
    if (all.length === 0)
      void vscode.window.showInformationMessage("This workspace has no callsheet project.")
    return all[0]
  }
  const items = all.map((project) => ({ label: project.label, project }))
  const picked = await vscode.window.showQuickPick(items, { title: "callsheet project" })
  return picked?.project
}

/** Returns the workflow in the active editor, with the block at the cursor. */
export function workflowAtCursor(projects: Projects, explorer: TestExplorer): Where | undefined {
  const editor = vscode.window.activeTextEditor
  const project = projects.of(editor?.document.uri)
  if (editor === undefined || project === undefined) return undefined
  const workflow = workflowsIn(project, explorer).find(
    ({ file }) => vscode.Uri.joinPath(project.uri, file).toString() === editor.document.uri.toString(),
  )
  if (workflow === undefined) return undefined
  const line = editor.selection.active.line + 1
  const before = workflow.blocks.filter((block) => block.line <= line)
  return { project, workflow, block: before.at(-1)?.id }
}

/** Returns the workflow in the active editor, or the one that the user chooses. */
export async function chooseWorkflow(projects: Projects, explorer: TestExplorer): Promise<Where | undefined> {
  const here = workflowAtCursor(projects, explorer)
  if (here !== undefined) return here
  const project = await chooseProject(projects)
  if (project === undefined) return undefined
  const items = workflowsIn(project, explorer).map((workflow) => ({ label: workflow.workflow, workflow }))
  const picked = await vscode.window.showQuickPick(items, { title: "Workflow" })
  return picked && { project, workflow: picked.workflow }
}

/** Returns the workflows of a project, as the Test Explorer listed them. */
export const workflowsIn = (project: Project, explorer: TestExplorer): readonly ListedWorkflow[] =>
  explorer.items.listed(project).tests.flatMap((test) => ("workflow" in test ? [test] : []))
