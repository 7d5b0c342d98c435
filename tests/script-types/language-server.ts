// TypeScript's own language server, used as an editor does: completions, hover texts and errors.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace("package.json", "bin/tsc"))

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

export interface Diagnostic {
  /** The text with the error. */
  readonly at: string
  readonly message: string
}

export class LanguageServer {
  readonly #root: string
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #received = Buffer.alloc(0)
  #count = 0

  private constructor(root: string) {
    this.#root = root
    this.#child = spawn(process.execPath, [tsc, "--lsp", "--stdio"], { cwd: root })
    this.#child.stdout.on("data", (bytes: Buffer) => this.#receive(bytes))
    this.#child.stdin.on("error", () => undefined)
  }

  /** Opens a directory, without any settings. */
  static async open(root: string): Promise<LanguageServer> {
    const server = new LanguageServer(root)
    const rootUri = pathToFileURL(root).href
    await server.#ask("initialize", {
      processId: process.pid,
      rootUri,
      capabilities: {},
      workspaceFolders: null,
    })
    server.#send({ method: "initialized", params: {} })
    return server
  }

  async close(): Promise<void> {
    const closed = once(this.#child, "close")
    await this.#ask("shutdown", undefined)
    this.#send({ method: "exit" })
    this.#child.stdin.end()
    await closed
  }

  /** The completions at `|` in the text of a file, which need not be on disk. */
  async completions(file: string, text: string): Promise<readonly string[]> {
    const at = text.indexOf("|")
    const plain = text.replace("|", "")
    return this.#with(file, plain, async (textDocument) => {
      const position = positionOf(plain, at)
      const result = await this.#ask("textDocument/completion", { textDocument, position })
      const items = Array.isArray(result) ? result : ((result as { items?: unknown[] } | null)?.items ?? [])
      return items.map((item) => (item as { label: string }).label)
    })
  }

  /** The hover text of a word's first occurrence. */
  async hover(file: string, text: string, word: string): Promise<string> {
    return this.#with(file, text, async (textDocument) => {
      const position = positionOf(text, text.indexOf(word))
      const result = await this.#ask("textDocument/hover", { textDocument, position })
      return JSON.stringify((result as { contents?: unknown } | null)?.contents ?? "")
    })
  }

  /** The underlined errors in a file. */
  async diagnostics(file: string, text: string): Promise<readonly Diagnostic[]> {
    return this.#with(file, text, async (textDocument) => {
      const result = await this.#ask("textDocument/diagnostic", { textDocument })
      const { items = [] } = (result ?? {}) as { items?: { range: Range; message: string }[] }
      return items.map(({ range, message }) => ({ at: textIn(text, range), message }))
    })
  }

  async #with<T>(file: string, text: string, use: (textDocument: { uri: string }) => Promise<T>): Promise<T> {
    const uri = pathToFileURL(join(this.#root, file)).href
    const textDocument = { uri, languageId: "typescript", version: ++this.#count, text }
    this.#send({ method: "textDocument/didOpen", params: { textDocument } })
    const result = await use({ uri })
    this.#send({ method: "textDocument/didClose", params: { textDocument: { uri } } })
    return result
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#count
    const answer = new Promise<unknown>((resolve) => {
      this.#waiting.set(id, resolve)
    })
    this.#send({ id, method, params })
    return answer
  }

  #send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
    this.#child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    this.#child.stdin.write(body)
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    for (let message = this.#take(); message !== undefined; message = this.#take()) {
      const { id, method, result } = message
      if (id === undefined) continue
      // The server asks for settings and the like. Answer that there are none.
      if (method !== undefined) this.#send({ id, result: method === "workspace/configuration" ? [] : null })
      else this.#waiting.get(id)?.(result)
    }
  }

  #take(): Message | undefined {
    const end = this.#received.indexOf("\r\n\r\n")
    if (end === -1) return undefined
    const length = Number(/Content-Length: (\d+)/i.exec(this.#received.toString("utf8", 0, end))?.[1])
    const start = end + 4
    if (this.#received.length < start + length) return undefined
    const message = JSON.parse(this.#received.toString("utf8", start, start + length)) as Message
    this.#received = this.#received.subarray(start + length)
    return message
  }
}

interface Position {
  readonly line: number
  readonly character: number
}

interface Range {
  readonly start: Position
  readonly end: Position
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length - 1, character: before.at(-1)!.length }
}

function textIn(text: string, { start, end }: Range): string {
  const lines = text.split("\n")
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character
  return text.slice(offset(start), offset(end))
}
