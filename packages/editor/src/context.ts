// What a feature is, and what its answers read.

import type {
  ClientCapabilities,
  ServerCapabilities,
  TextDocumentIdentifier,
} from "vscode-languageserver-protocol"
import type { Cancels } from "./commands/cancels.ts"
import type { Place, Workspace, WorkspaceOptions } from "./workspace/workspace.ts"

/** How answers reach the client. */
export interface Client {
  /** Problems may have changed, because of changes on disk or in other documents. */
  readonly problemsChanged: () => void
  readonly request: (method: string, params: unknown) => Promise<unknown>
  readonly notify: (method: string, params: unknown) => void
}

/** The client's settings below `callsheet`. */
export interface Settings {
  readonly environment?: string
}

/** What an answer reads. */
export interface Context {
  readonly workspace: Workspace
  readonly client: Client
  readonly capabilities: ClientCapabilities
  /** False before the user trusts the workspace: nothing of it may run. */
  readonly isTrusted: boolean
  readonly settings: Settings
  /** The commands that the client runs itself. */
  readonly clientCommands: readonly string[]
  readonly cancels: Cancels
  readonly options: WorkspaceOptions
  readonly signal: AbortSignal
  /** Returns undefined if no project owns the document, or it has no text. */
  readonly place: (document: TextDocumentIdentifier) => Place | undefined
}

export interface Feature {
  /** `clientCommands` are the commands that the client runs itself. */
  readonly capabilities: (client: ClientCapabilities, clientCommands: readonly string[]) => ServerCapabilities
  readonly requests: Readonly<Record<string, (params: never, context: Context) => Promise<unknown>>>
}
