// Exports a workflow of two requests, and runs its script against a server with hostile responses.

import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll } from "vitest"
import { getOrCreate } from "@callsheet/format"
import { textsIn, type Files } from "../harness/callsheet.ts"
import { exportFrom, projectWith, runBash } from "./export-from.ts"

export interface Response {
  readonly body?: string
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

interface Received {
  readonly method: string
  readonly url: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string
}

export interface Hostile {
  /** What the server responds to the first request. */
  readonly response?: Response
  /** The saved request that follows, which may read `first.response`. */
  readonly later: object
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: Readonly<Record<string, string>>
  readonly files?: Files
  readonly workflow?: object
}

export const PRIVATE = "the content of a private file"

/** Writes a project whose workflow sends `first`, and then `later`. */
export const hostileFiles = (url: string, hostile: Hostile): Files => {
  const { later, environment = {}, secrets = {}, files = {}, workflow = {} } = hostile
  const names = Object.keys({ ...environment, ...secrets })
  const request = (id: string) => ({ id, type: "request", request: { api: "shop", instance: id } })
  return {
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        ...Object.fromEntries(
          names.map((name) => [name, { type: "string", required: true, secret: name in secrets }]),
        ),
      },
    },
    "apis/shop/environments/blue.json": { baseUrl: url, ...environment },
    "apis/shop/environments/blue.secrets.env": Object.entries(secrets)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(""),
    "apis/shop/requests/things/first.json": { version: 1, method: "GET", path: "/first" },
    "apis/shop/requests/things/later.json": { version: 1, method: "POST", path: "/later", ...later },
    "apis/workflow/hostile.json": { version: 1, blocks: [request("first"), request("later")], ...workflow },
    "private.txt": PRIVATE,
    "-": PRIVATE,
    ...files,
  }
}

async function startHostile() {
  let received: Received[] = []
  let answer: Response = {}
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const { method = "", url = "", rawHeaders } = incoming
      received.push({ method, url, headers: rawHeaders, body: Buffer.concat(chunks).toString("latin1") })
      const { body = "{}", type = "application/json", status = 200, headers = {} } = answer
      if (url.startsWith("/first")) response.writeHead(status, { "content-type": type, ...headers }).end(body)
      else response.end()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    /** Sets what the server responds from now on. Returns the list of requests that it then receives. */
    respond: (response: Response = {}): readonly Received[] => {
      answer = response
      received = []
      return received
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

let server: ReturnType<typeof startHostile> | undefined
afterAll(async () => (await server)?.close())

const exported = new Map<string, ReturnType<typeof exportFrom>>()

/** Exports the workflow, once for several responses to the same script. `prepare` then sets a response. */
export async function exportHostile(target: string, hostile: Hostile) {
  const { url, respond } = await (server ??= startHostile())
  const files = hostileFiles(url, hostile)
  const script = await getOrCreate(exported, `${target} ${JSON.stringify(files)}`, async () =>
    exportFrom(await projectWith(files), ["hostile", "--to", target]),
  )
  return {
    ...script,
    prepare: async () => ({ folder: await projectWith(files), received: respond(hostile.response) }),
  }
}

/** Exports to curl and runs the script. Returns what the server received, and the files that the script created. */
export async function runHostile(hostile: Hostile, env: Readonly<Record<string, string>> = {}) {
  const { text, result, stderr, prepare } = await exportHostile("curl", hostile)
  const { folder, received } = await prepare()
  const before = Object.keys(await textsIn(folder))
  const secrets = Object.entries(hostile.secrets ?? {}).map(([name, value]) => [
    `CALLSHEET_VAR__SHOP__${name.toUpperCase()}`,
    value,
  ])
  const ran = await runBash(text, folder, { HOME: folder, ...Object.fromEntries(secrets), ...env })
  const created = Object.keys(await textsIn(folder)).filter((file) => !before.includes(file))
  const later = received.find(({ url }) => url.startsWith("/later"))
  return { ...ran, text, result, stderr, created, later, received }
}
