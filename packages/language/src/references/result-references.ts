// Finds the results that later blocks may read, so that a run can discard the others and warn about unchecked statuses.
// If in doubt, counts a result as read: keeping one too many costs memory, but discarding one too many breaks the run.

import {
  type Block,
  getOrCreate,
  hasResponse,
  iterates,
  type LoopBlock,
  type LoopChain,
  parsePath,
  parseTemplate,
  type RequestBlock,
  scriptsOf,
  stringsOf,
  tokensOf,
  type Visit,
  walkBlocks,
  type Workflow,
} from "@callsheet/format"
import { firstNameAsWritten, HOLE, mayMeet, otherBraces, patternOf } from "../names/name-pattern.ts"
import type { NameCheck } from "./unknown-names.ts"
import { hasRunBy, type PlaceReader, placesOf } from "../scope/places.ts"
import { iteratorNamed, leavesResult } from "../scope/rules.ts"

export interface References {
  /** Returns whether a block's result may be read after its loop iteration ends. `rawId` is the id as written. */
  readonly outlives: (rawId: string) => boolean
  readonly isRead: (rawId: string) => boolean
  readonly readsStatus: (rawId: string) => boolean
  /** True if the first name of every path is certain to resolve when it is read. */
  readonly areNamesKnown: boolean
}

interface ReferenceSources {
  /** Returns the strings of saved requests that may contain placeholders. */
  readonly stringsOfRequest: (block: RequestBlock) => Iterable<string>
  readonly declares: (api: string, variable: string) => boolean
}

interface PathText {
  /** The segments of the path. `HOLE` stands for each placeholder. */
  readonly segments: readonly string[]
  readonly first: string
}

/** A path and the block that reads it. Undefined if the block doesn't matter. */
type Reference = PathText & { readonly reader: Visit | undefined }

/** Reads every path and placeholder of a workflow once. */
export function collectReferences(
  workflow: Workflow,
  { stringsOfRequest, declares }: ReferenceSources,
): References {
  const references = new ReferenceIndex()
  const names = new ReadNames(workflow, declares)
  const writers = new Map<string, Visit>()
  let hasScripts = false
  for (const visit of walkBlocks(workflow.blocks)) {
    const { block } = visit
    // A script may read anything with `get(path)`.
    if (scriptsOf(block).length > 0) hasScripts = true
    if (block.id.includes("{{")) writers.set(block.id, visit)
    for (const { text, is, pointer } of stringsOf(block)) {
      if (pointer[0] !== "description") names.readText(text)
      for (const found of pathTexts(text, is === "path")) {
        references.add(found, visit)
        // A run doesn't need the placeholders of a description: if one doesn't resolve, it is shown as written.
        if (pointer[0] !== "description") names.read(found.segments, visit, pointer[0] === "until")
      }
    }
    names.write(block)
    if (!hasResponse(block) || block.request.instance === undefined) continue
    for (const text of stringsOfRequest(block)) {
      names.readText(text)
      for (const found of pathTexts(text, false)) {
        references.add(found, visit)
        names.read(found.segments, visit)
      }
    }
  }
  const places = writers.size === 0 ? undefined : placesOf(workflow.blocks)
  const outlives = remember((rawId) => {
    const writer = writers.get(rawId)
    return references
      .of(rawId)
      .some(
        ({ first, reader }) =>
          writer === undefined ||
          reader === undefined ||
          first !== nameOf(writer.block.id) ||
          isShadowed(writer, reader) ||
          places?.surelyRunsBefore(writer.block, reader.block) !== true,
      )
  })
  return {
    isRead: (rawId) => hasScripts || references.of(rawId).length > 0,
    outlives: (rawId) => hasScripts || outlives(rawId),
    areNamesKnown: names.areKnown(),
    readsStatus: remember(
      (rawId) => hasScripts || references.of(rawId).some(({ segments }) => isStatusOrAbove(segments)),
    ),
  }
}

/**
 * Keeps all results, because edited blocks may read them later. Keeps results with ids from loops only if this run
 * reads them.
 */
export const keepAll = (references: References): References => ({
  ...references,
  isRead: () => true,
  outlives: (rawId) => !rawId.includes("{{") || references.outlives(rawId),
})

function remember<T>(answer: (rawId: string) => T): (rawId: string) => T {
  const known = new Map<string, T>()
  return (rawId) => getOrCreate(known, rawId, answer)
}

/** Decides quickly whether all first names resolve. Ids with placeholders count as unknown. */
class ReadNames {
  readonly #workflow: Workflow
  readonly #declares: ReferenceSources["declares"]
  readonly #writers = new Map<string, Block>()
  #hasOtherBraces = false
  /** Uses of names that no earlier block provides. */
  readonly #open: { readonly name: string; readonly reader: PlaceReader<Block> }[] = []

  constructor(workflow: Workflow, declares: ReferenceSources["declares"]) {
    this.#workflow = workflow
    this.#declares = declares
  }

  write(block: Block): void {
    if (leavesResult(block)) this.#writers.set(block.id, block)
  }

  read(
    [name = HOLE, api, variable]: readonly string[],
    { block, loops }: Visit,
    isAfterNested = false,
  ): void {
    if (this.#writers.has(name) || name.includes(HOLE) || name.startsWith("$")) return
    if (Object.hasOwn(this.#workflow.inputs ?? {}, name)) return
    const chain = isAfterNested && iterates(block) ? { loop: block, outer: loops } : loops
    if (iteratorNamed(chain, name) !== undefined) return
    if (hasResponse(block) && this.#declares(block.request.api, name)) return
    if (name === "env" && api !== undefined && variable !== undefined && this.#declares(api, variable)) return
    this.#open.push({ name, reader: { block, isAfterNested } })
  }

  /** Names in the braces of another tool need the whole check. */
  readText(text: string): void {
    this.#hasOtherBraces ||= text.includes("{") && text.search(otherBraces) !== -1
  }

  areKnown(): boolean {
    if (this.#hasOtherBraces) return false
    if (this.#open.length === 0) return true
    const places = placesOf(this.#workflow.blocks)
    return this.#open.every(({ name, reader }) => {
      const writer = this.#writers.get(name)
      return writer !== undefined && hasRunBy(places.reach(writer, reader))
    })
  }
}

/** Indexes references by their first name. If the name contains a placeholder, uses the text before it. */
class ReferenceIndex {
  readonly #exact = new Map<string, Reference[]>()
  readonly #open = new Map<string, Reference[]>()

  add(text: PathText, visit: Visit): void {
    const [name = "", ...more] = text.segments[0]?.split(HOLE) ?? []
    // The value of a placeholder may contain more steps, so the text after it doesn't count.
    const [index, key] = more.length === 0 ? [this.#exact, name] : [this.#open, name + HOLE]
    const reader = text.first.includes("{{") ? visit : undefined
    getOrCreate(index, key, () => []).push({ ...text, reader })
  }

  readonly of = remember((rawId: string): readonly Reference[] => {
    const template = parseTemplate(rawId)
    const id = template.ok ? patternOf(template.parts) : rawId
    const isOpen = id.includes(HOLE)
    const candidates = isOpen ? [...this.#exact, ...this.#open] : this.#open
    const found = isOpen ? [] : [...(this.#exact.get(id) ?? [])]
    for (const [name, list] of candidates) if (mayMeet(name, id)) found.push(...list)
    return found
  })
}

/** Returns whether a loop between the two blocks, or the reader itself, redefines the placeholders of the id. */
function isShadowed(writer: Visit, reader: Visit): boolean {
  const names = iteratorsOf(writer.block.id)
  const between: LoopBlock[] = iterates(reader.block) ? [reader.block] : []
  let chain: LoopChain | undefined = reader.loops
  for (; chain !== undefined && chain.loop !== writer.loops?.loop; chain = chain.outer)
    between.push(chain.loop)
  if (chain === undefined) return true
  return between.some(
    ({ iteratorVar }) => names.has("$index") || (iteratorVar !== undefined && names.has(iteratorVar)),
  )
}

// Normalizes an id: whitespace inside placeholders doesn't matter.
function nameOf(rawId: string): string {
  const template = parseTemplate(rawId)
  return template.ok ? firstNameAsWritten(template.parts) : rawId
}

function iteratorsOf(rawId: string): ReadonlySet<string> {
  const template = parseTemplate(rawId)
  const tokens = template.ok ? tokensOf(template.parts) : []
  return new Set(tokens.map(({ inner }) => firstNameAsWritten(inner)))
}

const isStatusOrAbove = ([name = HOLE, part = HOLE, field = HOLE]: readonly string[]): boolean =>
  name.includes(HOLE) ||
  part.includes(HOLE) ||
  (part === "response" && (field === "status" || field.includes(HOLE)))

/** Returns the paths that a string reads: those of its placeholders or, if the string is itself a path, that path. */
export function pathTexts(text: string, isPath: boolean): readonly PathText[] {
  if (!isPath && !text.includes("{{")) return []
  const template = parseTemplate(text)
  if (!template.ok) return []
  const parts = [...tokensOf(template.parts).map((token) => token.inner), ...(isPath ? [template.parts] : [])]
  return parts.map((inner) => {
    const parsed = parsePath(patternOf(inner))
    // An invalid path may read any name.
    return parsed.ok
      ? { segments: parsed.segments, first: firstNameAsWritten(inner) }
      : { segments: [HOLE], first: "" }
  })
}

/** Warns about unknown names. Loads the code for this only if there may be any. */
export async function warnOfNames(check: NameCheck): Promise<void> {
  const { checkNames } = await import("./unknown-names.ts")
  checkNames(check)
}
