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

/** A quote, a substitution or a here-document that doesn't end. */
export interface Unclosed {
  /** Such as `'` or `$(`. */
  readonly mark: string
  /** Where it starts, from 1. */
  readonly line: number
  readonly column: number
}

export interface ShellScript {
  readonly commands: readonly ShellCommand[]
  /** If there is one, the commands after it are unknown. */
  readonly unclosed: Unclosed | undefined
}

export const splitScript = (script: string): ShellScript => new Splitter(script).split()

interface Start extends Pick<Unclosed, "mark" | "line"> {
  readonly at: number
}

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
  #ends: { readonly end: string; readonly start: Start }[] = []
  #unclosed: Start | undefined
  /** The first quote with a line that starts a command of curl. Probably, an earlier line has lost a quote. */
  #suspect: Start | undefined

  constructor(text: string) {
    this.#text = withoutCarets(text.replaceAll("\r\n", "\n"))
  }

  split(): ShellScript {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at))
    this.#endCommand()
    for (const { start } of this.#ends) this.#unclosed ??= start
    return {
      commands: this.#commands,
      unclosed: this.#place(this.#unclosed && (this.#suspect ?? this.#unclosed)),
    }
  }

  #here = (mark: string): Start => ({ mark, line: this.#line, at: this.#at })

  #place(start: Start | undefined): Unclosed | undefined {
    if (start === undefined) return undefined
    const { mark, line, at } = start
    return { mark, line, column: at - (at === 0 ? -1 : this.#text.lastIndexOf("\n", at - 1)) }
  }

  /** Checks a quote up to the current position. After a closed one, a word usually ends. */
  #checkQuote(start: Start, text: string, isClosed: boolean): void {
    if (!isClosed) this.#unclosed ??= start
    if (!/\n[ \t]*(?:\$[ \t]+)?(?:\S*[/\\])?curl(?:\.exe)?[ \t]/.test(text)) return
    this.#suspect ??= start
    if (/[^\s;|&)]/.test(this.#text.charAt(this.#at))) this.#unclosed ??= start
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
    const start = this.#here("'")
    const length = this.#until("'", this.#at + 1)
    const inner = this.#text.slice(this.#at + 1, this.#at + length)
    const isClosed = this.#at + length < this.#text.length
    this.#add(plainText(inner), length + 1)
    this.#checkQuote(start, inner, isClosed)
  }

  #double(): void {
    const start = this.#here('"')
    const from = this.#at
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
    const isClosed = this.#at < this.#text.length
    this.#skip(1)
    this.#checkQuote(start, this.#text.slice(from, this.#at), isClosed)
  }

  /** Reads `$'…'`, in which a backslash escapes as in C. */
  #escaped(): void {
    const quoted = /\$'((?:\\[^]|[^'\\])*)'?/y
    quoted.lastIndex = this.#at
    const [whole = "$'", inner = ""] = quoted.exec(this.#text) ?? []
    const start = this.#here("$'")
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
    this.#checkQuote(start, inner, whole.length === inner.length + 3)
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
    if (this.#text.charAt(this.#at) === "`") {
      const length = this.#until("`", this.#at + 1)
      if (this.#at + length === this.#text.length) this.#unclosed ??= this.#here("`")
      return length + 1
    }
    const [open, close] = this.#text.charAt(this.#at + 1) === "(" ? ["(", ")"] : ["{", "}"]
    let depth = 0
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      if (this.#text.charAt(at) === open) depth++
      if (this.#text.charAt(at) === close && --depth === 0) return at + 1 - this.#at
    }
    this.#unclosed ??= this.#here(`$${open}`)
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
    else this.#ends.push({ end, start: this.#here(`<<${end}`) })
    this.#skip(written.length)
  }

  #skipDocuments(): void {
    for (const { end, start } of this.#ends.splice(0)) {
      let isEnd = false
      while (!isEnd && this.#at < this.#text.length) {
        const length = this.#until("\n")
        isEnd = this.#text.slice(this.#at, this.#at + length).trim() === end
        this.#skip(length + 1)
      }
      if (!isEnd) this.#unclosed ??= start
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
