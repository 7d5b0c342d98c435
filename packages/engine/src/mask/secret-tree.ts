// Secrets in a tree: thousands that begin alike, as tokens of one server do, cost one walk.

import { isLead, PERCENT, type EscapedText } from "./escapes.ts"
import { blankEnd, blanksEnd, isSeparator, joinEnd, LINE_FEED } from "./line-breaks.ts"
import { utf8 } from "./forms.ts"

interface Node {
  /** What all secrets below have in common from here on. */
  label: string
  isEnd: boolean
  /** Absent where no secret goes on. */
  next: Map<number, Node> | undefined
}

const createNode = (label: string): Node => ({ label, isEnd: true, next: undefined })

/** Where a walk is: behind so many characters of a label, at one of several places of the text. */
interface State {
  readonly node: Node
  readonly offset: number
  readonly places: number[]
}

/** A secret that agrees this far with the text is compared in blocks from there on. */
const LONG_WALK = 64

/** So many characters before a cut are a part of a secret, not chance. */
const SHORTEST_CUT = 4

export class SecretTree {
  readonly #root: Node = { ...createNode(""), isEnd: false }
  /** Most runs never come near a secret: the tree grows when the first text does. */
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

  /** Whether a secret begins with the character. */
  begins(code: number): boolean {
    return this.#first.has(code)
  }

  /** Where the longest secret ends that is written from a place on; -1 if none is. */
  endAt(escaped: EscapedText, from: number): number {
    for (const secret of this.#added.splice(0)) this.#grow(secret)
    const { text } = escaped
    let node = this.#root
    let offset = 0
    let longest = -1
    // Until the first escape there is one reading of everything.
    for (let place = from; ; place++) {
      const code = text.charCodeAt(place)
      if (offset === node.label.length && node.isEnd) longest = place
      const isBehindBreak = offset > 0 && node.label.charCodeAt(offset - 1) === LINE_FEED
      if (isLead(code) || isSeparator(code) || isBehindBreak) {
        escaped.stepsLeft -= place - from
        const start = { node, offset, places: [place] }
        return Math.max(longest, this.#follow(escaped, start, place - from))
      }
      if (node.label.charCodeAt(offset) === code && offset < node.label.length) {
        const more = offset < LONG_WALK ? 0 : escaped.plainLength(place + 1, node.label, offset + 1)
        offset += 1 + more
        place += more
        continue
      }
      const step = stepBy(node, offset, code)
      if (step === undefined) {
        escaped.stepsLeft -= place - from
        return Math.max(longest, cutAt(text, place, { node, offset }, place - from))
      }
      ;({ node, offset } = step)
    }
  }

  /** Goes on with every reading of the text at once, as long as there are steps left. */
  #follow(escaped: EscapedText, start: State, startDepth: number): number {
    let longest = -1
    let states: readonly State[] = [start]
    for (let depth = startDepth; states.length > 0 && escaped.stepsLeft > 0; depth++) {
      const after: State[] = []
      for (const state of states) {
        const { node, offset, places } = state
        if (offset === node.label.length && node.isEnd) longest = Math.max(longest, ...places)
        enter(after, state, escaped)
      }
      if (after.length === 0)
        for (const state of states)
          for (const place of state.places)
            longest = Math.max(longest, cutAt(escaped.text, place, state, depth))
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
 * Adds the states behind every reading of the places. Lines are broken by mail, PEM and whoever prints in columns, and
 * UTF-16 that is read byte by byte has NULs: a secret goes on behind them.
 */
function enter(after: State[], from: State, escaped: EscapedText): void {
  const places = behindIndentation(escaped, from)
  // The root: a secret has not begun.
  const most = from.node.label === "" ? 0 : places.length + MAX_SEPARATORS
  for (let at = 0; at < places.length; at++) {
    escaped.stepsLeft -= STEPS_OF_READING + places.length + after.length
    const place = places[at] ?? 0
    const code = escaped.text.charCodeAt(place)
    for (const reading of isLead(code) ? escaped.readingsAt(place) : [{ code, end: place + 1 }]) {
      addState(after, reading.end, stepBy(from.node, from.offset, reading.code))
      if (reading.code >= 0x80 && reading.end > place + 1)
        for (const units of formsOfCode(reading.code, code))
          addState(after, reading.end, stepByAll(from, units))
      if (!isSeparator(reading.code) || places.length >= most) continue
      places.push(reading.end)
      if (reading.code === LINE_FEED) places.push(blanksEnd(escaped, reading.end))
    }
  }
}

/** What a reading takes longer than the next character of a text. */
const STEPS_OF_READING = 16

function addState(after: State[], place: number, step: Step | undefined): void {
  if (step === undefined) return
  const { node, offset } = step
  const known = after.find((state) => state.node === node && state.offset === offset)
  if (known === undefined) after.push({ node, offset, places: [place] })
  else if (!known.places.includes(place)) known.places.push(place)
}

/** Both halves of a character that an escape names, and its bytes where those are read one by one, as `%` lets them be. */
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

/** Separators in a row: CR and LF, the NULs of UTF-32. */
const MAX_SEPARATORS = 6

/** The places of a state; behind a line feed of the secret also those where its next line may stand. */
function behindIndentation(text: EscapedText, { node, offset, places }: State): number[] {
  if (offset === 0 || node.label.charCodeAt(offset - 1) !== LINE_FEED) return places
  const more = new Set(places)
  for (const place of places) {
    // The line may be indented by itself, too.
    for (let end = place; end !== -1; end = blankEnd(text, end)) more.add(end)
    for (let end = joinEnd(text, place); end !== -1; end = blankEnd(text, end)) more.add(end)
  }
  return [...more]
}

const cut = /…|\\*["'`]?\.{3} [0-9]+ more /y

/** The place of a cut in the middle of a secret; -1 if the text goes on otherwise, or the secret does not. */
function cutAt(text: string, place: number, { node, offset }: Step, depth: number): number {
  if (depth < SHORTEST_CUT || (offset === node.label.length && node.next === undefined)) return -1
  cut.lastIndex = place
  return cut.test(text) ? place : -1
}
