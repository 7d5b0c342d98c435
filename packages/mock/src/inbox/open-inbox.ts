// The server of the inbox. All runs of a session share it, and each has a path that nobody can guess.

import { randomBytes } from "node:crypto"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createListener, readTarget, type OpenService, type ServiceOrder } from "@callsheet/engine"
import { answerInbox, refuse, type InboxRequest } from "./answer-message.ts"
import { createMessageCheck } from "./check-message.ts"
import { Mailbox } from "./mailbox.ts"
import { refusals } from "./messages.ts"

/** Above the connections of a sender that calls back for many orders at once. */
const MAX_CONNECTIONS = 4096

type Box = Pick<InboxRequest, "mailbox" | "check">

export interface Inbox {
  readonly open: (order: ServiceOrder) => Promise<OpenService | { readonly refusal: string }>
  readonly close: () => Promise<void>
}

export function createInbox(): Inbox {
  const boxes = new Map<string, Box>()
  let started: Promise<Server | { readonly refusal: string }> | undefined
  return {
    open: async ({ inbox, isSecret, onBug }) => {
      started ??= start(boxes, inbox.port ?? 0, onBug)
      const server = await started
      if ("refusal" in server) {
        started = undefined
        return server
      }
      const secret = randomBytes(18).toString("base64url")
      boxes.set(secret, { mailbox: new Mailbox(), check: createMessageCheck(inbox.senders, isSecret) })
      const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return {
        baseUrl: `${inbox.url?.replace(/\/+$/, "") ?? own}/${secret}`,
        address: `${own}/${secret}`,
        secret,
        close: () => {
          boxes.delete(secret)
          return Promise.resolve()
        },
      }
    },
    close: async () => {
      const server = await started
      if (server === undefined || "refusal" in server) return
      server.close()
      server.closeAllConnections()
    },
  }
}

function start(
  boxes: ReadonlyMap<string, Box>,
  port: number,
  onBug: ServiceOrder["onBug"],
): Promise<Server | { readonly refusal: string }> {
  const { server, connections } = createListener(
    { connections: MAX_CONNECTIONS },
    {
      request: async (request, response) => {
        const release = connections.hold(request.socket)
        response.once("close", release)
        const target = readTarget(request.url)
        if (target === undefined) return refuse(response, 400, refusals.target())
        const [, secret = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(target.path) ?? []
        const box = boxes.get(secret)
        if (box === undefined) return refuse(response, 404, refusals.unknownPath())
        const path = rest === "" ? "/" : rest
        await answerInbox({ ...box, path, query: target.query, request, response })
      },
      onBug,
    },
  )
  return new Promise((resolve) => {
    const fail = ({ code = "unknown" }: NodeJS.ErrnoException): void => resolve({ refusal: code })
    server.once("error", fail)
    server.listen({ host: "127.0.0.1", port, backlog: MAX_CONNECTIONS }, () => {
      server.off("error", fail)
      resolve(server)
    })
  })
}
