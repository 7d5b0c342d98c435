// Runs the project's TypeScript 7 compiler as a service, in its own process. The process reads no files itself: it asks
// for them.

import { startProgram, type FoundProgram } from "@callsheet/engine"
import type { CompilerFiles } from "./compiler-files.ts"

export type Compiler = ReturnType<typeof startCompiler>

interface Message {
  readonly id?: number
  readonly method?: keyof CompilerFiles
  readonly params?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Starts the compiler. `ask` rejects when the compiler stops, or doesn't know the method. */
export function startCompiler(program: FoundProgram, root: string, files: CompilerFiles) {
  const callbacks = Object.keys(files).join(",")
  const words = ["--api", "--async", "--cwd", root, `--callbacks=${callbacks}`]
  // Without environment variables, so that no secret reaches the compiler.
  const child = startProgram(program, words, { cwd: root, environment: {} })
  const waiting = new Map<number, Waiting>()
  let count = 0
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
    child.stdin?.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
  }
  const fail = (): void => {
    for (const { reject } of waiting.values()) reject(new Error("the compiler stopped"))
    waiting.clear()
  }
  const receive = ({ id = 0, method, params = "", result, error }: Message): void => {
    if (method !== undefined) return send({ id, result: files[method]?.(params) ?? null })
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(error.message))
  }
  const read = createMessageReader((text) => receive(JSON.parse(text) as Message))
  child.stdout?.on("data", read)
  child.stdin?.on("error", () => undefined)
  child.on("error", fail)
  child.on("close", fail)
  return {
    ask: (method: string, params: object | null): Promise<unknown> =>
      new Promise((resolve, reject) => {
        waiting.set(++count, { resolve, reject })
        send({ id: count, method, params })
      }),
    stop: (): void => {
      child.kill("SIGKILL")
      fail()
    },
  }
}

/** Splits a stream into messages, each with a header that contains its length. */
function createMessageReader(receive: (text: string) => void): (bytes: Buffer) => void {
  let received = Buffer.alloc(0)
  return (bytes) => {
    received = Buffer.concat([received, bytes])
    for (;;) {
      const end = received.indexOf("\r\n\r\n")
      if (end === -1) return
      const [, length] = /Content-Length: (\d+)/i.exec(received.toString("latin1", 0, end)) ?? []
      const [start, after] = [end + 4, end + 4 + Number(length)]
      if (!(received.length >= after)) return
      const text = received.toString("utf8", start, after)
      received = received.subarray(after)
      receive(text)
    }
  }
}
