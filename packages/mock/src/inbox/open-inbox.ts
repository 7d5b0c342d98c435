// The server of the inbox. All runs of a session share it, and each has a path that nobody can guess.

import { randomBytes } from "node:crypto"
import type { Server } from "node:http"
import {
  closeServer,
  createListener,
  listen,
  LOOPBACK,
  readTarget,
  type OpenService,
  type ServiceOrder,
} from "@callsheet/engine"
import { answerInbox, refuse, type InboxRequest } from "./answer-message.ts"
import { createMessageCheck, type CheckMessage } from "./check-message.ts"
import { Mailbox } from "./mailbox.ts"
import { refusals } from "./messages.ts"

/** Above the connections of a sender that calls back for many orders at once. */
const MAX_CONNECTIONS = 4096

type Box = Pick<InboxRequest, "mailbox" | "check">

interface Started {
  readonly server: Server
  readonly origin: string
}

export function createInbox() {
  const boxes = new Map<string, Box>()
  let started: Promise<Started> | undefined
  return {
    /** Opens a mailbox, and starts the server for the first one. Throws `port-unusable`. */
    open: async ({ inbox, isSecret, onBug }: ServiceOrder): Promise<OpenService> => {
      started ??= start(boxes, inbox.port ?? 0, onBug)
      const { origin } = await started.catch((error: unknown) => {
        started = undefined
        throw error
      })
      const secret = randomBytes(18).toString("base64url")
      const mailbox = new Mailbox()
      const { check, onExchange } = createMessageCheck({ senders: inbox.senders, secret, isSecret })
      // A message without a verdict is still a message.
      const checkSafely: CheckMessage = (message) =>
        check(message).catch((error: unknown) => {
          onBug(error)
          return undefined
        })
      boxes.set(secret, { mailbox, check: checkSafely })
      return {
        baseUrl: `${inbox.url?.replace(/\/+$/, "") ?? origin}/${secret}`,
        address: `${origin}/${secret}`,
        inbox: {
          secret,
          onExchange,
          arrived: () => mailbox.messages(),
          watch: (onMessage) => mailbox.watch(onMessage),
        },
        close: () => {
          boxes.delete(secret)
          return Promise.resolve()
        },
      }
    },
    close: async (): Promise<void> => {
      const running = await started?.catch(() => undefined)
      if (running !== undefined) await closeServer(running.server)
    },
  }
}

async function start(
  boxes: ReadonlyMap<string, Box>,
  port: number,
  onBug: ServiceOrder["onBug"],
): Promise<Started> {
  const { server, connections } = createListener(
    { connections: MAX_CONNECTIONS },
    {
      request: async (request, response) => {
        response.once("close", connections.hold(request.socket))
        const target = readTarget(request.url)
        if (target === undefined)
          return refuse({ request, response }, { status: 400, title: refusals.target() })
        const [, secret = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(target.path) ?? []
        const box = boxes.get(secret)
        if (box === undefined)
          return refuse({ request, response }, { status: 404, title: refusals.unknownPath() })
        const path = rest === "" ? "/" : rest
        await answerInbox({ ...box, path, query: target.query, request, response })
      },
      onBug,
    },
  )
  return { server, origin: `http://${LOOPBACK}:${await listen(server, LOOPBACK, port)}` }
}
