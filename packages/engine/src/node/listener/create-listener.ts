// The only module that creates an HTTP server. Whatever a client sends, its request can't end the process.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http"
import type { Duplex } from "node:stream"
import { limitConnections, type Connections } from "./limit-connections.ts"

export interface ListenerOptions extends ServerOptions {
  /** The maximum number of connections. */
  readonly connections: number
}

/** Answers requests. If a function throws or rejects, only its own connection ends. */
export interface Answering {
  /** Receives every request that Node delivers, also those with an `Expect` header. */
  readonly request: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
  /** Answers CONNECT. By default, the connection is closed. */
  readonly connect?: (request: IncomingMessage, socket: Duplex) => void
  /** Answers what isn't HTTP, or is too slow or too large. By default, Node answers. */
  readonly clientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** Receives what a function has thrown. */
  readonly onBug: (error: unknown) => void
}

export interface Listener {
  readonly server: Server
  readonly connections: Connections
}

/** Creates a server that doesn't listen yet. */
export function createListener({ connections, ...options }: ListenerOptions, answering: Answering): Listener {
  const server = createServer(options)
  // By default, Node drops headers above a limit. Checks must see all headers.
  server.maxHeadersCount = 0
  // For example, the system may refuse to accept a connection. Whoever starts listening also listens for errors.
  server.on("error", () => undefined)
  const guard = <T extends unknown[]>(
    answer: (...given: T) => Promise<void> | void,
    end: (...given: T) => void,
  ) => {
    return (...given: T): void => {
      const fail = (error: unknown): void => {
        answering.onBug(error)
        end(...given)
      }
      try {
        void answer(...given)?.catch(fail)
      } catch (error) {
        fail(error)
      }
    }
  }
  const onRequest = guard(answering.request, (_, response) => answerBug(response))
  // Node delivers requests through each of these events, and none may bypass the checks.
  for (const event of ["request", "checkContinue", "checkExpectation"] as const) server.on(event, onRequest)
  const { connect, clientError } = answering
  if (connect !== undefined)
    server.on(
      "connect",
      guard(
        (request: IncomingMessage, socket: Duplex) => {
          // Node no longer listens for the errors of this socket.
          socket.on("error", () => undefined)
          connect(request, socket)
        },
        (_, socket) => void socket.destroy(),
      ),
    )
  if (clientError !== undefined)
    server.on(
      "clientError",
      guard(clientError, (_, socket) => void socket.destroy()),
    )
  return { server, connections: limitConnections(server, connections) }
}

function answerBug(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(500, { connection: "close" }).end("a bug in callsheet: please report it")
}
