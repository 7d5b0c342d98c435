// Forms by their pieces, in a tree: thousands that begin alike, as tokens of one server do, cost one walk.

import type { Form, Range, Writing } from "./forms.ts"
import { addOnce, escapedAt, type Unit } from "./unit.ts"

/** What follows a piece: a fork where forms part, else all the rest of the only form. */
type Branch = Fork | Rest

interface Fork {
  readonly edges: Edge[]
  /** By what an edge may begin with, as `Unit.firsts` has it. */
  readonly byFirst: Map<number, Edge[]>
  /** Forms whose last piece leads here. */
  readonly ends: Form[]
  /** Of forms that go on together for very long: each by itself. */
  readonly rests: Rest[]
}

interface Edge {
  readonly piece: string
  readonly unit: Unit
  branch: Branch
}

interface Rest {
  readonly pieces: string
  readonly form: Form
}

const isRest = (branch: Branch): branch is Rest => "pieces" in branch

const createFork = (): Fork => ({ edges: [], byFirst: new Map(), ends: [], rests: [] })

/** Each piece that forms share takes some hundred bytes. */
const DEEPEST_FORK = 512

/** All forms of one way of writing. */
export class FormTree {
  readonly #writing: Writing
  readonly #root = createFork()

  constructor(writing: Writing) {
    this.#writing = writing
  }

  add(form: Form): void {
    let fork = this.#root
    let at = 0
    let depth = 0
    for (const piece of form.pieces) {
      if (depth === DEEPEST_FORK) {
        fork.rests.push({ pieces: form.pieces.slice(at), form })
        return
      }
      at += piece.length
      depth++
      const edge = fork.edges.find((known) => known.piece === piece)
      if (edge === undefined) {
        this.#addEdge(fork, piece, { pieces: form.pieces.slice(at), form })
        return
      }
      if (isRest(edge.branch)) edge.branch = this.#fork(edge.branch)
      fork = edge.branch
    }
    fork.ends.push(form)
  }

  #addEdge(fork: Fork, piece: string, branch: Branch): void {
    const edge = { piece, unit: this.#writing.unitOf(piece), branch }
    fork.edges.push(edge)
    for (const first of edge.unit.firsts) {
      const known = fork.byFirst.get(first)
      if (known === undefined) fork.byFirst.set(first, [edge])
      else known.push(edge)
    }
  }

  #fork({ pieces, form }: Rest): Fork {
    const fork = createFork()
    const [piece] = pieces
    if (piece === undefined) fork.ends.push(form)
    else this.#addEdge(fork, piece, { pieces: pieces.slice(piece.length), form })
    return fork
  }

  /** Adds where forms stand that begin at a place. */
  find(text: string, at: number, found: Range[]): void {
    if (!this.#mayBegin(text, at)) return
    const work: Walk[] = []
    this.#enter(this.#root, { text, places: [at], depth: 0 }, work)
    for (let walk = work.pop(); walk !== undefined; walk = work.pop()) {
      const { branch } = walk
      for (const rest of isRest(branch) ? [branch] : branch.rests) {
        const places = this.#follow(rest, walk)
        if (places.length > 0) addRange(found, rest.form, { text, at, places })
      }
      if (isRest(branch)) continue
      for (const form of branch.ends) addRange(found, form, { text, at, places: walk.places })
      const cut = this.#cutAt(walk)
      if (cut !== undefined && branch.edges.length > 0) found.push([at, cut])
      this.#enter(branch, { text, places: this.#separated(walk), depth: walk.depth }, work)
    }
  }

  #mayBegin(text: string, at: number): boolean {
    const { byFirst } = this.#root
    return byFirst.has(text.charCodeAt(at)) || byFirst.has(escapedAt(text, at))
  }

  /** Takes every edge that is written at one of the places. */
  #enter({ byFirst }: Fork, { text, places, depth }: Place, work: Walk[]): void {
    const from = work.length
    for (const place of places) {
      const code = text.charCodeAt(place)
      const escape = escapedAt(text, place)
      for (const first of escape === -1 || escape === code ? [code] : [code, escape]) {
        for (const { unit, branch } of byFirst.get(first) ?? []) {
          const known =
            places.length === 1 ? undefined : work.find((walk, at) => at >= from && walk.branch === branch)
          const ends: number[] = known?.places ?? []
          unit.addEnds(text, place, ends)
          if (ends.length > 0 && known === undefined)
            work.push({ branch, text, places: ends, depth: depth + 1 })
        }
      }
    }
  }

  /** Where the rest of a form ends; nowhere where it does not stand. */
  #follow({ pieces }: Rest, walk: Place): readonly number[] {
    const { unitOf } = this.#writing
    const { text } = walk
    let { places, depth } = walk
    for (const piece of pieces) {
      const unit = unitOf(piece)
      const ends: number[] = []
      for (const place of this.#separated({ text, places, depth })) unit.addEnds(text, place, ends)
      if (ends.length === 0) {
        const cut = this.#cutAt({ text, places, depth })
        return cut === undefined ? [] : [cut]
      }
      places = ends
      depth++
    }
    return places
  }

  /** The places at which the next piece may begin. */
  #separated({ text, places }: Place): readonly number[] {
    const { separator, isSeparatorOptional } = this.#writing
    let next: number[] | undefined = isSeparatorOptional ? undefined : []
    for (const place of places) {
      if (!startsSeparator(text.charCodeAt(place))) continue
      separator.lastIndex = place
      if (separator.test(text)) addOnce((next ??= [...places]), separator.lastIndex)
    }
    return next ?? places
  }

  /** Where a text was cut, in the middle of a form. */
  #cutAt({ text, places, depth }: Place): number | undefined {
    if (depth < this.#writing.shortestCut) return undefined
    return places.find((place) => text.charCodeAt(place) === ELLIPSIS)
  }
}

interface Place {
  readonly text: string
  readonly places: readonly number[]
  /** Pieces that stand before the places. */
  readonly depth: number
}

interface Walk extends Place {
  readonly branch: Branch
  readonly places: number[]
}

const ELLIPSIS = 0x2026

/** `\0`, line breaks, `%` and `\`. */
const startsSeparator = (code: number): boolean =>
  code === 0 || code === 0x0a || code === 0x0d || code === 0x25 || code === 0x5c

function addRange(
  found: Range[],
  { widen }: Form,
  { text, at, places }: Omit<Place, "depth"> & { at: number },
): void {
  const range: Range = [at, Math.max(...places)]
  const wide = widen === undefined ? range : widen(text, range)
  if (wide !== undefined) found.push(wide)
}
