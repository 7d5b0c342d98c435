// Answers with the problems of one document, or of all documents of a workspace.

import {
  CallsheetError,
  getOrCreate,
  type Problem,
  type ProcessEnvironment,
  type SourceFile,
} from "@callsheet/format"
import { problemsInFile } from "@callsheet/server"
import type { Diagnostic } from "vscode-languageserver-protocol"
import { createEditorFile, kindOf, type EditorFile } from "../file/editor-file.ts"
import type { View } from "../project/view.ts"
import type { OpenProject, Place, Workspace } from "../workspace/workspace.ts"
import type { CheckedProject, Validation } from "./check-project.ts"
import { toDiagnostic } from "./to-diagnostic.ts"

export interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[]
  /** False if only the file was checked, without what other files say about it. */
  readonly isWhole: boolean
}

type Checking = Pick<Validation, "mask"> & { readonly processEnvironment: ProcessEnvironment }

/** Returns the problems of a document. Waits for the check of the project only if nothing else finds them. */
export async function diagnose(place: Place, checking: Checking, signal: AbortSignal): Promise<Diagnosis> {
  const { problems, isWhole } = await check(place, checking, signal)
  return { diagnostics: problems.map((problem) => toDiagnostic(problem, place.file)), isWhole }
}

/** Like `diagnose`, with the replacements that problems know. */
export const problemsOf = async (
  place: Place,
  checking: Checking,
  signal: AbortSignal,
): Promise<readonly Problem[]> => (await check(place, checking, signal)).problems

async function check(
  { project, view, file }: Place,
  { mask, processEnvironment }: Checking,
  signal: AbortSignal,
) {
  const latest = project.latest()
  const own =
    latest?.view.revision === view.revision
      ? undefined
      : await checkFile({ ...view, processEnvironment }, file)
  const isHere = (problem: Problem): boolean => problem.file === file.path
  const problems =
    own === undefined
      ? (await project.current(signal)).problems.filter(isHere)
      : [...(await mask(view.project, own)), ...(latest?.surrounding.filter(isHere) ?? [])]
  return { problems, isWhole: own === undefined }
}

async function checkFile(
  view: View & { readonly processEnvironment: ProcessEnvironment },
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
    const checked = await checkedOf(project, signal)
    for (const [uri, diagnostics] of byDocument(workspace, project, checked)) all.set(uri, diagnostics)
  }
  return all
}

type Checked = Pick<CheckedProject, "problems"> & Partial<Pick<CheckedProject, "view">>

/** A project that can't be read doesn't hide the problems of others. */
async function checkedOf(project: OpenProject, signal: AbortSignal): Promise<Checked> {
  try {
    return await project.current(signal)
  } catch (error) {
    if (!(error instanceof CallsheetError)) throw error
    const { code, message, hint } = error
    return { problems: [{ code, severity: "error", message, hint }] }
  }
}

function byDocument(workspace: Workspace, project: OpenProject, { view, problems }: Checked) {
  const byFile = new Map<string, Problem[]>()
  // A problem without a file concerns the project.
  for (const problem of problems) getOrCreate(byFile, problem.file ?? "", () => []).push(problem)
  const known = shown.get(project) ?? new Map<string, Shown>()
  const now = new Map<string, Shown>()
  for (const [path, own] of byFile)
    for (const uri of workspace.urisOf(project, path)) {
      const text = workspace.sentTextOf(uri) ?? (view && sourceIn(view, path))
      now.set(uri, showAt({ uri, path, text, problems: own }, known.get(uri)))
    }
  shown.set(project, now)
  return [...now].map(([uri, { diagnostics }]) => [uri, diagnostics] as const)
}

interface Shown {
  readonly text: string | SourceFile | undefined
  readonly problems: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The last diagnostics of each project. Most stay the same, and finding the places in a large document takes long. */
const shown = new WeakMap<OpenProject, ReadonlyMap<string, Shown>>()

interface Showing extends Pick<Shown, "text"> {
  readonly uri: string
  readonly path: string
  readonly problems: readonly Problem[]
}

function showAt({ uri, path, text, problems }: Showing, before: Shown | undefined): Shown {
  const key = JSON.stringify(problems)
  if (before?.text === text && before?.problems === key) return before
  const sent = typeof text === "object" ? text.text : text
  const file = sent === undefined ? undefined : createEditorFile({ uri, path, sent })
  return { text, problems: key, diagnostics: problems.map((problem) => toDiagnostic(problem, file)) }
}

/** Returns what was checked. The project has the texts of workflows and documents, so that they aren't read again. */
function sourceIn(view: View, path: string): string | SourceFile | undefined {
  const { workflows, apis } = view.project
  const file = kindOf(path)
  const workflow = file.kind === "workflow" ? workflows.get(file.workflow) : undefined
  const document = apis.get(path.split("/")[1] ?? "")?.document
  return [workflow, document].find((known) => known?.file === path) ?? view.textOf(path)
}
