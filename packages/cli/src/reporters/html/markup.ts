// Builds HTML. Every value is escaped unless it is markup already, so text from outside can't become markup.

import { ownOf } from "@callsheet/format"
import { breakCommandsInXml } from "../../text/log-commands.ts"
import { printable } from "../../text/printable.ts"

/** HTML that needs no more escaping: a text or, if that would be long, the parts of it. */
export class Markup {
  readonly #source: string | readonly (string | Markup)[]
  /** The length of the text, in characters. */
  readonly length: number

  constructor(source: string | readonly (string | Markup)[]) {
    this.#source = source
    this.length =
      typeof source === "string" ? source.length : source.reduce((sum, { length }) => sum + length, 0)
  }

  get text(): string {
    return typeof this.#source === "string" ? this.#source : [...this.pieces()].join("")
  }

  /** Yields the text in pieces. Iterative, because blocks may nest deeper than the stack. */
  *pieces(): Generator<string, void> {
    const work: (string | Markup)[] = [this]
    for (let part = work.pop(); part !== undefined; part = work.pop()) {
      const source = typeof part === "string" ? part : part.#source
      if (typeof source === "string") yield source
      else for (let at = source.length - 1; at >= 0; at--) work.push(source[at] ?? "")
    }
  }
}

type Part = string | number | Markup | undefined | readonly Part[]

/** The maximum length of markup that is joined. Each copy of longer markup would take memory until it is collected. */
export const MAX_JOINED = 64 * 1024

/** Joins the parts of a template. Leaves out undefined ones. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(
    parts.some((part) => lengthOf(part) > MAX_JOINED)
      ? texts.flatMap((text, at) => [...piecesOf(parts[at - 1]), text])
      : texts.reduce((whole, text, at) => whole + sourceOf(parts[at - 1]) + text),
  )

function lengthOf(part: Part): number {
  if (part instanceof Markup) return part.length
  return typeof part === "object" ? part.reduce<number>((sum, inner) => sum + lengthOf(inner), 0) : 0
}

const piecesOf = (part: Part): readonly (string | Markup)[] =>
  part instanceof Markup
    ? [part]
    : typeof part === "object"
      ? part.flatMap((inner) => piecesOf(inner))
      : [sourceOf(part)]

function sourceOf(part: Part): string {
  if (part === undefined) return ""
  if (part instanceof Markup) return part.text
  if (typeof part === "object") return part.map((inner) => sourceOf(inner)).join("")
  return escapeText(String(part))
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes text for elements and attributes. Shows control and direction characters by their code. */
const escapeText = (text: string): string =>
  breakCommandsInXml(
    printable(text, "lines").replace(/[&<>"']/g, (character) => ownOf(escapes, character) ?? ""),
  )

/** Limits the size of a part of the page. */
export class Budget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  get isSpent(): boolean {
    return this.#left === 0
  }

  /** Subtracts the size of the markup and `more` bytes from the rest. If they don't fit, returns false and takes no more. */
  take({ text }: Markup, more = 0): boolean {
    const left = this.#left - Buffer.byteLength(text) - more
    this.#left = left < 0 ? 0 : left
    return left >= 0
  }

  /** Takes the result of `make`. Doesn't call it if the limit is reached, because it is slow. */
  fit(make: () => Markup | undefined): Markup | undefined {
    const made = this.isSpent ? undefined : make()
    return made !== undefined && this.take(made) ? made : undefined
  }
}
