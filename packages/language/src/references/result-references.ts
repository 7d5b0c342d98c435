// Finds the results that a workflow may still read, so that a run can forget the others and warn about unchecked
// statuses. If in doubt, a result counts as read: keeping one too many costs memory, but a missing one breaks the run.

import {
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
import { firstNameAsWritten, HOLE, mayMeet, patternOf } from "../names/name-pattern.ts"
import { placesOf } from "../scope/places.ts"

export interface References {
  /** Returns whether a block's result may be read after its loop iteration has ended. `rawId` is the id as written. */
  readonly outlives: (rawId: string) => boolean
  readonly isRead: (rawId: string) => boolean
  readonly readsStatus: (rawId: string) => boolean
}

interface PathText {
  /** Contains a hole for each token. */
  readonly segments: readonly string[]
  readonly first: string
}

/** `reader` is the block that reads. Undefined if that does not matter. */
type Reference = PathText & { readonly reader: Visit | undefined }

/**
 * Reads every path and token of a workflow once. `stringsOfRequest` returns the strings of saved requests, which may
 * contain tokens too.
 */
export function collectReferences(
  workflow: Workflow,
  stringsOfRequest: (block: RequestBlock) => Iterable<string>,
): References {
  const references = new ReferenceIndex()
  const writers = new Map<string, Visit>()
  let hasScripts = false
  for (const visit of walkBlocks(workflow.blocks)) {
    const { block } = visit
    // A script may read anything with `get(path)`.
    if (scriptsOf(block).length > 0) hasScripts = true
    if (block.id.includes("{{")) writers.set(block.id, visit)
    for (const { text, is } of stringsOf(block))
      for (const found of pathTexts(text, is === "path")) references.add(found, visit)
    if (!hasResponse(block) || block.request.instance === undefined) continue
    for (const text of stringsOfRequest(block))
      for (const found of pathTexts(text, false)) references.add(found, visit)
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
    readsStatus: remember(
      (rawId) => hasScripts || references.of(rawId).some(({ segments }) => isStatusOrAbove(segments)),
    ),
  }
}

/** Keeps all results for runs after blocks have changed. If loops make the id, keeps only what this run reads. */
export const keepAll = (references: References): References => ({
  ...references,
  isRead: () => true,
  outlives: (rawId) => !rawId.includes("{{") || references.outlives(rawId),
})

function remember<T>(answer: (rawId: string) => T): (rawId: string) => T {
  const known = new Map<string, T>()
  return (rawId) => getOrCreate(known, rawId, answer)
}

/** Indexes references by their first name. If a token is part of it, by the text before the token. */
class ReferenceIndex {
  readonly #exact = new Map<string, Reference[]>()
  readonly #open = new Map<string, Reference[]>()

  add(text: PathText, visit: Visit): void {
    const [name = "", ...more] = text.segments[0]?.split(HOLE) ?? []
    // A token's value may contain steps, so the text after it does not distinguish names.
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

/** Returns whether a loop between the two blocks, or the reader itself, redefines the tokens of the id. */
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

// Whitespace in tokens does not matter.
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

/** Returns the paths that a string reads: those of its tokens and, if it is a path, its own. */
function pathTexts(text: string, isPath: boolean): readonly PathText[] {
  if (!isPath && !text.includes("{{")) return []
  const template = parseTemplate(text)
  if (!template.ok) return []
  const parts = [...tokensOf(template.parts).map((token) => token.inner), ...(isPath ? [template.parts] : [])]
  return parts.map((inner) => {
    const parsed = parsePath(patternOf(inner))
    // A path that cannot be parsed may read anything.
    return parsed.ok
      ? { segments: parsed.segments, first: firstNameAsWritten(inner) }
      : { segments: [HOLE], first: "" }
  })
}
