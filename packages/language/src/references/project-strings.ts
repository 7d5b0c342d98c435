// Lists every string in workflows and saved requests that may contain tokens, with the blocks that read the string.

import {
  getOrCreate,
  hasResponse,
  hasTokens,
  type InstanceFile,
  type JsonPointer,
  type LiveString,
  liveStringsOf,
  type Project,
  type ReadableWorkflow,
  type RequestBlock,
  type SourceFile,
  stringsOf,
  type TemplatePart,
  type Visit,
  walkBlocks,
} from "@callsheet/format"
import { unknownResponse } from "../types/response-type.ts"
import { maySend } from "./block-uses.ts"
import { StaticScope, type Reading, type VariableReading } from "../types/static-scope.ts"

/** A reader of a string, with a function that resolves paths for the reader. */
export interface Reader {
  readonly read: (parts: readonly TemplatePart[]) => VariableReading | undefined
  /** The workflow that sends a saved request. Absent if the request is sent by itself. */
  readonly workflow?: string
}

export interface ProjectString {
  readonly source: SourceFile
  readonly pointer: () => JsonPointer
  readonly live: Pick<LiveString, "text" | "is">
  /** The readers. A string in a saved request has a reader outside any workflow, then each block that may send it. */
  readonly readers: readonly Reader[]
}

/** Yields the strings in file order. Skips parts with shape errors. */
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
      // Tokens in a description resolve like those in `request`, although a run doesn't expand them.
      (field === "request" || field === "description") && hasResponse(block)
        ? { visit, api: block.request.api }
        : { visit, isAfterNested: field === "until" }
    return { read: (parts) => scope.variableOf(parts, reading) }
  }
  for (const live of stringsOf(block)) {
    if (live.is !== "path" && !hasTokens(live.text)) continue
    yield {
      source,
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

/** A block for a saved request that is sent by itself, without inputs, iterators or other blocks. */
const alone: RequestBlock = { id: "alone", type: "request", request: { api: "alone", instance: "alone" } }
const aloneScope = scopeOf({
  workflow: { version: 1, blocks: [] },
  broken: new Set(),
  brokenInputs: new Set(),
  isComplete: true,
})
