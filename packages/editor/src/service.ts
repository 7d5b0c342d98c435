// The language service that `callsheet lsp` serves: answers to an editor's requests, by method.

import type {
  ClientCapabilities,
  ProgressToken,
  ServerCapabilities,
  TextDocumentIdentifier,
} from "vscode-languageserver-protocol"
import { createCancels } from "./commands/cancels.ts"
import { diagnose, diagnoseAll, type Diagnosis } from "./diagnostics/diagnose.ts"
import type { Client, Context, Settings } from "./context.ts"
import { features } from "./features.ts"
import type { Sent } from "./workspace/open-documents.ts"
import { searchRegularly } from "./workspace/search-regularly.ts"
import {
  createWorkspace,
  type DiskChange,
  type Place,
  type Workspace,
  type WorkspaceOptions,
} from "./workspace/workspace.ts"

interface StartOptions {
  readonly capabilities: ClientCapabilities
  readonly folders: readonly string[]
  readonly isTrusted: boolean
  readonly clientWatches: boolean
  /** The commands that the client runs itself. */
  readonly clientCommands?: readonly string[]
}

/** Answers before `start` throw. */
export function createEditorService(options: WorkspaceOptions) {
  let session: Session | undefined
  const started = (): Session => {
    if (session === undefined) throw new Error("the service has not started")
    return session
  }
  const workspace = (): Workspace => started().workspace
  return {
    capabilities: (client: ClientCapabilities, clientCommands: readonly string[] = []): ServerCapabilities =>
      Object.assign(
        {},
        ...features.map((feature) => feature.capabilities(client, clientCommands)),
      ) as ServerCapabilities,
    start: (start: StartOptions, client: Client): void => {
      session = createSession(options, start, client)
    },
    change: (document: Sent): void => workspace().change(document),
    close: (uri: string): void => workspace().close(uri),
    textOf: (uri: string): string | undefined => session?.workspace.textOf(uri),
    filesChanged: (changes: readonly DiskChange[]): boolean => workspace().noteDisk(changes),
    foldersChanged: (added: readonly string[], removed: readonly string[]): void => {
      for (const uri of removed) workspace().removeFolder(uri)
      for (const uri of added) workspace().addFolder(uri)
    },
    configure: (settings: unknown): void => started().configure(settings),
    cancelProgress: (token: ProgressToken): void => session?.cancels.cancel(token),
    requests: Object.fromEntries(
      features.flatMap(({ requests }) =>
        Object.entries(requests).map(([method, answer]) => [
          method,
          (params: never, signal: AbortSignal): Promise<unknown> => answer(params, started().context(signal)),
        ]),
      ),
    ),
    diagnose: async (uri: string, signal: AbortSignal): Promise<Diagnosis> => {
      const place = workspace().place(uri)
      return place === undefined ? { diagnostics: [], isWhole: true } : diagnose(place, options, signal)
    },
    diagnoseAll: (signal: AbortSignal) => diagnoseAll(workspace(), signal),
    dispose: async (): Promise<void> => {
      await session?.close()
    },
  }
}

type Session = ReturnType<typeof createSession>

function createSession(options: WorkspaceOptions, start: StartOptions, client: Client) {
  const { isTrusted, folders, capabilities, clientWatches, clientCommands = [] } = start
  const cancels = createCancels()
  const workspace = createWorkspace(options, { isTrusted, clientWatches, onDisk: client.problemsChanged })
  for (const uri of folders) workspace.addFolder(uri)
  let settings: Settings = {}
  const search = searchRegularly(workspace, { clientWatches, onFound: client.problemsChanged })
  return {
    workspace,
    cancels,
    configure: (given: unknown): void => {
      const environment: unknown =
        typeof given === "object" && given !== null ? Reflect.get(given, "environment") : undefined
      settings = typeof environment === "string" && environment !== "" ? { environment } : {}
      // Lenses say the environment.
      if (capabilities.workspace?.codeLens?.refreshSupport === true)
        client.request("workspace/codeLens/refresh", undefined).catch(() => undefined)
    },
    context: (signal: AbortSignal): Context => ({
      workspace,
      client,
      capabilities,
      isTrusted,
      settings,
      clientCommands,
      cancels,
      options,
      signal,
      place: ({ uri }: TextDocumentIdentifier): Place | undefined => workspace.place(uri),
    }),
    close: async (): Promise<void> => {
      cancels.cancelAll()
      search.stop()
      await workspace.dispose()
    },
  }
}
