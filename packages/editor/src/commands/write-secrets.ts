// The commands that write secrets: declare one, move one out of a value file, extract one from a request. They write by
// the project's writer and tell only names, because an edit or a message of an editor must not contain a value.

import {
  CallsheetError,
  isJsonArray,
  isJsonObject,
  setSecret,
  type EnvironmentFiles,
} from "@callsheet/format"
import { applyTextEdits, writeEnvironment, type TextEdit } from "@callsheet/project"
import { createWorkspaceEdit } from "../edits/workspace-edit.ts"
import { declarationOf } from "../actions/declare-variable.ts"
import { extractionAt } from "../actions/extraction.ts"
import { messages, notes } from "../messages.ts"
import { pathOf, realPathOf } from "../workspace/uris.ts"
import type { OpenProject, Workspace } from "../workspace/workspace.ts"
import { addVariable } from "./add-variable.ts"
import { writeCommands, type CommandCall, type RunCommand } from "./command.ts"

export const declareSecret: RunCommand = async (argument, call) => {
  const { project, files, name } = await readVariable(argument, call, writeCommands.declareSecret)
  const change = addVariable(files, declarationOf(files, { name }))
  if (change === undefined) throw wrongArgument(writeCommands.declareSecret)
  await write(call, project, { title: change.title, edits: change.edits })
  tell(call, notes.declared(name, files.api))
}

export const moveSecret: RunCommand = async (argument, call) => {
  const { project, files, name } = await readVariable(argument, call, writeCommands.moveSecret)
  const environment = files.environments.get(String(membersOf(argument)["environment"]))
  const value = environment?.values.get(name)
  const isScalar = value !== undefined && value !== null && !isJsonArray(value) && !isJsonObject(value)
  if (environment === undefined || !isScalar || typeof value === "bigint")
    throw wrongArgument(writeCommands.moveSecret)
  requireSaved(call.context.workspace, project, [
    environment.valueFile.file,
    secretsFileOf(files.api, environment.name),
  ])
  const request = { root: project.state.root, api: files.api, environment: environment.name }
  await writeEnvironment({ ...request, values: [{ name, value }] })
  project.state.noteDisk()
  tell(call, notes.moved(name, secretsFileOf(files.api, environment.name)))
}

export const extractSecret: RunCommand = async (argument, call) => {
  const { uri, offset } = membersOf(argument)
  const { context } = call
  const place = typeof uri === "string" ? context.place({ uri }) : undefined
  const found = place && typeof offset === "number" ? extractionAt(place, offset) : undefined
  const files = found && place?.view.project.apis.get(found.api)?.environments
  const change = files && addVariable(files, { ...found, isSecret: true })
  if (place === undefined || found === undefined || change === undefined)
    throw wrongArgument(writeCommands.extractSecret)
  const secrets = found.environments.map(({ name, secretsFile }): TextEdit => {
    const edited = setSecret(secretsFile?.text ?? "", found.name, String(found.value))
    if (!edited.ok) throw new CallsheetError(messages["secret-unquotable"].extracted(found.name))
    const file = secretsFileOf(found.api, name)
    return { file, before: secretsFile?.text ?? null, after: edited.text, isSecret: true }
  })
  const { file } = place
  // Has the version of the text that contains the literal, so that the client refuses it for a later one.
  const edit = createWorkspaceEdit(context, place.project, {
    texts: [{ file: file.path, before: file.text, after: found.text }],
  })
  await write(call, place.project, { title: change.title, edits: [...change.edits, ...secrets] })
  const isSame = context.place({ uri: file.uri })?.file.text === file.text
  const label = notes.extracted(found.name)
  const isApplied = isSame && isDone(await context.client.request("workspace/applyEdit", { label, edit }))
  tell(call, isApplied ? notes.declared(found.name, found.api) : notes.notReplaced(found.name, found.api))
}

const isDone = (answer: unknown): boolean => membersOf(answer)["applied"] === true

const secretsFileOf = (api: string, environment: string): string =>
  `apis/${api}/environments/${environment}.secrets.env`

const membersOf = (argument: unknown): Readonly<Record<string, unknown>> => ({
  ...(argument as Record<string, unknown> | undefined),
})

const wrongArgument = (command: string): CallsheetError =>
  new CallsheetError(
    messages.usage.argument(command, "what a code action passes, for files that have not changed since"),
  )

interface VariableIn {
  readonly project: OpenProject
  readonly files: EnvironmentFiles
  readonly name: string
}

async function readVariable(
  argument: unknown,
  { context }: CommandCall,
  command: string,
): Promise<VariableIn> {
  const { project: uri, api, name } = membersOf(argument)
  const path = typeof uri === "string" ? pathOf(uri) : undefined
  const projects = await context.workspace.projects()
  const project = projects.find(({ state }) => path !== undefined && state.realRoot === realPathOf(path))
  const files = project?.state.view().project.apis.get(String(api))?.environments
  if (project === undefined || files === undefined || typeof name !== "string") throw wrongArgument(command)
  return { project, files, name }
}

async function write(
  { context: { workspace } }: CommandCall,
  project: OpenProject,
  { title, edits }: { readonly title: string; readonly edits: readonly TextEdit[] },
): Promise<void> {
  requireSaved(
    workspace,
    project,
    edits.map(({ file }) => file),
  )
  await applyTextEdits({ root: project.state.root, title, edits })
  project.state.noteDisk()
}

/** The writer changes files on disk, so an unsaved document would lose the change or overwrite it. */
function requireSaved(workspace: Workspace, project: OpenProject, files: readonly string[]): void {
  const unsaved = workspace.unsavedFiles(project).find((file) => files.includes(file))
  if (unsaved !== undefined)
    throw new CallsheetError(messages["file-changed"].unsaved(workspace.uriOf(project, unsaved)))
}

const tell = ({ context }: CommandCall, message: string): void =>
  context.client.notify("window/showMessage", { type: 3, message })
