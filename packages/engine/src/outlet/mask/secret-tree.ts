// A prefix tree of secrets. Thousands of secrets with a common prefix, such as tokens of one server, need a single
// walk.

import { isLead, PERCENT, type EscapedText } from "./escapes.ts"
import { blankEnd, blanksEnd, isSeparator, joinEnd, LINE_FEED } from "./line-breaks.ts"
import { utf8 } from "./forms.ts"

interface Node {
  /** The text from this point on that all secrets in the subtree share. */
  label: string
  isEnd: boolean
  /** Absent if every secret ends here. */
  next: Map<number, Node> | undefined
}

const createNode = (label: string): Node => ({ label, isEnd: true, next: undefined })

/** The state of a walk: an offset in a label, with the indexes of the text that lead to it. */
interface State {
  readonly node: Node
  readonly offset: number
  readonly positions: number[]
}

/** From this length on, a match is compared in blocks. */
const LONG_WALK = 64

/** The minimum number of matching characters before a cut that count as part of a secret. */
const MIN_CUT_LENGTH = 4

export class SecretTree {
  readonly #root: Node = { ...createNode(""), isEnd: false }
  /** Secrets that aren't in the tree yet. The first search builds the tree, because most runs never need it. */
  #added: string[] = []
  readonly #first = new Set<number>()

  add(secret: string): void {
    this.#added.push(secret)
    this.#first.add(secret.charCodeAt(0))
  }

  #grow(secret: string): void {
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

  begins(code: number): boolean {
    return this.#first.has(code)
  }

  /** Returns the end of the longest secret at an index, or -1. */
  endAt(escaped: EscapedText, from: number): number {
    for (const secret of this.#added.splice(0)) this.#grow(secret)
    const { text } = escaped
    let node = this.#root
    let offset = 0
    let longest = -1
    // Before the first escape, every character has exactly one reading.
    for (let position = from; ; position++) {
      const code = text.charCodeAt(position)
      if (offset === node.label.length && node.isEnd) longest = position
      const isBehindBreak = offset > 0 && node.label.charCodeAt(offset - 1) === LINE_FEED
      if (isLead(code) || isSeparator(code) || isBehindBreak) {
        escaped.stepsLeft -= position - from
        const start = { node, offset, positions: [position] }
        return Math.max(longest, this.#follow(escaped, start, position - from))
      }
      if (node.label.charCodeAt(offset) === code && offset < node.label.length) {
        const more = offset < LONG_WALK ? 0 : escaped.plainLength(position + 1, node.label, offset + 1)
        offset += 1 + more
        position += more
        continue
      }
      const step = stepBy(node, offset, code)
      if (step === undefined) {
        escaped.stepsLeft -= position - from
        return Math.max(longest, cutAt(text, position, { node, offset }, position - from))
      }
      ;({ node, offset } = step)
    }
  }

  /** Follows all readings of the text in parallel. */
  #follow(escaped: EscapedText, start: State, startDepth: number): number {
    let longest = -1
    let states: readonly State[] = [start]
    for (let depth = startDepth; states.length > 0 && escaped.stepsLeft > 0; depth++) {
      const after: State[] = []
      for (const state of states) {
        const { node, offset, positions } = state
        if (offset === node.label.length && node.isEnd) longest = Math.max(longest, ...positions)
        enter(after, state, escaped)
      }
      if (after.length === 0)
        for (const state of states)
          for (const position of state.positions)
            longest = Math.max(longest, cutAt(escaped.text, position, state, depth))
      states = after
    }
    return longest
  }
}

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

interface Step {
  readonly node: Node
  readonly offset: number
}

function stepBy(node: Node, offset: number, code: number): Step | undefined {
  if (offset < node.label.length)
    return node.label.charCodeAt(offset) === code ? { node, offset: offset + 1 } : undefined
  const child = node.next?.get(code)
  return child && { node: child, offset: 1 }
}

/**
 * Adds the states after every reading. A secret may continue after a line break, as in mail, PEM and columns, and after
 * a NUL of UTF-16 that was read as bytes.
 */
function enter(after: State[], from: State, escaped: EscapedText): void {
  const positions = afterIndentation(escaped, from)
  // At the root, no secret has started, so there is nothing to continue.
  const max = from.node.label === "" ? 0 : positions.length + MAX_SEPARATORS
  for (let at = 0; at < positions.length; at++) {
    escaped.stepsLeft -= STEPS_OF_READING + positions.length + after.length
    const position = positions[at] ?? 0
    const code = escaped.text.charCodeAt(position)
    for (const reading of isLead(code) ? escaped.readingsAt(position) : [{ code, end: position + 1 }]) {
      addState(after, reading.end, stepBy(from.node, from.offset, reading.code))
      if (reading.code >= 0x80 && reading.end > position + 1)
        for (const units of formsOfCode(reading.code, code))
          addState(after, reading.end, stepByAll(from, units))
      if (!isSeparator(reading.code) || positions.length >= max) continue
      positions.push(reading.end)
      if (reading.code === LINE_FEED) positions.push(blanksEnd(escaped, reading.end))
    }
  }
}

/** The cost of a reading, in comparisons of one character. */
const STEPS_OF_READING = 16

function addState(after: State[], position: number, step: Step | undefined): void {
  if (step === undefined) return
  const { node, offset } = step
  const known = after.find((state) => state.node === node && state.offset === offset)
  if (known === undefined) after.push({ node, offset, positions: [position] })
  else if (!known.positions.includes(position)) known.positions.push(position)
}

/**
 * Returns the surrogates of a code point from an escape. If `lead` is an escape for bytes, such as `%`, also returns
 * its bytes.
 */
function formsOfCode(code: number, lead: number): readonly string[] {
  const character = String.fromCodePoint(code)
  return [...(character.length > 1 ? [character] : []), ...(lead === PERCENT ? [] : [utf8(character)])]
}

function stepByAll(from: Step, units: string): Step | undefined {
  let step: Step | undefined = from
  for (let at = 0; at < units.length && step !== undefined; at++)
    step = stepBy(step.node, step.offset, units.charCodeAt(at))
  return step
}

/** The maximum number of separators in a row, such as CR LF or the NULs of UTF-32. */
const MAX_SEPARATORS = 6

/** Returns the indexes of a state. If the secret has just had a line feed, also returns indexes after indentation. */
function afterIndentation(text: EscapedText, { node, offset, positions }: State): number[] {
  if (offset === 0 || node.label.charCodeAt(offset - 1) !== LINE_FEED) return positions
  const more = new Set(positions)
  for (const position of positions) {
    // The secret's own line may be indented too.
    for (let end = position; end !== -1; end = blankEnd(text, end)) more.add(end)
    for (let end = joinEnd(text, position); end !== -1; end = blankEnd(text, end)) more.add(end)
  }
  return [...more]
}

const cut = /…|\\*["'`]?\.{3} [0-9]+ more /y

/** Returns the index if the text was cut there, in the middle of a secret. Otherwise, -1. */
function cutAt(text: string, position: number, { node, offset }: Step, depth: number): number {
  if (depth < MIN_CUT_LENGTH || (offset === node.label.length && node.next === undefined)) return -1
  cut.lastIndex = position
  return cut.test(text) ? position : -1
}
