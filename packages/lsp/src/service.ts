// What a language service answers. The command brings one: this package knows only the protocol.

import type {
  ClientCapabilities,
  Diagnostic,
  FileEvent,
  ProgressToken,
  ServerCapabilities,
} from "vscode-languageserver"

/** Documents are URIs, and positions count UTF-16 code units of the text that the client sent. */
export interface Service {
  /** Everything that the service offers. The synchronization of documents and diagnostics are this package's. */
  readonly capabilities: (client: ClientCapabilities, clientCommands: readonly string[]) => ServerCapabilities
  readonly start: (options: StartOptions, client: Client) => void
  /** A document was opened, or has another text. */
  readonly change: (document: {
    readonly uri: string
    readonly text: string
    readonly version: number
  }) => void
  readonly close: (uri: string) => void
  /** The text of an open document, or of the file on disk. Undefined if there is none. */
  readonly textOf: (uri: string) => string | undefined
  /** Files changed on disk. Returns whether the change concerns a project. */
  readonly filesChanged: (changes: readonly FileEvent[]) => boolean
  readonly foldersChanged: (added: readonly string[], removed: readonly string[]) => void
  /** The user cancels what reports its progress with this token. */
  readonly cancelProgress: (token: ProgressToken) => void
  /** The client's settings below `callsheet`. */
  readonly configure: (settings: unknown) => void
  /** Answers of requests by method. */
  readonly requests: Readonly<Record<string, (params: never, signal: AbortSignal) => Promise<unknown>>>
  /** The problems of one document, as soon as possible. */
  readonly diagnose: (uri: string, signal: AbortSignal) => Promise<Diagnosis>
  /** The problems of all projects, by document. Documents without problems may be absent. */
  readonly diagnoseAll: (signal: AbortSignal) => Promise<ReadonlyMap<string, readonly Diagnostic[]>>
  readonly dispose: () => Promise<void>
}

interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[]
  /** False if a check of all files may find others. */
  readonly isWhole: boolean
}

interface StartOptions {
  readonly capabilities: ClientCapabilities
  /** The URIs of the workspace's folders. */
  readonly folders: readonly string[]
  /** False before the user trusts the workspace: nothing of it may run. */
  readonly isTrusted: boolean
  /** True if the client reports changes on disk. */
  readonly clientWatches: boolean
  /** The commands that the client runs itself, so that the server doesn't announce them. */
  readonly clientCommands: readonly string[]
}

/** How the service reaches the client. */
interface Client {
  /** Problems may have changed, because of changes on disk or in other documents. */
  readonly problemsChanged: () => void
  readonly request: (method: string, params: unknown) => Promise<unknown>
  readonly notify: (method: string, params: unknown) => void
}
