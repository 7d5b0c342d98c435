// Answers `files.planRename`: previews renaming a file, and updating everything that names it.

import { CallsheetError, escapePattern, type Project, type SourceFile } from "@callsheet/format"
import { fixAllImports, renameFile, renameWorkflow, scriptsFolder } from "@callsheet/language"
import {
  moveTextFile,
  readTextFile,
  requireFreeName,
  type MoveTextRequest,
  type TextEdit,
} from "@callsheet/project"
import { messages, notes as noteTexts } from "../messages.ts"
import { CallRefused } from "../handlers.ts"
import type { ChangePreview, FileName, Input, NamedFile } from "../calls/index.ts"
import { refuseChange } from "../environments/refuse-change.ts"
import { showEdits } from "../environments/show-edits.ts"
import { boundNotes, boundPlaces, brokenWorkflows, mentionsIn, placeNotes } from "../change-sets/notes.ts"
import { digestOf, type WorkedOut } from "../change-sets/change-sets.ts"
import { readOverview } from "../project/read-parts.ts"
import { placeOf, type FileContext } from "./file-context.ts"
import { requireMovable } from "./remove-file.ts"
import { fileChanged, textAt } from "./read-and-save.ts"

type WorkflowName = Extract<FileName, { readonly kind: "workflow" }>

type Renaming = { readonly etag: string | null } & (
  | { readonly of: "workflow"; readonly file: WorkflowName; readonly to: WorkflowName }
  | { readonly of: "used"; readonly file: NamedFile; readonly to: NamedFile }
)

type WorkedOutRename = Awaited<ReturnType<typeof workOut>>

/**
 * Throws 409 with the current contents if the file has changed. Throws `file-exists` or `file-twin` if the name is
 * taken.
 */
export async function previewRename(
  context: FileContext,
  input: Input<"files.planRename">,
): Promise<ChangePreview> {
  const renaming = renamingOf(context, input)
  const { moved, edits, notes, masker } = await workOut(context, renaming)
  const plan = context.changeSets.keep({
    digest: digestOf([moved, ...edits]),
    length: JSON.stringify(input).length,
    workOut: async () => ready(context, renaming, await workOut(context, renaming)),
  })
  const [own, to] = [placeOf(renaming.file).file, placeOf(renaming.to).file]
  const shown = showEdits([{ ...moved, file: to }, ...edits], { masker, hides: new Set() })
  const files = shown.files.map((each) => (each.path === to ? { ...each, from: own } : each))
  return { plan, ...shown, files, notes: boundNotes(notes.map((note) => masker.text(note))) }
}

function renamingOf(context: FileContext, { file, etag, to }: Input<"files.planRename">): Renaming {
  requireMovable(context, file)
  if (placeOf(file).file === placeOf(to).file) throw new CallsheetError(messages["file-exists"].sameName())
  if (file.kind === "workflow" && to.kind === "workflow") return { of: "workflow", file, to, etag }
  // Nothing would find the file in another workflow or API.
  const isNear =
    (file.kind === "script" && to.kind === "script" && file.workflow === to.workflow) ||
    (file.kind === "request" && to.kind === "request" && file.api === to.api)
  if (!isNear) throw new CallsheetError(messages.usage.otherPlace())
  return { of: "used", file, to, etag }
}

async function workOut(context: FileContext, renaming: Renaming) {
  const { file, to, etag } = renaming
  const { root } = context
  const found = readTextFile(root, placeOf(file))
  if (found === undefined || found.etag !== etag) throw await fileChanged(context, file, found ?? null)
  requireFreeName(root, placeOf(file), placeOf(to))
  const project = readOverview(root)
  const { masker } = await context.overview()
  const { texts, warnings } =
    renaming.of === "workflow"
      ? renameWorkflow(project, renaming.file.workflow, renaming.to.workflow)
      : renameFile(project, renaming.file, renaming.to)
  const scripts =
    file.kind === "script" ? updateScripts(project, file, to) : { moved: found.text, texts: [], warnings: [] }
  const moved = JSON.stringify([placeOf(file).file, placeOf(to).file])
  const edits = [...texts, ...scripts.texts].map((text) => ({ ...text, isSecret: false }))
  return {
    // The edit of the renamed file. Its `file` shows both names.
    moved: { file: moved, before: found.text, after: scripts.moved, isSecret: false },
    edits,
    notes: [
      ...placeNotes([...warnings, ...scripts.warnings]),
      ...brokenMentions(project, file),
      ...unsavedNotes(context, edits),
    ],
    masker,
  }
}

/** Returns notes about drafts of edited files, because a change set doesn't change drafts. */
function unsavedNotes({ drafts }: FileContext, edits: readonly TextEdit[]): readonly string[] {
  const unsaved = new Set(drafts.list().map(({ file }) => placeOf(file).file))
  return edits.filter(({ file }) => unsaved.has(file)).map(({ file }) => noteTexts.unsaved(file))
}

function ready(
  context: FileContext,
  renaming: Renaming,
  { moved, edits, masker }: WorkedOutRename,
): WorkedOut {
  const { file, to, etag } = renaming
  const { root, drafts, write } = context
  const [from, into] = [placeOf(file), placeOf(to)]
  const along =
    renaming.of === "workflow"
      ? { from: scriptsFolder(renaming.file.workflow), to: scriptsFolder(renaming.to.workflow) }
      : undefined
  const title = `rename ${JSON.stringify(from.file)} to ${JSON.stringify(into.file)}`
  const request: MoveTextRequest = { root, from, to: into, etag, along, title, edits }
  return {
    digest: digestOf([moved, ...edits]),
    write: async () => {
      const done = await moveTextFile({ ...request, text: moved.after }, write).catch((error: unknown) => {
        throw refuseChange(error, masker)
      })
      if (done.do === "changed") throw new CallRefused(409, messages["file-changed"].plan())
      drafts.move(file, to)
      if (renaming.of === "workflow") {
        moveScriptDrafts(context, renaming.file, renaming.to)
        context.noteRename?.(renaming.file.workflow, renaming.to.workflow)
      }
      // The user has reviewed this change, so approved scripts stay approved.
      for (const { file: path, before, after } of [{ ...moved, file: into.file }, ...edits])
        if (path.endsWith(".ts")) context.trustFixed?.(path, before ?? "", after)
    },
  }
}

function moveScriptDrafts({ drafts }: FileContext, file: WorkflowName, to: WorkflowName): void {
  for (const { file: other } of drafts.list()) {
    if (other.kind === "script" && other.workflow === file.workflow)
      drafts.move(other, { ...other, workflow: to.workflow })
  }
}

/** Returns a sentence for each place where a JSON string is exactly the name, up to a limit. */
function brokenMentions(project: Project, file: NamedFile | WorkflowName): readonly string[] {
  const plain = file.kind === "script" ? file.script : file.kind === "request" ? file.request : file.workflow
  const name = JSON.stringify(plain)
  const sentence = noteTexts.brokenMention(plain)
  const broken = brokenFiles(project, file)
  return boundPlaces(
    broken.flatMap((each) => mentionsIn(each, new RegExp(escapePattern(name), "g"), sentence)),
  )
}

function brokenFiles(project: Project, file: NamedFile | WorkflowName): readonly SourceFile[] {
  const { settingsFile } = project
  if (file.kind === "workflow")
    return settingsFile === undefined || settingsFile.settings !== undefined ? [] : [settingsFile]
  return brokenWorkflows(project).filter((each) => file.kind === "request" || file.workflow === each.name)
}

/** Updates the imports in all scripts. `validate` reports scripts that can't be read. */
function updateScripts(project: Project, file: FileName, to: FileName) {
  const places = [...project.scriptNames].flatMap(([name, scripts]) =>
    scripts.map((script) => placeOf({ kind: "script", workflow: name, script })),
  )
  const moved = { from: placeOf(file).file, to: placeOf(to).file }
  const scripts = places.flatMap((place) => {
    const text = textAt(project.root, place)
    return text === undefined ? [] : [{ file: place.file, text }]
  })
  const fixed = fixAllImports(scripts, moved, new Set(places.map((place) => place.file)))
  return { ...fixed, moved: fixed.moved ?? "" }
}
