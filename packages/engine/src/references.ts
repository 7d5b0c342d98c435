// Which results a workflow may still read: what lets a run forget the rest, and warn of a status that nothing looks at.

import {
  parsePath,
  parseTemplate,
  scriptsOf,
  stringsOf,
  tokensOf,
  walkBlocks,
  type LoopBlock,
  type TemplatePart,
  type Workflow,
} from "@callsheet/format"

export interface References {
  /**
   * Whether anything may read the result of a block after its iteration has ended; `rawId` is the id as written.
   * A block outside of loops is asked the same.
   */
  readonly outlives: (rawId: string, loop: LoopBlock | undefined) => boolean
  /** Whether anything may read the result of the block at all. */
  readonly isRead: (rawId: string) => boolean
  /** Whether anything may look at the response status of the block. */
  readonly readsStatus: (rawId: string) => boolean
}

interface Reference {
  /** Segments with `*` for what a token gives. */
  readonly segments: readonly string[]
  /** The text of the first segment as written, tokens included. */
  readonly first: string
  readonly loop: LoopBlock | undefined
}

/** Reads every path and token of a workflow once. */
export function collectReferences(workflow: Workflow): References {
  const references: Reference[] = []
  let hasScripts = false
  for (const { block, loops } of walkBlocks(workflow.blocks)) {
    // `get(path)` of a script may read anything.
    if (scriptsOf(block).length > 0) hasScripts = true
    for (const live of stringsOf(block)) {
      for (const text of pathTexts(live.text, live.is === "path")) {
        references.push({ ...text, loop: loops?.loop })
      }
    }
  }
  const byId = new Map<string, readonly Reference[]>()
  const matching = (rawId: string): readonly Reference[] => {
    let found = byId.get(rawId)
    if (found === undefined) {
      found = references.filter((reference) => mayName(reference.segments[0]!, rawId))
      byId.set(rawId, found)
    }
    return found
  }
  return {
    isRead: (rawId) => hasScripts || matching(rawId).length > 0,
    outlives: (rawId, loop) =>
      hasScripts || matching(rawId).some((reference) => !isOwnIteration(reference, rawId, loop)),
    readsStatus: (rawId) => hasScripts || matching(rawId).some(({ segments }) => isStatusOrAbove(segments)),
  }
}

// `get-{{i}}` read inside the loop that writes `get-{{i}}` is always the result of the same iteration.
const isOwnIteration = (reference: Reference, rawId: string, loop: LoopBlock | undefined): boolean =>
  loop !== undefined && reference.loop === loop && reference.first === rawId && rawId.includes("{{")

const isStatusOrAbove = (segments: readonly string[]): boolean =>
  ["response", "status"].every(
    (name, index) => segments.length <= index + 1 || mayName(segments[index + 1]!, name),
  )

interface PathText {
  readonly segments: readonly string[]
  readonly first: string
}

/** The paths that a string reads: those of its tokens and, where it is a path, its own. */
function pathTexts(text: string, isPath: boolean): readonly PathText[] {
  const template = parseTemplate(text)
  if (!template.ok) return []
  const parts = [...tokensOf(template.parts).map((token) => token.inner), ...(isPath ? [template.parts] : [])]
  return parts.flatMap((inner) => {
    const wild = write(inner, () => "*")
    const parsed = parsePath(wild)
    // What cannot be told apart may name anything.
    if (!parsed.ok) return [{ segments: ["*"], first: "" }]
    return [{ segments: parsed.segments, first: firstSegment(write(inner, rewrite)) }]
  })
}

const write = (parts: readonly TemplatePart[], token: (inner: readonly TemplatePart[]) => string): string =>
  parts.map((part) => (typeof part === "string" ? part : token(part.inner))).join("")

const rewrite = (inner: readonly TemplatePart[]): string => `{{${write(inner, rewrite)}}}`

// Up to the first step outside of braces.
function firstSegment(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("{{", at)) depth++
    else if (text.startsWith("}}", at)) depth--
    else if (depth === 0 && (text[at] === "." || text[at] === "[")) return text.slice(0, at)
  }
  return text
}

/** Whether a name with wildcards and an id with tokens can come to be the same text. */
function mayName(pattern: string, rawId: string): boolean {
  const id = rawId.replaceAll(/\{\{.*?\}\}+/g, "*")
  if (pattern === id) return true
  if (!pattern.includes("*")) return id.includes("*") && wildcard(id).test(pattern)
  // Two patterns: told apart only by what stands before the first wildcard and behind the last one.
  const [head, otherHead] = [pattern.split("*", 1)[0]!, id.split("*", 1)[0]!]
  const [tail, otherTail] = [pattern.slice(pattern.lastIndexOf("*") + 1), id.slice(id.lastIndexOf("*") + 1)]
  if (!id.includes("*")) return wildcard(pattern).test(id)
  const shares = (a: string, b: string, by: "startsWith" | "endsWith") => a[by](b) || b[by](a)
  return shares(head, otherHead, "startsWith") && shares(tail, otherTail, "endsWith")
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
      .join(".*")}$`,
    "s",
  )
