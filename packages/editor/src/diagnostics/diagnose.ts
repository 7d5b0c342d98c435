// Answers with the problems of one document, or of all documents of a workspace.

import { getOrCreate, type Problem } from "@callsheet/format"
import { problemsInFile } from "@callsheet/server"
import type { Diagnostic } from "vscode-languageserver-protocol"
import { createEditorFile, type EditorFile } from "../file/editor-file.ts"
import type { View } from "../project/view.ts"
import type { OpenProject, Place, Workspace } from "../workspace/workspace.ts"
import type { CheckedProject, Validation } from "./check-project.ts"
import { toDiagnostic } from "./to-diagnostic.ts"

/** Returns the problems of a document. Waits for the check of the project only if nothing else finds them. */
export async function diagnose(
  { project, view, file }: Place,
  { mask }: Validation,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const latest = project.latest()
  const own = latest?.view.revision === view.revision ? undefined : await checkFile(view, file)
  const isHere = (problem: Problem): boolean => problem.file === file.path
  const shown =
    own === undefined
      ? (await project.current(signal)).problems.filter(isHere)
      : [...(await mask(view.project, own)), ...(latest?.surrounding.filter(isHere) ?? [])]
  return shown.map((problem) => toDiagnostic(problem, file))
}

async function checkFile(
  view: View,
  { is: file, path }: EditorFile,
): Promise<readonly Problem[] | undefined> {
  if (file.kind === "secrets" || file.kind === "other") return undefined
  return problemsInFile({ file, path }, view)
}

/** Returns the problems of all projects by document. */
export async function diagnoseAll(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const all = new Map<string, readonly Diagnostic[]>()
  for (const project of await workspace.projects()) {
    const checked = await project.current(signal)
    for (const [uri, diagnostics] of byDocument(workspace, project, checked)) all.set(uri, diagnostics)
  }
  return all
}

function byDocument(workspace: Workspace, project: OpenProject, { problems }: CheckedProject) {
  const byFile = new Map<string, Problem[]>()
  // A problem without a file concerns the project.
  for (const problem of problems) getOrCreate(byFile, problem.file ?? "", () => []).push(problem)
  return [...byFile].map(([path, own]): [string, readonly Diagnostic[]] => {
    const uri = workspace.uriOf(project, path)
    const file = fileOf(workspace, uri, path)
    return [uri, own.map((problem) => toDiagnostic(problem, file))]
  })
}

function fileOf(workspace: Workspace, uri: string, path: string): EditorFile | undefined {
  const sent = workspace.textOf(uri)
  return sent === undefined ? undefined : createEditorFile({ uri, path, sent })
}
