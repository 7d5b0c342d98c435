// Which results a workflow may still read: what lets a run forget the rest, and warn of a status that nothing looks at.
// What is in doubt counts as read: a result that is kept for nothing costs memory, one that is missing makes a wrong run.

import {
  hasResponse,
  iterates,
  parsePath,
  parseTemplate,
  scriptsOf,
  stringsOf,
  tokensOf,
  walkBlocks,
  type LoopBlock,
  type LoopChain,
  type RequestBlock,
  type TemplatePart,
  type Visit,
  type Workflow,
} from "@callsheet/format"

export interface References {
  /** Whether anything may read the result of a block in a loop once its iteration has ended; `rawId` is the id as written. */
  readonly outlives: (rawId: string) => boolean
  /** Whether anything may read the result of the block at all. */
  readonly isRead: (rawId: string) => boolean
  /** Whether anything may look at the response status of the block. */
  readonly readsStatus: (rawId: string) => boolean
}

interface Reference extends PathText {
  /** The block that reads; absent where that does not matter. */
  readonly reader: Visit | undefined
}

interface PathText {
  /** With `*` for what a token gives. */
  readonly segments: readonly string[]
  /** The text of the first segment as written, tokens included. */
  readonly first: string
}

/**
 * Reads every path and token of a workflow once. `textsOf` gives the strings of the saved requests that a request block may
 * send: tokens live in them too.
 */
export function collectReferences(
  workflow: Workflow,
  textsOf: (block: RequestBlock) => Iterable<string>,
): References {
  const references = new ReferenceIndex()
  const writers = new Map<string, Visit>()
  let hasScripts = false
  for (const visit of walkBlocks(workflow.blocks)) {
    const { block } = visit
    // `get(path)` of a script may read anything.
    if (scriptsOf(block).length > 0) hasScripts = true
    if (block.id.includes("{{")) writers.set(block.id, visit)
    for (const { text, is } of stringsOf(block)) {
      for (const found of pathTexts(text, is === "path")) references.add(found, visit)
    }
    if (!hasResponse(block) || block.request.instance === undefined) continue
    for (const text of textsOf(block)) {
      for (const found of pathTexts(text, false)) references.add(found, visit)
    }
  }
  const outlives = remember((rawId) => {
    const writer = writers.get(rawId)
    return references
      .of(rawId)
      .some((reference) => writer === undefined || !isOfSameIteration(reference, writer))
  })
  return {
    isRead: (rawId) => hasScripts || references.of(rawId).length > 0,
    outlives: (rawId) => hasScripts || outlives(rawId),
    readsStatus: remember(
      (rawId) => hasScripts || references.of(rawId).some(({ segments }) => isStatusOrAbove(segments)),
    ),
  }
}

/**
 * For results that another run may read, of blocks that are changed meanwhile. Of a block whose id a loop makes, only what
 * this run reads is kept: each iteration has one of its own.
 */
export const keepAll = (references: References): References => ({
  ...references,
  isRead: () => true,
  outlives: (rawId) => !rawId.includes("{{") || references.outlives(rawId),
})

function remember<T>(answer: (rawId: string) => T): (rawId: string) => T {
  const known = new Map<string, T>()
  return (rawId) => {
    let value = known.get(rawId)
    if (value === undefined) {
      value = answer(rawId)
      known.set(rawId, value)
    }
    return value
  }
}

/** References by the name that they begin with; where a token is part of it, by what stands before the token. */
class ReferenceIndex {
  readonly #exact = new Map<string, Reference[]>()
  readonly #open = new Map<string, Reference[]>()
  readonly #found = new Map<string, readonly Reference[]>()

  add(text: PathText, visit: Visit): void {
    const name = text.segments[0]!
    const wildcard = name.indexOf("*")
    const [index, key] = wildcard === -1 ? [this.#exact, name] : [this.#open, name.slice(0, wildcard)]
    const reference = { ...text, reader: text.first.includes("{{") ? visit : undefined }
    const list = index.get(key)
    if (list === undefined) index.set(key, [reference])
    else list.push(reference)
  }

  /** Those that may mean the block of this id. */
  of(rawId: string): readonly Reference[] {
    let found = this.#found.get(rawId)
    if (found === undefined) {
      found = this.#search(rawId)
      this.#found.set(rawId, found)
    }
    return found
  }

  #search(rawId: string): readonly Reference[] {
    const template = parseTemplate(rawId)
    const parts = template.ok ? template.parts : [rawId]
    const [head, tail] = [parts[0], parts.at(-1)].map((part) => (typeof part === "string" ? part : ""))
    const hasTokens = template.ok && template.hasTokens
    const found = hasTokens ? [] : [...(this.#exact.get(rawId) ?? [])]
    if (hasTokens) {
      for (const [name, list] of this.#exact) {
        if (name.startsWith(head!) && name.endsWith(tail!)) found.push(...list)
      }
    }
    // What a token gives may hold steps, so nothing that stands behind it tells names apart.
    for (const [prefix, list] of this.#open) {
      if (head!.startsWith(prefix) || (hasTokens && prefix.startsWith(head!))) found.push(...list)
    }
    return found
  }
}

/**
 * Whether a reference can only mean what the same iteration has written: it names the block as written, the same loops give
 * its tokens, and whenever the reader runs, the writer has run before it.
 */
function isOfSameIteration({ first, reader }: Reference, writer: Visit): boolean {
  if (reader === undefined || writer.loops === undefined || first !== nameOf(writer.block.id)) return false
  return !isShadowed(writer, reader) && runsBefore(writer, reader)
}

/** Whether a loop between the two, or the reader itself, gives the tokens of the id another meaning. */
function isShadowed(writer: Visit, reader: Visit): boolean {
  const names = iteratorsOf(writer.block.id)
  const between: LoopBlock[] = iterates(reader.block) ? [reader.block] : []
  let chain: LoopChain | undefined = reader.loops
  for (; chain !== undefined && chain.loop !== writer.loops!.loop; chain = chain.outer)
    between.push(chain.loop)
  if (chain === undefined) return true
  return between.some(
    ({ iteratorVar }) => names.has("$index") || (iteratorVar !== undefined && names.has(iteratorVar)),
  )
}

// Blanks in tokens do not matter.
function nameOf(rawId: string): string {
  const template = parseTemplate(rawId)
  return template.ok ? firstName(template.parts) : rawId
}

function iteratorsOf(rawId: string): ReadonlySet<string> {
  const template = parseTemplate(rawId)
  const tokens = template.ok ? tokensOf(template.parts) : []
  return new Set(tokens.map(({ inner }) => firstName(inner)))
}

/** Whether the writer stands before the reader, or before a container of it, with nothing but groups around it there. */
function runsBefore(writer: Visit, reader: Visit): boolean {
  const [from, to] = [writer.pointer(), reader.pointer()]
  let at = 0
  while (at < from.length && from[at] === to[at]) at++
  const [own, other] = [from[at], to[at]]
  if (typeof own !== "number" || typeof other !== "number" || own >= other) return false
  // Below the common list, fields named `blocks` are those of groups, since both stand in the same loop.
  return from.slice(at + 1).every((step) => typeof step === "number" || step === "blocks")
}

const isStatusOrAbove = ([name, part, field]: readonly string[]): boolean =>
  name!.includes("*") || (mayBe(part, "response") && (part?.includes("*") === true || mayBe(field, "status")))

const mayBe = (segment: string | undefined, name: string): boolean =>
  segment === undefined || segment === name || segment.includes("*")

/** The paths that a string reads: those of its tokens and, where it is a path, its own. */
function pathTexts(text: string, isPath: boolean): readonly PathText[] {
  if (!isPath && !text.includes("{{")) return []
  const template = parseTemplate(text)
  if (!template.ok) return []
  const parts = [...tokensOf(template.parts).map((token) => token.inner), ...(isPath ? [template.parts] : [])]
  return parts.flatMap((inner): readonly PathText[] => {
    const parsed = parsePath(inner.map((part) => (typeof part === "string" ? part : "*")).join(""))
    // What cannot be told apart may name anything.
    if (!parsed.ok) return [{ segments: ["*"], first: "" }]
    return [{ segments: parsed.segments, first: firstName(inner) }]
  })
}

/** The first segment as written. Tokens in tokens are left open: no id holds any. */
function firstName(parts: readonly TemplatePart[]): string {
  let name = ""
  for (const part of parts) {
    if (typeof part !== "string") {
      name += `{{${typeof part.inner[0] === "string" && part.inner.length === 1 ? part.inner[0] : "{{"}}}`
      continue
    }
    const end = part.search(/[.[]/)
    if (end !== -1) return name + part.slice(0, end)
    name += part
  }
  return name
}
