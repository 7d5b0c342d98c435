// Answers `tests.plan`: previews generated workflows, and writes them as one change.

import type { ProcessEnvironment } from "@callsheet/format"
import { applyTextEdits, type TextEdit, type WriteOptions } from "@callsheet/project"
import { filePath, type DraftSummary, type Input, type TestsPreview } from "../calls/index.ts"
import { digestOf, type ChangeSets, type WorkedOut } from "../change-sets/change-sets.ts"
import { boundNotes } from "../change-sets/notes.ts"
import { refuseChange } from "../environments/refuse-change.ts"
import { secretNames, showEdits } from "../environments/show-edits.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { messages, notes } from "../messages.ts"
import type { KnownProject } from "../project/read-parts.ts"
import type { Generation } from "./plan-generation.ts"
import type { PlanGeneration } from "./plan-in-thread.ts"

interface TestOptions extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly processEnvironment: ProcessEnvironment
  readonly changeSets: ChangeSets
  /** Works out the tests outside of the server's thread. */
  readonly planGeneration: PlanGeneration
  /** Returns whether other machines can reach the server. If so, nothing is written, because tests have scripts. */
  readonly isRemote: () => boolean
  /** Lists unsaved files, which the change leaves as they are. */
  readonly drafts: () => Promise<readonly DraftSummary[]>
  readonly write?: WriteOptions
}

export const createTestHandlers = (options: TestOptions): HandlersOf<"tests"> => ({
  "tests.plan": async (input) => {
    if (options.isRemote()) throw new CallRefused(403, messages["remote-refused"].generate())
    const { masker } = await options.overview()
    return preview(options, input).catch((error: unknown) => {
      throw refuseChange(error, masker)
    })
  },
})

async function preview(options: TestOptions, input: Input<"tests.plan">): Promise<TestsPreview> {
  const generation = await workOut(options, input)
  const edits = allEdits(generation)
  const { masker, project } = await options.overview()
  const drafts = new Set((await options.drafts()).map(({ file }) => filePath(file)))
  const unsaved = edits.flatMap(({ file }) => (drafts.has(file) ? [notes.unsaved(file)] : []))
  const { files, ...shown } = showEdits(edits, { masker, hides: secretNames(project) })
  const isRemoved = new Set(generation.removed.map(({ file }) => file))
  const { workflows, suites, kept, skipped, added, removed } = generation.result
  return {
    plan: options.changeSets.keep({
      digest: digestOf(edits),
      length: edits.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0),
      workOut: async () => ready(options, await workOut(options, input)),
    }),
    ...shown,
    files: files.map((file) => (isRemoved.has(file.path) ? { ...file, isRemoved: true as const } : file)),
    notes: boundNotes(unsaved.map(masker.text)),
    workflows,
    suites,
    kept: kept.map((each) => ({ ...each, reason: masker.text(each.reason) })),
    skipped: skipped.map(({ operation, reason }) => ({
      operation: masker.text(operation),
      reason: masker.text(reason),
    })),
    added: added.map(masker.text),
    removed: removed.map(masker.text),
  }
}

const workOut = (
  { root, processEnvironment, planGeneration }: TestOptions,
  { api, tag, operation }: Input<"tests.plan">,
): Promise<Generation> =>
  planGeneration({
    root,
    processEnvironment,
    choice: { api, tag, operations: operation === undefined ? undefined : [operation] },
  })

/** The edits of a generation, with those of removed files, whose texts are then empty. */
const allEdits = ({ edits, removed }: Generation): readonly TextEdit[] => [
  ...edits,
  ...removed.map((each) => ({ ...each, after: "", isSecret: false })),
]

const ready = ({ root, write, overview }: TestOptions, generation: Generation): WorkedOut => ({
  digest: digestOf(allEdits(generation)),
  write: async () => {
    const { masker } = await overview()
    const { edits, removed } = generation
    await applyTextEdits({ root, title: "generate tests", edits, removed }, write).catch((error: unknown) => {
      throw refuseChange(error, masker)
    })
  },
})
