// Servers on loopback that redirect a case from origin to origin, and record every received byte by origin.

import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net"
import { localhost } from "../harness/certificates.ts"
import { secrets, type Case, type Destination } from "./places.ts"

/** A request as an origin received it: all of it, in one text. */
export interface Arrival {
  readonly case: string
  /** Counts the case's requests from 0. */
  readonly hop: number
  readonly origin: string
  readonly text: string
}

export interface World {
  readonly name: string
  readonly origins: Readonly<Record<Destination, string>>
  readonly env: Readonly<Record<string, string>>
  readonly arrivals: readonly Arrival[]
  /** The requests that proxies received outside tunnels. */
  readonly tunnels: readonly string[]
  readonly close: () => Promise<void>
}

type Cases = ReadonlyMap<string, Case>

/** Origins of this machine. One port serves both schemes, so that origins may differ only in their scheme. */
export async function startDirect(cases: Cases): Promise<World> {
  const hub = createHub(cases)
  const ports = [await hub.listen(), await hub.listen()]
  const [port = 0, other = 0] = ports
  hub.origins = {
    "same origin": `http://127.0.0.1:${port}`,
    "other port": `http://127.0.0.1:${other}`,
    "other host": `http://localhost:${port}`,
    "other scheme": `https://127.0.0.1:${port}`,
  }
  return { ...hub, name: "from http, directly", env: {} }
}

/** Origins behind a proxy, which serves all of them. The first uses TLS. */
export async function startProxied(cases: Cases): Promise<World> {
  const hub = createHub(cases)
  const proxy = `http://us:pr0xy-password@127.0.0.1:${await hub.listen()}`
  hub.origins = {
    "same origin": "https://shop.example",
    "other port": "https://shop.example:8443",
    "other host": "https://other.example",
    "other scheme": "http://shop.example",
  }
  return { ...hub, name: "from https, through a proxy", env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }
}

interface Hub extends Pick<World, "arrivals" | "tunnels" | "close"> {
  origins: World["origins"]
  readonly listen: () => Promise<number>
}

const unset = { "same origin": "", "other port": "", "other host": "", "other scheme": "" }

function createHub(cases: Cases): Hub {
  const arrivals: Arrival[] = []
  const tunnels: string[] = []
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const hub: Hub = {
    origins: unset,
    arrivals,
    tunnels,
    listen: async () => {
      const server = createTcpServer((socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket)).on("error", () => undefined)
        speak(socket)
      })
      servers.push(server)
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return (server.address() as AddressInfo).port
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => once(server.close(), "close")))
    },
  }
  const onRequest = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    void receive(request, scheme).then(({ origin, path, text }) => {
      const [, , id = "", hop = ""] = path.split(/[/?]/)
      arrivals.push({ case: id, hop: Number(hop), origin, text })
      answer(response, hub.origins, { known: cases.get(id), hop: Number(hop), origin, path })
    })
  }
  const plain = createServer(onRequest("http"))
  const secure = createTlsServer(localhost, onRequest("https"))
  plain.on("connect", (request: IncomingMessage, socket: Socket) => {
    tunnels.push(headOf(request))
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    secure.emit("connection", socket)
  })
  /** The first byte of TLS is 22 (RFC 8446 section 5.1). */
  const speak = (socket: Socket): void => {
    socket.once("readable", () => {
      const first = socket.read(1) as Buffer | null
      if (first === null) return
      socket.unshift(first)
      ;(first[0] === 22 ? secure : plain).emit("connection", socket)
    })
  }
  return hub
}

const headOf = ({ method, url, rawHeaders }: IncomingMessage): string =>
  [`${method} ${url}`, ...rawHeaders].join("\n")

async function receive(request: IncomingMessage, scheme: string) {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const { url = "", headers } = request
  const origin = `${scheme}://${headers.host}`
  const path = url.startsWith(origin) ? url.slice(origin.length) : url
  return { origin, path, text: `${headOf(request)}\n\n${Buffer.concat(chunks).toString()}` }
}

interface Reached {
  readonly known: Case | undefined
  readonly hop: number
  readonly origin: string
  readonly path: string
}

function answer(response: ServerResponse, origins: World["origins"], reached: Reached): void {
  const { known, hop } = reached
  if (known === undefined) {
    const cookie = `jar=${secrets.jar}; Path=/`
    response.writeHead(200, { "set-cookie": cookie }).end("signed in")
    return
  }
  const location = locationOf(known, { ...reached, origins })
  if (location === undefined) response.writeHead(200).end(`done after ${hop}`)
  else response.writeHead(known.status, { location }).end("go on")
}

/**
 * Returns the target of a redirect from one of a case's requests. Each hop repeats the sent query in another encoding.
 */
function locationOf(
  { id, route, destination }: Case,
  { hop, origin, path, origins }: Reached & { readonly origins: World["origins"] },
): string | undefined {
  const home = origins["same origin"]
  const there = origins[destination]
  const at = path.indexOf("?")
  const query = at === -1 ? "" : path.slice(at + 1)
  const next = `/go/${id}/${hop + 1}`
  const value = new URLSearchParams(query).get("key") ?? new URLSearchParams(query).get("as") ?? ""
  const repeated = value === "" ? "" : `&as=${encodeURIComponent(value)}`
  switch (route) {
    case "direct":
      return hop === 0 ? `${there}${next}${query === "" ? "" : `?${query}`}` : undefined
    case "back":
      if (hop === 0) return `${there}${next}?state=${Buffer.from(`{"key":"${value}"}`).toString("base64url")}`
      return hop === 1 ? `${home}${next}${query === "" ? "" : `?${query}`}` : undefined
    case "deep":
      // The target is relative, or relative to the scheme if the scheme doesn't change.
      if (hop === 0) return `../${id}/1?page=1${repeated}`
      if (hop > 1) return undefined
      return `${there.replace(new URL(origin).protocol, "")}${next}?page=2${repeated}`
    case "named":
      if (hop > 0) return undefined
      return `${there.replace("://", "://us:pw@")}${next}?return=${encodeURIComponent(home + path)}`
  }
}
