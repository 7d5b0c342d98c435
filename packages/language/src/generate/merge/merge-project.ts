// Merges generated files into a project: what to write, what to remove, what stays, and what to remember.

import {
  emptyState,
  type GeneratedState,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nameKey,
  ownOf,
  setOwn,
  stringifyJson,
  valueAt,
  type WorkflowState,
} from "@callsheet/format"
import { keptReasons as reasons } from "../../messages.ts"
import type { GeneratedFile } from "../generated.ts"
import { decideUnit, rememberUnit } from "./decide-unit.ts"
import { valueOf } from "./edited-json.ts"
import { mergeSuites } from "./merge-suites.ts"
import { type Digest, firstState, mergeWorkflow } from "./merge-workflow.ts"

export interface ProjectMerge {
  /** What was generated for the chosen operations. */
  readonly files: readonly GeneratedFile[]
  readonly suites: Readonly<Record<string, JsonObject>>
  readonly helpers: readonly string[]
  /** The paths of everything that the documents give, chosen or not. Other files of the state are lost. */
  readonly possible: ReadonlySet<string>
  readonly state: GeneratedState | undefined
  /** Returns the text of a file of the project. Undefined if it doesn't exist. */
  readonly readFile: (path: string) => string | undefined
  /** The paths of all files that exist in the directories of generated files, to find names that differ only in case. */
  readonly existing: readonly string[]
  /** The text of `callsheet.json`, which parses to an object. Undefined if it doesn't exist. */
  readonly settings: string | undefined
  readonly digest: Digest
}

export interface Kept {
  readonly file: string
  readonly block?: string
  readonly reason: string
}

interface MergedFile {
  readonly file: string
  readonly before: string | undefined
  /** Undefined for a file to remove. */
  readonly after: string | undefined
}

export interface MergedProject {
  /** The files that change. */
  readonly files: readonly MergedFile[]
  readonly settings: string | undefined
  /** The generated suites that exist afterwards. */
  readonly suites: readonly string[]
  readonly kept: readonly Kept[]
  readonly state: GeneratedState
  /** The paths of generated files that exist afterwards. */
  readonly present: ReadonlySet<string>
}

const WORKFLOWS = "apis/workflow/"
const SCRIPTS = "apis/workflow/scripts/"

const isWorkflow = (path: string): boolean => path.startsWith(WORKFLOWS) && !path.startsWith(SCRIPTS)
const isEnvironment = (path: string): boolean => /^apis\/[^/]+\/environments\//.test(path)

export const workflowNameOf = (path: string): string | undefined =>
  isWorkflow(path) ? path.slice(WORKFLOWS.length).replace(/\.json$/, "") : undefined

/** The state of a merge while files are visited. */
interface Merging extends ProjectMerge {
  readonly known: GeneratedState
  readonly changes: MergedFile[]
  readonly kept: Kept[]
  readonly present: Set<string>
  readonly workflows: Record<string, WorkflowState>
  readonly texts: Record<string, string>
  readonly created: Set<string>
}

export function mergeProject(merge: ProjectMerge): MergedProject {
  const known = merge.state ?? emptyState
  const merging: Merging = {
    ...merge,
    known,
    changes: [],
    kept: [],
    present: new Set(),
    workflows: {},
    texts: {},
    created: new Set(known.created),
  }
  for (const file of merge.files) {
    const { path } = file
    const text = generatedText(file)
    if ("value" in file && isWorkflow(path)) mergeWorkflowFile(merging, path, file.value)
    else if (isEnvironment(path)) createOnce(merging, path, text)
    else mergeText(merging, path, text)
  }
  mergeOthers(merging)
  return settle(merging)
}

/** Visits the files of the state that weren't generated now: those that weren't chosen stay, and others are lost. */
function mergeOthers(merging: Merging): void {
  const { known, possible, files } = merging
  const visited = new Set(files.map(({ path }) => path))
  for (const [path, state] of Object.entries(known.workflows)) {
    if (visited.has(path)) continue
    if (possible.has(path)) setOwn(merging.workflows, path, state)
    else mergeWorkflowFile(merging, path, undefined)
  }
  for (const [path, digest] of Object.entries(known.texts)) {
    if (visited.has(path)) continue
    if (possible.has(path)) setOwn(merging.texts, path, digest)
    else mergeText(merging, path, undefined)
  }
}

function settle(merging: Merging): MergedProject {
  const { known, kept, present, workflows, texts, created, possible } = merging
  const isLost = (workflow: string): boolean => {
    const path = `${WORKFLOWS}${workflow}.json`
    return (
      !possible.has(path) && (ownOf(known.workflows, path) !== undefined || known.helpers.includes(workflow))
    )
  }
  const isUsable = (workflow: string): boolean =>
    !kept.some(({ file, reason }) => file === `${WORKFLOWS}${workflow}.json` && reason !== reasons.edited())
  const merged = mergeSuites({
    text: merging.settings ?? `${stringifyJson({ version: 1 }, { indent: 2 })}\n`,
    state: known,
    suites: Object.fromEntries(
      Object.entries(merging.suites).map(([name, suite]) => [name, withoutEntries(suite, isUsable)]),
    ),
    helpers: merging.helpers.filter(isUsable),
    isLost,
    digest: merging.digest,
  })
  const inSettings = merged.conflicts.map((entry) => ({
    file: "callsheet.json",
    reason: reasons.entry(entry),
  }))
  const isNew = merging.settings === undefined
  const isEmpty = Object.keys(merging.suites).length + merging.helpers.length === 0
  return {
    files: merging.changes,
    settings: isNew && isEmpty ? undefined : merged.text,
    suites: Object.keys(merging.suites).filter((name) => hasSuite(merged.text, name)),
    kept: [...kept, ...inSettings],
    present,
    state: {
      ...known,
      ...merged.state,
      workflows: sorted(workflows),
      texts: sorted(texts),
      created: [...created].sort(),
    },
  }
}

const hasSuite = (text: string, name: string): boolean =>
  valueAt(valueOf(text), ["suites", name]) !== undefined

const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Leaves out the entries whose workflows were not written, because a file of their name is another workflow. */
function withoutEntries(suite: JsonObject, isUsable: (workflow: string) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(suite).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.filter((entry: JsonValue) => isUsable(workflowOf(entry))) : value,
    ]),
  )
}

const workflowOf = (entry: JsonValue): string => {
  const name = isJsonObject(entry) ? entry["workflow"] : entry
  return typeof name === "string" ? name : ""
}

/** Returns a file of another case, which some disks can't tell apart. */
const twinOf = ({ existing }: Merging, path: string): string | undefined =>
  existing.find((other) => other !== path && nameKey(other) === nameKey(path))

function mergeWorkflowFile(merging: Merging, path: string, next: JsonObject | undefined): void {
  const { readFile, known, kept, changes, workflows, present, digest } = merging
  const base = ownOf(known.workflows, path)
  const text = readFile(path)
  if (text === undefined) {
    const twin = twinOf(merging, path)
    if (twin !== undefined) kept.push({ file: path, reason: reasons.otherCase(twin) })
    else if (base !== undefined && next !== undefined) setOwn(workflows, path, base)
    else if (next !== undefined) {
      changes.push({ file: path, before: undefined, after: fileText(next) })
      setOwn(workflows, path, firstState(next, digest))
      present.add(path)
    }
    return
  }
  if (base === undefined && !isGenerated(text, next)) {
    kept.push({ file: path, reason: reasons.foreign() })
    return
  }
  const merged = mergeWorkflow({ text, base, next, digest })
  if (!merged.isReadable) {
    kept.push({ file: path, reason: reasons.broken() })
    if (base !== undefined) setOwn(workflows, path, base)
    return
  }
  if (next !== undefined) present.add(path)
  const reason = next === undefined ? reasons.lost() : reasons.edited()
  for (const block of merged.conflicts)
    kept.push({ file: path, ...(block === undefined ? {} : { block }), reason })
  if (merged.text !== text) changes.push({ file: path, before: text, after: merged.text })
  if (merged.state !== undefined) setOwn(workflows, path, merged.state)
}

const fileText = (value: JsonObject): string => `${stringifyJson(value, { indent: 2 })}\n`

/** Returns the text of a file that is written for the first time. */
export const generatedText = (file: GeneratedFile): string =>
  "text" in file ? file.text : fileText(file.value)

/** Returns whether a file without a state is as it would be generated, as after the state was lost. */
const isGenerated = (text: string, next: JsonObject | undefined): boolean =>
  next !== undefined && text.replaceAll("\r\n", "\n") === fileText(next)

/** Merges a script or a saved request as a whole. */
function mergeText(merging: Merging, path: string, next: string | undefined): void {
  const { readFile, known, kept, changes, texts, present, digest } = merging
  const text = readFile(path)
  const digestOf = (content: string | undefined) => (content === undefined ? undefined : digest(content))
  const versions = { base: ownOf(known.texts, path), current: digestOf(text), next: digestOf(next) }
  const verdict = decideUnit(versions)
  if (verdict === "conflict") {
    const edited = next === undefined ? reasons.lost() : reasons.edited()
    kept.push({ file: path, reason: versions.base === undefined ? reasons.foreign() : edited })
  } else if (verdict === "take" && text !== next) changes.push({ file: path, before: text, after: next })
  if (next !== undefined && (text !== undefined || verdict === "take")) present.add(path)
  const remembered = rememberUnit(versions)
  if (remembered !== undefined) setOwn(texts, path, remembered)
}

/** Creates an environment file. An existing one is never touched, and a deleted one stays deleted. */
function createOnce({ readFile, created, changes, present }: Merging, path: string, text: string): void {
  if (created.has(path) || readFile(path) !== undefined) return
  created.add(path)
  present.add(path)
  changes.push({ file: path, before: undefined, after: text })
}
