// Previews the change of an API's document to the one that its source has now.

import type { ProcessEnvironment } from "@callsheet/format"
import { readOperations } from "@callsheet/openapi"
import { applyTextEdits, type TextEdit } from "@callsheet/project"
import type { ChangePreview } from "../calls/index.ts"
import { digestOf, type ChangeSets, type WorkedOut } from "../change-sets/change-sets.ts"
import { showEdits } from "../environments/show-edits.ts"
import { CallRefused } from "../handlers.ts"
import { messages, notes } from "../messages.ts"
import { readOneApi, type KnownProject } from "../project/read-parts.ts"
import type { KeptDocument } from "./fetch-document.ts"
import type { PreviewImport } from "./preview-in-thread.ts"

interface UpdateRequest extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly api: string
  readonly document: KeptDocument
  readonly changeSets: ChangeSets
  readonly processEnvironment: ProcessEnvironment
  readonly previewImport: PreviewImport
}

const says = messages["import-source"]

/** Throws 422 if the API has no document, or one in another format than the source. */
export async function previewUpdate(request: UpdateRequest): Promise<ChangePreview> {
  const { changeSets, overview } = request
  const { edits, digest } = await workOut(request)
  const { masker } = await overview()
  const [edit] = edits
  return {
    plan: changeSets.keep({
      digest,
      length: edits.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0),
      workOut: () => workOut(request),
    }),
    ...showEdits(edits, { masker, hides: new Set() }),
    notes: edit === undefined ? [] : (await operationNotes(edit)).map((note) => masker.text(note)),
  }
}

/** Works out the document as an import does, because that removes the project's secrets from it. */
async function workOut({ root, api, document, processEnvironment, previewImport }: UpdateRequest) {
  const own = readOneApi(root, api).apis.get(api)?.document
  if (own === undefined) throw new CallRefused(422, says.noDocument())
  if (!own.file.startsWith("apis/")) throw new CallRefused(422, says.sharedDocument(own.file))
  const { files, view } = await previewImport({
    root,
    input: { sources: [document], api },
    processEnvironment,
  }).catch((error: unknown) => {
    throw isOtherFormat(error) ? new CallRefused(422, says.otherFormat(own.file)) : error
  })
  const planned = files.find(({ file, is }) => is === "text" && file === own.file)
  if (view.source !== "openapi" || planned?.is !== "text") throw new CallRefused(422, says.notDocument())
  const edit = { file: own.file, before: own.text, after: planned.text, isSecret: false }
  const edits: readonly TextEdit[] = edit.before === edit.after ? [] : [edit]
  return {
    edits,
    digest: digestOf(edits),
    write: () => applyTextEdits({ root, title: `update ${own.file}`, edits }),
  } satisfies WorkedOut & { readonly edits: readonly TextEdit[] }
}

const isOtherFormat = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "file-exists"

const MAX_NAMED = 10

/** Returns notes that name the operations that the change adds and removes. */
async function operationNotes({ file, before, after }: TextEdit): Promise<readonly string[]> {
  const [old, now] = await Promise.all([before ?? "", after].map((text) => operationsIn(file, text)))
  const only = (some: ReadonlySet<string> = new Set(), others: ReadonlySet<string> = new Set()) =>
    [...some].filter((name) => !others.has(name))
  return (
    [
      ["Adds", only(now, old)],
      ["Removes", only(old, now)],
    ] as const
  ).flatMap(([does, names]) =>
    names.length === 0
      ? []
      : [notes.operations(does, names.slice(0, MAX_NAMED), Math.max(0, names.length - MAX_NAMED))],
  )
}

async function operationsIn(file: string, text: string): Promise<ReadonlySet<string>> {
  const { operations } = await readOperations({ source: { file, text } })
  return new Set(operations.map(({ method, path }) => `${method} ${path}`))
}
