// Exports workflows with the built command, and records what a run and an exported script send.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { cp, rm } from "node:fs/promises"
import { createServer, request as forward, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterEach } from "vitest"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"

interface ExportResult {
  readonly target: string
  readonly requests: number
  readonly files: readonly string[]
  readonly text?: string
  readonly losses: readonly { readonly where: string; readonly what: string; readonly reason: string }[]
}

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

export async function projectWith(files: Files): Promise<string> {
  const folder = await createFolder(files)
  folders.push(folder)
  return folder
}

export async function sampleProject(): Promise<string> {
  const folder = await projectWith({})
  const sample = fileURLToPath(new URL("../../examples/shop", import.meta.url))
  await cp(sample, folder, { recursive: true })
  return folder
}

/** Exports with `--json`. The text is in the result. */
export async function exportFrom(folder: string, words: readonly string[]) {
  const called = await callsheet(["export", ...words, "--json"], { folder })
  const result = called.stdout === "" ? undefined : (JSON.parse(called.stdout) as ExportResult)
  return { ...called, result, text: result?.text ?? "" }
}

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Returns the body to respond with. */
export type Alter = (request: Sent, body: string) => string

/** Starts a server on loopback that records requests. Forwards them to `origin`, or responds with `{"id": 7}`. */
export async function record(origin?: string, alter?: Alter) {
  const recorder: { sent: Sent[]; onSent: (request: Sent) => void } = { sent: [], onSent: () => undefined }
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const body = Buffer.concat(chunks)
      const { method = "", url = "", headers } = incoming
      const request = { method, url, headers, body }
      recorder.sent.push(request)
      recorder.onSent(request)
      if (origin === undefined) {
        response.writeHead(200, { "content-type": "application/json" }).end('{"id": 7}')
        return
      }
      const to = forward(`${origin}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
        if (alter === undefined) answer.pipe(response)
        else void text(answer).then((whole) => response.end(alter(request, whole)))
      })
      to.end(body)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return Object.assign(recorder, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  })
}

/** Headers that each client sets itself. */
const OWN = /^(?:host|user-agent|accept-encoding|connection|content-length)$/

/** Returns requests without what differs in each run: UUIDs, times, and the ids and tokens of the server. */
export function comparable(sent: readonly Sent[]) {
  const seen = new Map<string, string>()
  const stable = (text: string): string =>
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|\d{8,}/g, (id) => {
        if (!seen.has(id)) seen.set(id, `<id ${seen.size}>`)
        return seen.get(id) ?? ""
      })
  return sent.map(({ method, url, headers, body }) => {
    const boundary = /boundary=(.*)/.exec(headers["content-type"] ?? "")?.[1]
    const plain = (text: string): string =>
      stable(boundary === undefined ? text : text.replaceAll(boundary, "<boundary>"))
    const named = Object.entries(headers)
      .filter(([name]) => !OWN.test(name))
      .sort(([one], [other]) => one.localeCompare(other))
    return {
      request: `${method} ${stable(url)}`,
      headers: Object.fromEntries(named.map(([name, value]) => [name, plain(String(value))])),
      body:
        boundary === undefined
          ? plain(body.toString("latin1"))
          : plain(body.toString("latin1"))
              .split("\r\n")
              .map((line) => line.replace(/^content-[a-z]+/i, (name) => name.toLowerCase())),
    }
  })
}

/** Runs a script in bash. Only curl is on its path. */
export async function runBash(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn("/bin/bash", ["-s"], { cwd, env: { PATH: await onlyCurl(), ...env } })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()))
  child.stdin.end(script)
  const [code] = (await once(child, "close")) as [number]
  return { code, output }
}

let curlFolder: string | undefined

async function onlyCurl(): Promise<string> {
  const { mkdtemp, symlink } = await import("node:fs/promises")
  const { tmpdir } = await import("node:os")
  const { execFileSync } = await import("node:child_process")
  if (curlFolder === undefined) {
    curlFolder = await mkdtemp(`${tmpdir()}/callsheet-curl-`)
    await symlink(execFileSync("bash", ["-c", "command -v curl"]).toString().trim(), `${curlFolder}/curl`)
  }
  return curlFolder
}
