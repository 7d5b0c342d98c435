// Refuses messages that come too early or too late (LSP 3.17, "Lifecycle Messages"), and those of another kind.

import {
  ErrorCodes,
  Message,
  type MessageStrategy,
  type MessageWriter,
  type RequestMessage,
  type ResponseMessage,
} from "vscode-languageserver/node"
import { faultInParams } from "./check-params.ts"

type Phase = "new" | "started" | "ended"

/** `isEnded` tells how the process exits when the connection ends. */
export interface Order extends MessageStrategy {
  readonly isEnded: () => boolean
}

export function createOrder(writer: Pick<MessageWriter, "write">): Order {
  let phase: Phase = "new"
  const refuse = (id: ResponseMessage["id"], { code, message }: Refusal): void => {
    const response: ResponseMessage = { jsonrpc: "2.0", id, error: { code, message } }
    // The client may be gone.
    writer.write(response).catch(() => undefined)
  }
  return {
    isEnded: () => phase === "ended",
    handleMessage: (message, next) => {
      if (Message.isRequest(message)) {
        const refusal = refusalOf(message, phase)
        if (refusal !== undefined) return refuse(message.id, refusal)
        if (message.method === "initialize") phase = "started"
        if (message.method === "shutdown") phase = "ended"
      } else if (Message.isNotification(message)) {
        if (phase !== "started" && message.method !== "exit") return undefined
      } else if (!Message.isResponse(message)) return refuse(null, noMessage)
      // An answer to no request. The library would log it as it is.
      else if (message.id === null) return undefined
      return next(message)
    },
  }
}

interface Refusal {
  readonly code: number
  readonly message: string
}

const noMessage: Refusal = {
  code: ErrorCodes.InvalidRequest,
  message: "this is not a message of the protocol",
}

function refusalOf({ method, params }: RequestMessage, phase: Phase): Refusal | undefined {
  if (phase === "ended") return { code: ErrorCodes.InvalidRequest, message: "the server has shut down" }
  const isFirst = method === "initialize"
  if (phase === "new" && !isFirst)
    return { code: ErrorCodes.ServerNotInitialized, message: "send initialize first" }
  if (phase === "started" && isFirst)
    return { code: ErrorCodes.InvalidRequest, message: "initialize was sent before" }
  if (isFirst && !hasCapabilities(params))
    return { code: ErrorCodes.InvalidParams, message: "initialize needs the capabilities of the client" }
  const fault = faultInParams(method, params)
  return fault === undefined ? undefined : { code: ErrorCodes.InvalidParams, message: fault }
}

function hasCapabilities(params: unknown): boolean {
  if (typeof params !== "object" || params === null) return false
  const capabilities: unknown = Reflect.get(params, "capabilities")
  return typeof capabilities === "object" && capabilities !== null
}
