// Compares the kept responses of a run with the current snapshots, and previews snapshots with accepted differences.

import { createHash } from "node:crypto"
import {
  acceptChanges,
  CallsheetError,
  checkSnapshotFile,
  compareSnapshot,
  differenceKey,
  formatPath,
  mayBecomeNoise,
  responseOf,
  snapshotOf,
  stringifyJson,
  writeSnapshot,
  type JsonValue,
  type Snapshot,
  type SnapshotDifference,
  type SnapshotRules,
} from "@callsheet/format"
import { applyTextEdits, readTextFile, type TextEdit, type WriteOptions } from "@callsheet/project"
import type {
  ChangePreview,
  Input,
  SnapshotDifferenceView,
  SnapshotsView,
  SnapshotView,
} from "../calls/index.ts"
import { digestOf, type ChangeSets, type WorkedOut } from "../change-sets/change-sets.ts"
import { refuseChange } from "../environments/refuse-change.ts"
import { showEdits } from "../environments/show-edits.ts"
import { CallRefused } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { KnownProject } from "../project/read-parts.ts"
import type { Masker } from "../secrets/secrets-masker.ts"
import { createContractFinder } from "./find-contracts.ts"
import type { KeptResponse } from "./received-responses.ts"
import type { RunSnapshots } from "./run-snapshots.ts"

export interface SnapshotOptions extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly changeSets: ChangeSets
  readonly snapshotsOf: RunSnapshots["of"]
  readonly write?: WriteOptions
}

/** The maximum number of snapshots and of differences in each that are listed, and of characters of a value. */
const MAX_FILES = 200
const MAX_DIFFERENCES = 100
const MAX_VALUE = 200

export async function readDifferences(options: SnapshotOptions, run: string): Promise<SnapshotsView> {
  const kept = options.snapshotsOf(run)
  if (kept === undefined) return { isKept: false, files: [] }
  const compare = await createComparison(options)
  const { masker } = await options.overview()
  const files: SnapshotView[] = []
  for (const response of kept.values()) {
    if (files.length === MAX_FILES) break
    const { stored, received, rules } = await compare(response)
    const { file, block } = response
    if (stored === undefined) {
      files.push({ file, block, isNew: true, differences: [], omitted: 0 })
      continue
    }
    const all = [...compareSnapshot(stored, received, rules)]
    const differences = all.slice(0, MAX_DIFFERENCES).map((one) => differenceView(one, masker))
    if (all.length > 0) files.push({ file, block, differences, omitted: all.length - differences.length })
  }
  return { isKept: true, files }
}

function differenceView(difference: SnapshotDifference, masker: Masker): SnapshotDifferenceView {
  const { what, path, left, right } = difference
  const place = { status: ["status"], contentType: ["headers", "content-type"], body: ["body", ...path] }
  return {
    key: digest(differenceKey(difference)),
    path: masker.text(formatPath(["response", ...place[what]])),
    before: shortValue(left, masker),
    after: shortValue(right, masker),
    mayBecomeNoise: mayBecomeNoise(difference),
  }
}

/** The names in a body may be secret by now, so the page gets only a digest of a place. */
const digest = (key: string): string => createHash("sha256").update(key).digest("base64url")

function shortValue(value: JsonValue | undefined, masker: Masker): string | undefined {
  if (value === undefined) return undefined
  // Mask before cutting, because half a secret can't be recognized.
  const text = stringifyJson(masker.value(value))
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

/** Throws `run-unknown` if the responses aren't kept. */
export async function previewAcceptance(
  options: SnapshotOptions,
  input: Input<"snapshots.plan">,
): Promise<ChangePreview> {
  const edits = await workOut(options, input)
  const { masker } = await options.overview()
  return {
    plan: options.changeSets.keep({
      digest: digestOf(edits),
      length: edits.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0),
      workOut: async () => ready(options, await workOut(options, input), masker),
    }),
    ...showEdits(edits, { masker, hides: new Set() }),
    notes: [],
  }
}

const ready = ({ root, write }: SnapshotOptions, edits: readonly TextEdit[], masker: Masker): WorkedOut => ({
  digest: digestOf(edits),
  write: () =>
    applyTextEdits({ root, title: "accept snapshots", edits }, write).catch((error: unknown) => {
      throw refuseChange(error, masker)
    }),
})

async function workOut(
  options: SnapshotOptions,
  { run, files, asNoise }: Input<"snapshots.plan">,
): Promise<readonly TextEdit[]> {
  const kept = options.snapshotsOf(run)
  if (kept === undefined) throw new CallRefused(404, messages["run-unknown"].responses())
  const compare = await createComparison(options)
  const edits: TextEdit[] = []
  for (const [file, keys] of new Map(files.map((each) => [each.file, each.keys]))) {
    // A name from the page only selects a kept response.
    const response = kept.get(file)
    if (response === undefined) throw new CallRefused(404, messages["run-unknown"].responses())
    const { text, stored, received, rules } = await compare(response)
    const snapshot =
      stored === undefined
        ? received
        : acceptChanges(stored, received, { rules, accepts: keys && acceptsOf(keys), asNoise })
    const after = writeSnapshot(snapshot)
    if (after !== text) edits.push({ file, before: text ?? null, after, isSecret: false })
  }
  return edits
}

function acceptsOf(keys: readonly string[]): (key: string) => boolean {
  const known = new Set(keys)
  return (key) => known.has(digest(key))
}

interface Compared {
  /** The text of the snapshot. Undefined if it doesn't exist. */
  readonly text: string | undefined
  readonly stored: Snapshot | undefined
  readonly received: Snapshot
  readonly rules: SnapshotRules
}

/** Returns a function that reads a snapshot again, because another program may have changed it. It throws its problems. */
async function createComparison({ root, overview }: SnapshotOptions) {
  const { project, masker } = await overview()
  const ignore = project.settingsFile?.settings?.snapshots?.ignore ?? []
  const findContract = createContractFinder(root)
  return async ({ file, response, operation }: KeptResponse): Promise<Compared> => {
    const text = readTextFile(root, { file })?.text
    const { snapshot: stored, problems = [] } = text === undefined ? {} : checkSnapshotFile({ file, text })
    const [first] = problems
    if (text !== undefined && stored === undefined && first !== undefined)
      throw new CallsheetError(first, { problems })
    // A value may have become secret since the run.
    const body = response.body === undefined ? undefined : masker.value(response.body)
    const received = snapshotOf(body === undefined ? response : { ...response, body })
    const described = await findContract(operation, responseOf(stored ?? received))
    return { text, stored, received, rules: { described, ignore } }
  }
}
