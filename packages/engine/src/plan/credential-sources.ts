// Finds the response fields that a workflow sends as credentials. Follows its placeholders before anything is sent.

import {
  getOrCreate,
  hasOutputs,
  hasResponse,
  hasTokens,
  iterates,
  parsePath,
  parseTemplate,
  walkBlocks,
  type Block,
  type LoopBlock,
  type PathSegments,
  type RequestBlock,
  type TransformBlock,
  type Workflow,
  ownOf,
} from "@callsheet/format"

/** Paths from a block's result to values that become secret. `*` selects every member. */
export type CredentialSources = ReadonlyMap<string, readonly PathSegments[]>

type SourcePath = readonly [string, ...string[]]

export const EACH = "*"

/** Finds the fields, keyed by request block id as written. Ignores names that are known only at run time. */
export function findCredentialSources(
  workflow: Workflow,
  textsOf: (block: RequestBlock) => Iterable<string>,
): CredentialSources {
  const index = new SourceIndex()
  const work: SourcePath[] = []
  for (const { block } of walkBlocks(workflow.blocks)) {
    index.add(block)
    if (hasResponse(block)) for (const text of textsOf(block)) work.push(...pathsOf(text))
  }
  const found = new Map<string, PathSegments[]>()
  const seen = new Set<string>()
  for (let path = work.pop(); path !== undefined; path = work.pop()) {
    const key = JSON.stringify(path)
    if (seen.has(key) || path.length > MAX_PATH_LENGTH) continue
    seen.add(key)
    const [first, ...rest] = path
    if (index.requests.has(first)) found.set(first, [...(found.get(first) ?? []), rest])
    else work.push(...index.before(first, rest))
  }
  return found
}

/** The maximum length of a path. A loop over its own results could extend a path forever. */
const MAX_PATH_LENGTH = 64

class SourceIndex {
  readonly requests = new Set<string>()
  readonly #transforms = new Map<string, TransformBlock>()
  readonly #iterators = new Map<string, LoopBlock[]>()

  add(block: Block): void {
    if (hasResponse(block)) this.requests.add(block.id)
    if (hasOutputs(block)) this.#transforms.set(block.id, block)
    if (!iterates(block) || block.iteratorVar === undefined) return
    getOrCreate(this.#iterators, block.iteratorVar, () => []).push(block)
  }

  /** Returns the paths from which a transform's output or a loop variable gets its value. */
  before(first: string, rest: PathSegments): readonly SourcePath[] {
    const [output, ...inner] = rest
    const transforms = this.#transforms.get(first)?.transforms ?? {}
    const text = output !== undefined ? ownOf(transforms, output) : undefined
    if (text !== undefined) return readPath(text, inner)
    return (this.#iterators.get(first) ?? []).flatMap(({ source }) =>
      source === undefined ? [] : readPath(source, [EACH, ...rest]),
    )
  }
}

/** Returns the paths in the placeholders of a string. Ignores nested placeholders, which only select a value. */
function pathsOf(text: string): readonly SourcePath[] {
  const template = parseTemplate(text)
  if (!template.ok) return []
  return template.parts.flatMap((part) => {
    if (typeof part === "string") return []
    const [only] = part.inner
    return typeof only === "string" && part.inner.length === 1 ? readPath(only, []) : []
  })
}

/** Returns the paths that a source reads. A source is a path, or a string with placeholders. */
function readPath(text: string, rest: PathSegments): readonly SourcePath[] {
  if (hasTokens(text)) return pathsOf(text).map((path) => [...path, ...rest])
  const path = parsePath(text.trim())
  return path.ok ? [[...path.segments, ...rest]] : []
}
