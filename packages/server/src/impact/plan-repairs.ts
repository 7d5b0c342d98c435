// Answers `repairs.plan`: previews the repairs of `callsheet validate --fix`, and applies them as one change.

import { CallsheetError, type Problem, type ProcessEnvironment, type Project } from "@callsheet/format"
import type { Repair, RepairedFile } from "@callsheet/language"
import { applyTextEdits, type TextEdit, type WriteOptions } from "@callsheet/project"
import { filePath, type ChangePreview, type DraftSummary } from "../calls/index.ts"
import { digestOf, type ChangeSets, type WorkedOut } from "../change-sets/change-sets.ts"
import { boundNotes } from "../change-sets/notes.ts"
import { refuseChange } from "../environments/refuse-change.ts"
import { secretNames, showEdits } from "../environments/show-edits.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { baseReasons, messages, notes } from "../messages.ts"
import { findOwnProblems } from "../project/find-problems.ts"
import { readAll, readPart, type KnownProject } from "../project/read-parts.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { repairFiles, repairsOfVersion } from "./find-repairs.ts"
import { compareWithCommit } from "./read-versions.ts"

export interface RepairOptions extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly scriptEntry: URL
  readonly processEnvironment: ProcessEnvironment
  readonly changeSets: ChangeSets
  /** Lists unsaved files. Repairs don't change what is unsaved. */
  readonly drafts: () => Promise<readonly DraftSummary[]>
  readonly write?: WriteOptions
}

export const createRepairHandlers = (options: RepairOptions): HandlersOf<"repairs"> => ({
  "repairs.plan": ({ api }) => previewRepairs(options, api),
})

async function previewRepairs(options: RepairOptions, api: string | undefined): Promise<ChangePreview> {
  const { project, files, edits, note } = await workOut(options, api)
  const { masker } = await options.overview()
  const drafts = new Set((await options.drafts()).map(({ file }) => filePath(file)))
  const unsaved = edits.flatMap(({ file }) => (drafts.has(file) ? [notes.unsaved(file)] : []))
  const reasons = files.flatMap(({ file, repairs }) =>
    repairs.map(({ line, message }) => `${file}:${line}: ${message}.`),
  )
  return {
    plan: options.changeSets.keep({
      digest: digestOf(edits),
      length: edits.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0),
      workOut: async () => ready(options, (await workOut(options, api)).edits),
    }),
    ...showEdits(edits, { masker, hides: secretNames(project) }),
    notes: boundNotes([...note, ...unsaved, ...reasons].map((text) => masker.text(text))),
  }
}

const ready = (
  { root, write, overview }: RepairOptions,
  edits: readonly (TextEdit & { before: string })[],
): WorkedOut => ({
  digest: digestOf(edits),
  write: async () => {
    const { masker } = await overview()
    await applyTextEdits({ root, title: "repair files", edits }, write).catch((error: unknown) => {
      throw refuseChange(error, masker)
    })
  },
})

interface FoundRepairs {
  readonly project: Project
  readonly files: readonly RepairedFile[]
  readonly edits: readonly (TextEdit & { before: string })[]
  /** Says why changes of documents aren't repaired. */
  readonly note: readonly string[]
}

async function workOut(options: RepairOptions, api: string | undefined): Promise<FoundRepairs> {
  const { root } = options
  const project = api === undefined ? readAll(root) : readPart(root, { workflows: "all", apis: [api] })
  const { repairs, note } = await documentRepairs(project, api, options)
  const problems: readonly Problem[] = api === undefined ? await findOwnProblems(options, project) : []
  const files = repairFiles(repairs, problems)
  const edits = files.map(({ file, before, after }) => ({ file, before, after, isSecret: false }))
  return { project, files, edits, note }
}

const DEADLINE_MS = 60_000

async function documentRepairs(
  project: Project,
  api: string | undefined,
  { root, processEnvironment, overview }: RepairOptions,
): Promise<{ readonly repairs: readonly Repair[]; readonly note: readonly string[] }> {
  const place = { root, processEnvironment, deadlineMs: DEADLINE_MS }
  const none = (reason: string) => ({ repairs: [], note: [notes.noDocumentRepairs(reason)] })
  try {
    const request = { project, api, against: "HEAD", place }
    const compared = await compareWithCommit(request, repairsOfVersion(project))
    if (compared.is === "compared") return { repairs: compared.results.flat(), note: [] }
    const reason = baseReasons[compared.is]
    if (api === undefined) return none(reason)
    throw new CallRefused(422, messages["document-invalid"].notCompared(reason))
  } catch (error) {
    if (!(error instanceof CallsheetError) || error instanceof CallRefused) throw error
    const { masker } = await overview()
    if (api === undefined) return none(masker.text(error.message))
    throw new CallRefused(422, messages["document-invalid"].notCompared(masker.text(error.message)), {
      problems: maskProblems(error.problems, masker),
    })
  }
}
