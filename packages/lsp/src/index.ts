// Serves a language service to an editor over standard input and output (LSP 3.17). `callsheet lsp` brings the service.

import {
  createConnection,
  DidChangeWatchedFilesNotification,
  DiagnosticRefreshRequest,
  LSPErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  TextDocumentSyncKind,
  WorkDoneProgressCancelNotification,
  type CancellationToken,
  type ClientCapabilities,
  type Connection,
  type InitializeParams,
  type ServerCapabilities,
} from "vscode-languageserver/node"
import { TextDocument } from "vscode-languageserver-textdocument"
import { createFollowUp, createPush, pullDocument, pullWorkspace } from "./diagnostics.ts"
import { chooseEncoding, createConversion, type Conversion, type Encoding } from "./encoding.ts"
import { createOrder } from "./order.ts"
import type { Service } from "./service.ts"
import { readSettings } from "./settings.ts"

interface ServeOptions {
  readonly version: string
  readonly service: Service
  /** Returns the message of an error that people may read. Other errors are bugs. */
  readonly messageOf: (error: unknown) => string | undefined
  readonly onBug: (error: unknown) => void
}

/**
 * Serves until the client ends the connection, which ends the process: with 0 after `shutdown` and `exit`, else with 1
 * (LSP, "Exit Notification"). Also ends when the process of the client dies.
 */
export function serve(options: ServeOptions): void {
  const writer = new StreamMessageWriter(process.stdout)
  const order = createOrder(writer)
  const connection = createConnection(new StreamMessageReader(process.stdin), writer, {
    messageStrategy: order,
  })
  const end = (): void => process.exit(order.isEnded() ? 0 : 1)
  process.stdin.once("end", end).once("close", end)
  // The client no longer reads.
  process.stdout.once("error", end)
  const session = createSession(connection, options)
  connection.onInitialize(session.initialize)
  connection.onInitialized(session.initialized)
  connection.onShutdown(session.stop)
  connection.listen()
}

function createSession(connection: Connection, { service, version, messageOf, onBug }: ServeOptions) {
  let conversion: Conversion = createConversion("utf-16", service.textOf)
  let capabilities: ClientCapabilities = {}
  let pulls = false
  const onError = (error: unknown): void => {
    if (messageOf(error) === undefined) onBug(error)
  }
  const push = createPush({ service, connection, conversion: () => conversion, onError })
  const guard = async <T>(answer: () => Promise<T>): Promise<T | ResponseError> => {
    try {
      return await answer()
    } catch (error) {
      return refuse(error, { messageOf, onBug })
    }
  }
  const refresh = (): void => {
    if (capabilities.workspace?.diagnostics?.refreshSupport === true)
      connection.sendRequest(DiagnosticRefreshRequest.type).catch(() => undefined)
  }
  const followUp = createFollowUp({ service, refresh, onError })
  const problemsChanged = (uri?: string): void => {
    if (!pulls) return push.note(uri)
    // The client pulls after its own changes.
    return uri === undefined ? refresh() : followUp.changed()
  }
  const initialize = (params: InitializeParams) => {
    capabilities = params.capabilities
    pulls = capabilities.textDocument?.diagnostic !== undefined
    const encoding = chooseEncoding(capabilities.general?.positionEncodings)
    conversion = createConversion(encoding, service.textOf)
    const start = startOptionsOf(params)
    hearNotifications(connection, { service, hear: hearing(onError), problemsChanged })
    if (pulls) answerPulls(connection, { service, guard, conversion, followUp })
    answerRequests(connection, { service, guard, conversion })
    service.start(start, clientOf(connection, { conversion, problemsChanged: () => problemsChanged() }))
    return {
      serverInfo: { name: "callsheet", version },
      capabilities: withOwn(
        service.capabilities(capabilities, start.clientCommands),
        ownCapabilities(encoding, pulls),
      ),
    }
  }
  return {
    initialize,
    initialized: () => registerWith(connection, { service, capabilities, problemsChanged }),
    stop: async (): Promise<void> => {
      push.stop()
      followUp.stop()
      await service.dispose()
    },
  }
}

const startOptionsOf = (params: InitializeParams) => ({
  capabilities: params.capabilities,
  folders: foldersOf(params),
  isTrusted: isTrusted(params.initializationOptions),
  clientWatches: params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
  clientCommands: commandsOf(params.initializationOptions),
})

interface Reaching {
  readonly conversion: Conversion
  readonly problemsChanged: () => void
}

const clientOf = (
  connection: Connection,
  { conversion, problemsChanged }: Reaching,
): Parameters<Service["start"]>[1] => ({
  problemsChanged,
  request: (method, params) => connection.sendRequest(method, conversion.toClient(params)),
  notify: (method, params) =>
    // The client may be gone.
    void connection.sendNotification(method, params as object).catch(() => undefined),
})

type Hear = <T>(listener: (message: T) => void) => (message: T) => void

/** Returns how to hear a notification: whatever it contains, the server goes on. */
const hearing =
  (onError: (error: unknown) => void): Hear =>
  (listener) =>
  (message) => {
    try {
      listener(message)
    } catch (error) {
      onError(error)
    }
  }

function ownCapabilities(encoding: Encoding, pulls: boolean): ServerCapabilities {
  return {
    positionEncoding: encoding,
    textDocumentSync: {
      openClose: true,
      // Changes of ranges would have to be converted before they are applied.
      change: encoding === "utf-16" ? TextDocumentSyncKind.Incremental : TextDocumentSyncKind.Full,
      save: false,
    },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    ...(pulls && {
      diagnosticProvider: {
        identifier: "callsheet",
        interFileDependencies: true,
        workspaceDiagnostics: true,
      },
    }),
  }
}

const withOwn = (offered: ServerCapabilities, own: ServerCapabilities): ServerCapabilities => ({
  ...offered,
  ...own,
  workspace: { ...offered.workspace, ...own.workspace },
})

interface Listening {
  readonly service: Service
  readonly hear: Hear
  readonly problemsChanged: (uri?: string) => void
}

function hearNotifications(connection: Connection, hearing: Listening): void {
  const { service, hear } = hearing
  synchronize(connection, hearing)
  watchFiles(connection, hearing)
  connection.onNotification(
    WorkDoneProgressCancelNotification.type,
    hear(({ token }) => service.cancelProgress(token)),
  )
}

function synchronize(connection: Connection, { service, hear, problemsChanged }: Listening): void {
  const documents = new TextDocuments(TextDocument)
  // Reported for an opened document, too.
  documents.onDidChangeContent(
    hear(({ document }) => {
      const { uri, version } = document
      service.change({ uri, version, text: document.getText() })
      problemsChanged(uri)
    }),
  )
  documents.onDidClose(
    hear(({ document }) => {
      service.close(document.uri)
      problemsChanged(document.uri)
    }),
  )
  documents.listen(connection)
}

interface Answering {
  readonly service: Service
  readonly guard: <T>(answer: () => Promise<T>) => Promise<T | ResponseError>
  readonly conversion: Conversion
  readonly followUp: ReturnType<typeof createFollowUp>
}

function answerRequests(
  connection: Connection,
  { service, guard, conversion }: Omit<Answering, "followUp">,
): void {
  for (const [method, answer] of Object.entries(service.requests))
    connection.onRequest(method, (request: object, token: CancellationToken) =>
      guard(async () => {
        const signal = signalOf(token)
        const own = conversion.toService(request)
        const result = await (answer as (params: unknown, signal: AbortSignal) => Promise<unknown>)(
          own,
          signal,
        )
        return conversion.toClient(result, uriOf(request))
      }),
    )
}

function answerPulls(connection: Connection, { service, guard, conversion, followUp }: Answering): void {
  connection.languages.diagnostics.on(({ textDocument, previousResultId: previous }, token) => {
    const { uri } = textDocument
    return guard(() =>
      pullDocument(service, { uri, previous }, { signal: signalOf(token), conversion, followUp }),
    ) as ReturnType<typeof pullDocument>
  })
  connection.languages.diagnostics.onWorkspace(
    (params, token) =>
      guard(() => pullWorkspace(service, params, { signal: signalOf(token), conversion })) as ReturnType<
        typeof pullWorkspace
      >,
  )
}

function watchFiles(connection: Connection, { service, hear, problemsChanged }: Listening): void {
  connection.onDidChangeWatchedFiles(
    hear(({ changes }) => {
      if (service.filesChanged(changes)) problemsChanged()
    }),
  )
}

interface Registering {
  readonly service: Service
  readonly capabilities: ClientCapabilities
  readonly problemsChanged: () => void
}

/** Asks the client for what it offers. */
function registerWith(
  connection: Connection,
  { service, capabilities: { workspace }, problemsChanged }: Registering,
): void {
  readSettings(connection, workspace, service.configure)
  if (workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
    connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: "**/*" }] })
      .catch(() => undefined)
  if (workspace?.workspaceFolders === true)
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      service.foldersChanged(
        added.map(({ uri }) => uri),
        removed.map(({ uri }) => uri),
      )
      problemsChanged()
    })
}

function foldersOf({ workspaceFolders, ...params }: InitializeParams): readonly string[] {
  if (workspaceFolders && workspaceFolders.length > 0) return workspaceFolders.map(({ uri }) => uri)
  // Older clients name one directory.
  const { rootUri } = params as { rootUri?: string | null }
  return rootUri ? [rootUri] : []
}

const isTrusted = (options: unknown): boolean =>
  typeof options === "object" && options !== null && Reflect.get(options, "trusted") === true

/** Returns the commands that the client runs itself. */
function commandsOf(options: unknown): readonly string[] {
  const commands: unknown =
    typeof options === "object" && options !== null ? Reflect.get(options, "commands") : []
  return Array.isArray(commands) ? commands.filter((command) => typeof command === "string") : []
}

function uriOf(request: unknown): string | undefined {
  const document = request && typeof request === "object" ? Reflect.get(request, "textDocument") : undefined
  const uri: unknown = document && typeof document === "object" ? Reflect.get(document, "uri") : undefined
  return typeof uri === "string" ? uri : undefined
}

function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController()
  if (token.isCancellationRequested) controller.abort()
  else token.onCancellationRequested(() => controller.abort())
  return controller.signal
}

function refuse(error: unknown, { messageOf, onBug }: Pick<ServeOptions, "messageOf" | "onBug">) {
  if (error instanceof Error && error.name === "AbortError")
    return new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled")
  if (error instanceof Error && error.name === "ContentModified")
    return new ResponseError(LSPErrorCodes.ContentModified, "a file has changed meanwhile")
  const message = messageOf(error)
  if (message === undefined) onBug(error)
  return new ResponseError(LSPErrorCodes.RequestFailed, message ?? "callsheet has a bug")
}
