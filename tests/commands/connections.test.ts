// Checks that callsheet connects only to what a workflow names: it looks for no updates, and reports nothing home.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"

/** Writes each lookup of a name, connection and datagram to a file. Threads and script processes load it too. */
const recorder = `
const { appendFileSync } = require("node:fs")
const { join } = require("node:path")
const note = (line) => appendFileSync(join(__dirname, "connections.txt"), line + "\\n")
const net = require("node:net")
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...asked) {
  const [{ host, port, path }] = net._normalizeArgs(Array.isArray(asked[0]) ? asked[0] : asked)
  note(path ?? host + ":" + port)
  return connect.apply(this, asked)
}
const dns = require("node:dns")
const { lookup } = dns
dns.lookup = (name, ...rest) => {
  note("name " + name)
  return lookup(name, ...rest)
}
const dgram = require("node:dgram")
const { send } = dgram.Socket.prototype
dgram.Socket.prototype.send = function (...asked) {
  note("datagram")
  return send.apply(this, asked)
}
`

let api: ApiServer
let folder: string
beforeAll(async () => {
  api = await startApi({ "GET /ping": { body: { ok: true } } })
  folder = await createFolder({
    "recorder.cjs": recorder,
    "apis/shop/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: { "/ping": { get: { operationId: "ping", responses: { 200: { description: "Fine." } } } } },
    },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/w.json": {
      version: 1,
      blocks: [
        { id: "ping", type: "request", request: { api: "shop", operation: "ping" } },
        { id: "look", type: "script", script: { name: "look", exportName: "look" } },
      ],
    },
    "apis/workflow/scripts/w/look.ts": "export const look = (): number => 1\n",
  })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

async function connectionsOf(words: readonly string[]): Promise<readonly string[]> {
  await rm(join(folder, "connections.txt"), { force: true })
  const env = { NODE_OPTIONS: `--require ${join(folder, "recorder.cjs")}` }
  const { exitCode, stderr } = await callsheet(words, { folder, env })
  expect(exitCode, stderr).toBe(0)
  return ((await readText(folder, "connections.txt")) ?? "").split("\n").filter((line) => line !== "")
}

describe("a process of callsheet", () => {
  it.each([["--version"], ["--help"], ["list"], ["validate"], ["schema", "workflow"]])(
    "connects to nothing for %s",
    async (...words) => {
      expect(await connectionsOf(words)).toEqual([])
    },
  )

  it("connects in a run only to the servers of its workflow", async () => {
    expect(await connectionsOf(["run", "w", "--env", "local"])).toEqual([new URL(api.url).host])
  })
})
