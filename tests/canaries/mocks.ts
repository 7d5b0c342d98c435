// Sends canaries to a mock as the credentials of a client.

import { createServer, type AddressInfo } from "node:net"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { CallOptions } from "../harness/callsheet.ts"
import { notCompared } from "./not-compared.ts"

interface MockPlace {
  readonly folder: string
  readonly written: Map<string, string>
  readonly call: (label: string, words: readonly string[], options?: CallOptions) => Promise<void>
}

/** Keeps the log, the answers and the record of a mock. */
export async function askMock({ folder, written, call }: MockPlace, texts: readonly string[]): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/a`
  const answers: string[] = []
  const after = askAll(url, texts, answers)
  const words = ["mock", "--port", String(port), "--record", "mock.callsheet", "--debug"]
  await call(`${notCompared}mock`, words, { signal: { name: "SIGINT", after } })
  written.set(`${notCompared}the answers of a mock`, answers.join("\n"))
  written.set(
    `${notCompared}the record of a mock`,
    gunzipSync(readFileSync(join(folder, "mock.callsheet"))).toString(),
  )
}

async function askAll(url: string, texts: readonly string[], answers: string[]): Promise<void> {
  await answering(url)
  for (const text of texts) {
    const shown = encodeURIComponent(text)
    const request = {
      method: "POST",
      headers: {
        authorization: `Bearer ${shown}`,
        "x-api-key": shown,
        cookie: `session=${shown}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ password: text, inner: [{ client_secret: text, again: text }] }),
    }
    answers.push(await (await fetch(`${url}?access_token=${shown}`, request)).text())
  }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("the mock doesn't answer")
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}
