// Starts `callsheet lsp` as an editor does, and speaks the protocol with it.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node"
import type { ClientCapabilities, Diagnostic, InitializeResult } from "vscode-languageserver-protocol"
import { codeCache, commandLine, createFolder, type Files } from "../harness/callsheet.ts"

export interface EditorOptions {
  /** Written to a fresh directory, which `close` removes. */
  readonly files?: Files
  /** A directory that the caller made, and removes. */
  readonly folder?: string
  /** Directories of the workspace, from `folder`. The default is `folder` itself. */
  readonly workspace?: readonly string[]
  readonly capabilities?: ClientCapabilities
  readonly initializationOptions?: unknown
  /** Other parameters of `initialize`, such as `processId`. */
  readonly params?: object
  /** Arguments after `lsp`. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Answers of the editor to requests of the server. The others are null. */
  readonly answers?: Readonly<Record<string, (params: Result) => unknown>>
  /** False if the test initializes. */
  readonly initializes?: boolean
}

/** A result of any request. Tests look at the fields that they expect. */
// oxlint-disable-next-line typescript/no-explicit-any
type Result = any

export interface Editor {
  readonly folder: string
  /** What the server answered to `initialize`. */
  readonly initialized: InitializeResult
  readonly uri: (path: string) => string
  /** Rejects with the error of the server. */
  readonly request: <T = Result>(method: string, params?: object, signal?: AbortSignal) => Promise<T>
  readonly notify: (method: string, params?: object) => Promise<void>
  /** Opens a file. Without a text, as it is on disk. */
  readonly open: (path: string, text?: string) => Promise<void>
  /** Replaces the text of an open file. */
  readonly change: (path: string, text: string) => Promise<void>
  readonly close: (path: string) => Promise<void>
  /** The problems of a file, pulled. */
  readonly pull: (path: string) => Promise<readonly Diagnostic[]>
  /** The problems of all files, pulled, by URI. Files without problems are left out. */
  readonly pullAll: () => Promise<ReadonlyMap<string, readonly Diagnostic[]>>
  /** The problems that were pushed last, by URI. */
  readonly pushed: ReadonlyMap<string, readonly Diagnostic[]>
  /** Requests and notifications of the server, in their order. */
  readonly received: readonly { readonly method: string; readonly params: Result }[]
  /** Resolves as soon as `find` returns something, and asks again after each message and output of the server. */
  readonly until: <T>(find: () => T | undefined) => Promise<T>
  /** Writes bytes to the server, as they are. */
  readonly write: (bytes: string | Uint8Array) => void
  /** Everything that the server wrote to standard output. */
  readonly output: () => string
  readonly errors: () => string
  readonly pid: number
  /** Ends standard input. */
  readonly endInput: () => void
  /** Sends `shutdown` and `exit`. Returns the exit code. */
  readonly quit: () => Promise<number | null>
  /** Resolves with the exit code when the server ends. */
  readonly exited: Promise<number | null>
  /** Kills the server and removes its files. */
  readonly dispose: () => Promise<void>
}

/** Announced by editors that pull diagnostics. */
export const pulls: ClientCapabilities = {
  textDocument: { diagnostic: { dynamicRegistration: false } },
  workspace: { workspaceFolders: true, diagnostics: { refreshSupport: true } },
}

/** Starts the server in a trusted workspace, and initializes it. */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const folder = options.folder ?? (await createFolder(options.files))
  const uri = (path: string): string => pathToFileURL(join(folder, path)).href
  const server = startServer(folder, options)
  const { connection, exited } = server
  const initialized =
    options.initializes === false ? { capabilities: {} } : await initialize({ connection, uri }, options)
  let version = 0
  const notify = (method: string, params?: object): Promise<void> =>
    connection.sendNotification(method, params)
  return {
    ...server,
    folder,
    uri,
    initialized,
    notify,
    request: (method, params, signal) =>
      signal === undefined
        ? connection.sendRequest(method, params)
        : connection.sendRequest(method, params, tokenOf(signal)),
    open: (path, text = readFileSync(join(folder, path), "utf8")) =>
      notify("textDocument/didOpen", {
        textDocument: { uri: uri(path), languageId: "json", version: version++, text },
      }),
    change: (path, text) =>
      notify("textDocument/didChange", {
        textDocument: { uri: uri(path), version: version++ },
        contentChanges: [{ text }],
      }),
    close: (path) => notify("textDocument/didClose", { textDocument: { uri: uri(path) } }),
    pull: async (path) => {
      const report: Result = await connection.sendRequest("textDocument/diagnostic", {
        textDocument: { uri: uri(path) },
      })
      return report.items as Diagnostic[]
    },
    pullAll: async () => {
      const report: Result = await connection.sendRequest("workspace/diagnostic", { previousResultIds: [] })
      const items = report.items as { readonly uri: string; readonly items: readonly Diagnostic[] }[]
      return new Map(
        items.filter((item) => item.items.length > 0).map((item) => [item.uri, item.items] as const),
      )
    },
    quit: async () => {
      await connection.sendRequest("shutdown")
      await connection.sendNotification("exit")
      return exited
    },
    dispose: async () => {
      server.kill()
      await exited
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

type Connection = ReturnType<typeof createMessageConnection>

interface Initializing {
  readonly connection: Connection
  readonly uri: (path: string) => string
}

async function initialize(
  { connection, uri }: Initializing,
  options: EditorOptions,
): Promise<InitializeResult> {
  const folders = (options.workspace ?? [""]).map((path) => ({ uri: uri(path), name: path }))
  const result: InitializeResult = await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folders[0]?.uri ?? null,
    workspaceFolders: folders,
    capabilities: options.capabilities ?? {},
    initializationOptions: options.initializationOptions ?? { trusted: true },
    ...options.params,
  })
  await connection.sendNotification("initialized", {})
  return result
}

function startServer(folder: string, { args = ["--stdio"], env = {}, answers = {} }: EditorOptions) {
  const child = spawn(...commandLine(["lsp", ...args]), {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...codeCache, ...env },
    stdio: "pipe",
  })
  const exited = once(child, "close").then(([code]) => code as number | null)
  child.stdin.on("error", () => undefined)
  const said = { stdout: "", stderr: "" }
  const { until, wake } = createWaiting()
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text
      wake()
    })
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  const heard = hear(connection, { answers, wake })
  return {
    ...heard,
    connection,
    exited,
    until,
    pid: child.pid ?? 0,
    write: (bytes: string | Uint8Array): void => void child.stdin.write(bytes),
    endInput: (): void => void child.stdin.end(),
    output: (): string => said.stdout,
    errors: (): string => said.stderr,
    kill: (): void => void child.kill("SIGKILL"),
  }
}

function createWaiting() {
  const waiting = new Set<() => void>()
  return {
    wake: (): void => [...waiting].forEach((look) => look()),
    until: <T>(find: () => T | undefined): Promise<T> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          try {
            const found = find()
            if (found === undefined) return
            resolve(found)
          } catch (error) {
            reject(error)
          }
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
  }
}

interface Hearing {
  readonly answers: Readonly<Record<string, (params: Result) => unknown>>
  readonly wake: () => void
}

/** Keeps what the server sends, and answers its requests. */
function hear(connection: Connection, { answers, wake }: Hearing) {
  const received: { readonly method: string; readonly params: Result }[] = []
  const pushed = new Map<string, readonly Diagnostic[]>()
  connection.onNotification((method, params: Result) => {
    received.push({ method, params })
    if (method === "textDocument/publishDiagnostics") pushed.set(params.uri, params.diagnostics)
    wake()
  })
  connection.onRequest((method, params) => {
    received.push({ method, params })
    wake()
    return answers[method]?.(params) ?? null
  })
  connection.onError(() => undefined)
  connection.listen()
  return { received, pushed }
}

/** Sends `$/cancelRequest` when the signal aborts. */
const tokenOf = (signal: AbortSignal) => ({
  get isCancellationRequested() {
    return signal.aborted
  },
  onCancellationRequested: (listener: (reason: unknown) => void) => {
    signal.addEventListener("abort", listener)
    return { dispose: () => signal.removeEventListener("abort", listener) }
  },
})
