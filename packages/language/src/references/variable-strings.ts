// Finds every string of a project that reads a variable.

import {
  hasResponse,
  hasTokens,
  getOrCreate,
  liveStringsOf,
  stringsOf,
  walkBlocks,
  type InstanceFile,
  type JsonPointer,
  type LiveString,
  type Project,
  type ReadableWorkflow,
  type RequestBlock,
  type SourceFile,
  type TemplatePart,
  type Visit,
} from "@callsheet/format"
import { unknownResponse } from "../types/response-type.ts"
import { StaticScope, type Reading, type VariableReading } from "../types/static-scope.ts"
import { maySend } from "./block-uses.ts"
import { findUses, type Variable, type VariableUse } from "./variable-uses.ts"

/** Yields the strings that read the variable. `isSure` is false if a string may read something else. */
export function* variableUses(project: Project, variable: Variable) {
  for (const string of projectStrings(project)) {
    const { uses, isUncertain, isMixed } = usesIn(string, variable)
    const isSure = uses.length > 0 || isMixed
    if (isSure || isUncertain) yield { string, isSure }
  }
}

/** Returns the uses in a string. `isMixed` is true if the name refers to the variable only for some readers. */
export function usesIn({ live, readers }: ProjectString, variable: Variable) {
  const found = readers.map(({ read }) => findUses(live, variable, read))
  const isUncertain = found.some((each) => each.isUncertain)
  // Prefer the readers in workflows. Without any, use the reader outside workflows.
  const meant = found.length === 1 ? found : found.slice(1)
  const [alone, uses] = [found[0]?.uses ?? [], meant[0]?.uses ?? []]
  const isMixed = new Set(meant.map((each) => places(each.uses))).size > 1
  const isElsewhere = !isMixed && places(alone) !== places(uses)
  return { uses: isMixed ? [] : uses, isUncertain: isUncertain || isElsewhere, isMixed }
}

const places = (uses: readonly VariableUse[]): string => uses.map(({ span }) => span.from).join(",")

/** A block that reads a string, and a function that resolves paths for it. */
export interface Reader {
  readonly read: (parts: readonly TemplatePart[]) => VariableReading | undefined
  /** The workflow that sends a saved request. Absent if the request is sent on its own. */
  readonly workflow?: string
}

export interface ProjectString {
  readonly source: SourceFile
  /** The id of the block. Absent in a saved request. */
  readonly block?: string
  readonly pointer: () => JsonPointer
  readonly live: Pick<LiveString, "text" | "is">
  /** The readers of the string. A saved request has a reader outside any workflow, then each block that may send it. */
  readonly readers: readonly Reader[]
}

/**
 * Yields every string in workflows and saved requests that may contain placeholders, in file order. Skips parts with
 * shape errors.
 */
export function* projectStrings(project: Project): Generator<ProjectString> {
  const senders = new Senders()
  for (const file of project.workflows.values()) {
    if (file.readable === undefined) continue
    const scope = scopeOf(file.readable)
    for (const visit of walkBlocks(file.readable.workflow.blocks)) {
      if (file.readable.broken.has(visit.block)) continue
      if (hasResponse(visit.block)) senders.add({ block: visit.block, visit, scope, workflow: file.name })
      yield* blockStrings(file, visit, scope)
    }
  }
  for (const api of project.apis.values()) {
    for (const file of api.instances.values()) yield* savedStrings(file, api.name, senders)
  }
}

interface Sender {
  readonly block: RequestBlock
  readonly visit: Visit
  readonly scope: StaticScope
  readonly workflow: string
}

class Senders {
  readonly #named = new Map<string, Sender[]>()
  readonly #open = new Map<string, Sender[]>()

  add(sender: Sender): void {
    const { api, instance } = sender.block.request
    if (instance === undefined) return
    const isOpen = hasTokens(instance)
    getOrCreate(isOpen ? this.#open : this.#named, isOpen ? api : `${api}/${instance}`, () => []).push(sender)
  }

  of(api: string, file: InstanceFile): readonly Sender[] {
    const all = [...(this.#named.get(`${api}/${file.name}`) ?? []), ...(this.#open.get(api) ?? [])]
    return all.filter(({ block }) => maySend(block, file))
  }
}

const scopeOf = (readable: ReadableWorkflow): StaticScope =>
  new StaticScope({ readable, variables: new Map(), responseOf: () => unknownResponse })

function* blockStrings(source: SourceFile, visit: Visit, scope: StaticScope): Generator<ProjectString> {
  const { block } = visit
  const readerAt = ([field]: JsonPointer): Reader => {
    const reading: Reading =
      // Placeholders in a description resolve like those in `request`, although a run doesn't expand them.
      (field === "request" || field === "description") && hasResponse(block)
        ? { visit, api: block.request.api }
        : { visit, isAfterNested: field === "until" }
    return { read: (parts) => scope.variableOf(parts, reading) }
  }
  for (const live of stringsOf(block)) {
    if (live.is !== "path" && !hasTokens(live.text)) continue
    yield {
      source,
      block: block.id,
      live,
      pointer: () => [...visit.pointer(), ...live.pointer],
      readers: [readerAt(live.pointer)],
    }
  }
}

function* savedStrings(file: InstanceFile, api: string, senders: Senders): Generator<ProjectString> {
  if (file.request === undefined) return
  const strings = liveStringsOf(file.request).filter(({ text }) => hasTokens(text))
  if (strings.length === 0) return
  const nobody = { visit: { block: alone, loops: undefined, pointer: () => [] }, api }
  const readers: readonly Reader[] = [
    { read: (parts) => aloneScope.variableOf(parts, nobody) },
    ...senders.of(api, file).map(({ visit, scope, workflow }): Reader => ({
      workflow,
      read: (parts) => scope.variableOf(parts, { visit, api }),
    })),
  ]
  for (const live of strings) yield { source: file, live, pointer: () => live.pointer, readers }
}

/** Stands for a saved request that is sent on its own, without inputs, iterators or other blocks. */
const alone: RequestBlock = { id: "alone", type: "request", request: { api: "alone", instance: "alone" } }
const aloneScope = scopeOf({
  workflow: { version: 1, blocks: [] },
  broken: new Set(),
  brokenInputs: new Set(),
  isComplete: true,
})
