// Splits a shell script into commands and words, as bash does. Runs nothing, so it resolves only variables.

import { plainText, variableText, type Text } from "../text.ts"

export interface ShellCommand {
  /** The line on which the command starts, from 1. */
  readonly line: number
  readonly words: readonly Text[]
  /** True if a word contains a command substitution, whose result is unknown. */
  readonly substitutes: boolean
}

const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y

/** Converts a command for cmd, as browsers on Windows copy it, where a caret escapes. */
const withoutCarets = (text: string): string =>
  /\bcurl(?:\.exe)? \^"|\^[ \t]*\n[ \t]*-/.test(text)
    ? text.replaceAll(/\^\n|\^([^])|[$`]/g, (written, char?: string) => {
        const kept = written === "^\n" ? " " : (char ?? written)
        return /[$`]/.test(kept) ? `\\${kept}` : kept
      })
    : text

export const splitCommands = (script: string): readonly ShellCommand[] => new Splitter(script).split()

class Splitter {
  readonly #text: string
  readonly #commands: ShellCommand[] = []
  #at = 0
  #line = 1
  #start = 1
  #words: Text[] = []
  /** The current word. Undefined between words: `''` is a word, too. */
  #word: Text | undefined
  #substitutes = false
  /** True if the next word is the file of a redirection. */
  #isRedirected = false
  /** The lines that end the here-documents of the current line. */
  #ends: string[] = []

  constructor(text: string) {
    this.#text = withoutCarets(text.replaceAll("\r\n", "\n"))
  }

  split(): readonly ShellCommand[] {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at))
    this.#endCommand()
    return this.#commands
  }

  #step(char: string): void {
    const next = this.#text.charAt(this.#at + 1)
    if (char === "\\" && next === "\n") this.#skip(2)
    else if (char === "\\") this.#add(plainText(next), 2)
    else if (char === "'") this.#single()
    else if (char === '"') this.#double()
    else if (char === "$" && next === "'") this.#escaped()
    else if (char === "$" || char === "`") this.#dollar()
    else if (char === "#" && this.#word === undefined) this.#skip(this.#until("\n"))
    else if (char === "<" || char === ">") this.#redirection()
    else if (char === "\n" || ";|&".includes(char)) {
      this.#endCommand()
      this.#skip(1)
      if (char === "\n") this.#skipDocuments()
    } else if (char === " " || char === "\t") {
      this.#endWord()
      this.#skip(1)
    } else this.#add(plainText(char), 1)
  }

  #skip(length: number): void {
    for (const char of this.#text.slice(this.#at, this.#at + length)) if (char === "\n") this.#line++
    this.#at += length
  }

  #add(text: Text, length: number): void {
    if (this.#word === undefined && this.#words.length === 0) this.#start = this.#line
    this.#word = (this.#word ?? "") + text
    this.#skip(length)
  }

  /** Returns the number of characters before `end`, or to the end of the script. */
  #until(end: string, from = this.#at): number {
    const found = this.#text.indexOf(end, from)
    return (found === -1 ? this.#text.length : found) - this.#at
  }

  #single(): void {
    const length = this.#until("'", this.#at + 1)
    this.#add(plainText(this.#text.slice(this.#at + 1, this.#at + length)), length + 1)
  }

  #double(): void {
    this.#add("", 1)
    for (
      let char = this.#text.charAt(this.#at);
      char !== '"' && char !== "";
      char = this.#text.charAt(this.#at)
    ) {
      const next = this.#text.charAt(this.#at + 1)
      if (char === "\\" && next === "\n") this.#skip(2)
      else if (char === "\\" && next !== "" && '$`"\\'.includes(next)) this.#add(plainText(next), 2)
      else if (char === "$" || char === "`") this.#dollar()
      else this.#add(plainText(char), 1)
    }
    this.#skip(1)
  }

  /** Reads `$'…'`, in which a backslash escapes as in C. */
  #escaped(): void {
    const quoted = /\$'((?:\\[^]|[^'\\])*)'?/y
    quoted.lastIndex = this.#at
    const [whole = "$'", inner = ""] = quoted.exec(this.#text) ?? []
    const bytes = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([^]))/g
    const text = inner.replaceAll(
      bytes,
      (escape, x?: string, u?: string, U?: string, octal?: string, char?: string) => {
        const code = x ?? u ?? U
        if (code !== undefined) return fromCode(Number.parseInt(code, 16))
        if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) % 256)
        return controls.get(char ?? "") ?? (`'"\\?`.includes(char ?? " ") ? (char ?? "") : escape)
      },
    )
    this.#add(plainText(text), whole.length)
  }

  #dollar(): void {
    variable.lastIndex = this.#at
    const found = variable.exec(this.#text)
    if (found !== null) return this.#add(variableText(found[1] ?? found[2] ?? ""), found[0].length)
    const isCommand =
      this.#text.charAt(this.#at) === "`" || /^\$[({]/.test(this.#text.slice(this.#at, this.#at + 2))
    if (!isCommand) return this.#add("$", 1)
    this.#substitutes = true
    this.#add("", this.#substitutionLength())
  }

  #substitutionLength(): number {
    if (this.#text.charAt(this.#at) === "`") return this.#until("`", this.#at + 1) + 1
    const [open, close] = this.#text.charAt(this.#at + 1) === "(" ? ["(", ")"] : ["{", "}"]
    let depth = 0
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      if (this.#text.charAt(at) === open) depth++
      if (this.#text.charAt(at) === close && --depth === 0) return at + 1 - this.#at
    }
    return this.#text.length - this.#at
  }

  /** Reads `> file`, `2>&1` and `<<END`. Redirects change nothing that curl sends, except for standard input. */
  #redirection(): void {
    if (/^\d*$/.test(this.#word ?? "")) this.#word = undefined
    this.#endWord()
    const operator = /<<<|<<-?[ \t]*(['"\\]?)([\w.-]+)\1?|<<-?|<>|>>|>\||[<>]&?/y
    operator.lastIndex = this.#at
    const [written = "<", , end] = operator.exec(this.#text) ?? []
    if (end === undefined) this.#isRedirected = true
    else this.#ends.push(end)
    this.#skip(written.length)
  }

  #skipDocuments(): void {
    for (const end of this.#ends.splice(0))
      for (let isEnd = false; !isEnd && this.#at < this.#text.length;) {
        const length = this.#until("\n")
        isEnd = this.#text.slice(this.#at, this.#at + length).trim() === end
        this.#skip(length + 1)
      }
  }

  #endWord(): void {
    if (this.#word === undefined) return
    if (!this.#isRedirected) this.#words.push(this.#word)
    this.#isRedirected = false
    this.#word = undefined
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#words.length > 0)
      this.#commands.push({ line: this.#start, words: this.#words, substitutes: this.#substitutes })
    this.#words = []
    this.#substitutes = false
    this.#isRedirected = false
  }
}

const controls = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["E", "\u001b"],
  ["f", "\f"],
  ["v", "\v"],
])

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "")
