// Builds HTML. Every value is escaped unless it is markup already, so text from outside can't become markup.

import { breakCommandsInXml } from "../../text/log-commands.ts"
import { printable } from "../../text/printable.ts"

/** HTML that needs no more escaping. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Markup | undefined | readonly Part[]

/** Joins the parts of a template. Leaves out undefined ones. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.reduce((whole, text, at) => whole + sourceOf(parts[at - 1]) + text))

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
  breakCommandsInXml(printable(text, "lines").replace(/[&<>"']/g, (character) => escapes[character] ?? ""))

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
