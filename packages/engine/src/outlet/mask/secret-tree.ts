// A prefix tree of secrets. Thousands of secrets with a common prefix, such as tokens of one server, need a single
// walk.

import type { Range } from "./rewrite.ts"

interface Node {
  /** The text from this point on that all secrets in the subtree share. */
  label: string
  isEnd: boolean
  /** Absent if every secret ends here. */
  next: Map<number, Node> | undefined
}

const createNode = (label: string): Node => ({ label, isEnd: true, next: undefined })

/** The length of the shortest secret, and of the shortest part of one before a cut. */
const MIN_LENGTH = 4

export class SecretTree {
  readonly #root: Node = { ...createNode(""), isEnd: false }
  /** Whether a secret starts with four characters, by their hash. One lookup rules out most indexes of a text. */
  readonly #starts = new Uint8Array(1 << 16)

  /** Adds a secret. Ignores one with fewer than 4 characters. */
  add(secret: string): void {
    if (secret.length < MIN_LENGTH) return
    let hash = 0
    for (let at = 0; at < MIN_LENGTH; at++) hash = hashWith(hash, secret.charCodeAt(at))
    this.#starts[hash] = 1
    let node = this.#root
    for (let at = 0; ;) {
      const shared = sharedLength(node.label, secret, at)
      if (shared < node.label.length) split(node, shared)
      at += shared
      if (at === secret.length) {
        node.isEnd = true
        return
      }
      const child = node.next?.get(secret.charCodeAt(at))
      if (child === undefined) {
        node.next ??= new Map()
        node.next.set(secret.charCodeAt(at), createNode(secret.slice(at)))
        return
      }
      node = child
    }
  }

  /** Returns the longest secret at each index. Stops if the budget for comparisons is spent. */
  rangesIn(text: string, budget: { left: number }): readonly Range[] {
    const found: Range[] = []
    const starts = this.#starts
    budget.left -= text.length
    let hash = 0
    for (let at = 0; at < text.length && budget.left >= 0; at++) {
      hash = hashWith(hash, text.charCodeAt(at))
      const from = at - MIN_LENGTH + 1
      if (starts[hash] === 0 || from < 0) continue
      const end = this.#endAt(text, from, budget)
      if (end !== -1) found.push([from, end])
    }
    return found
  }

  /** Returns the end of the longest secret at an index, or -1. */
  #endAt(text: string, from: number, budget: { left: number }): number {
    let node = this.#root
    let offset = 0
    let longest = -1
    for (let at = from; ; at++) {
      budget.left--
      const isWhole = offset === node.label.length
      if (isWhole && node.isEnd) longest = at
      const code = text.charCodeAt(at)
      if (!isWhole && node.label.charCodeAt(offset) === code) {
        offset++
        continue
      }
      const child = isWhole ? node.next?.get(code) : undefined
      if (child === undefined) {
        const isPart = at - from >= MIN_LENGTH && !(isWhole && node.next === undefined)
        return isPart && isCutAt(text, at) ? at : longest
      }
      node = child
      offset = 1
    }
  }
}

/** Adds a character to a hash of the last four. */
const hashWith = (hash: number, code: number): number => ((hash << 4) ^ code) & 0xffff

function sharedLength(label: string, secret: string, at: number): number {
  let shared = 0
  while (shared < label.length && label.charCodeAt(shared) === secret.charCodeAt(at + shared)) shared++
  return shared
}

function split(node: Node, at: number): void {
  const rest: Node = { label: node.label.slice(at), isEnd: node.isEnd, next: node.next }
  node.label = node.label.slice(0, at)
  node.isEnd = false
  node.next = new Map([[rest.label.charCodeAt(0), rest]])
}

const cut = /…|\\*["'`]?\.{3} [0-9]+ more /y

/** Returns whether a text was cut at an index. */
function isCutAt(text: string, at: number): boolean {
  cut.lastIndex = at
  return cut.test(text)
}
