// The session of `callsheet mcp`: cancellation, progress, the end, and messages that no client should send.

import { cp, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, program } from "../harness/callsheet.ts"
import { serveRaw } from "./serve.ts"
import { shopFiles, startShop } from "./shop.ts"

let shop: ApiServer
let arrived: Promise<void>
let session: Awaited<ReturnType<typeof serveRaw>>

beforeEach(async () => {
  let arrive: () => void
  arrived = new Promise((resolve) => (arrive = resolve))
  // This route never answers.
  const hang = () => {
    arrive()
    return undefined
  }
  shop = await startShop({ "POST /orders": hang })
  session = await serveRaw(shopFiles(shop.url))
})
afterEach(async () => {
  for (const line of session.output().split("\n").slice(0, -1))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
  await session.remove()
  await shop.close()
})

const isRemoved = () => shop.requests.some(({ method }) => method === "DELETE") || undefined

it("stops a canceled run, and runs its cleanup", async () => {
  session.call(1, "run", { suite: "all", environment: "local" })
  await arrived
  session.send({ method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } })
  await expect.poll(isRemoved).toBe(true)
  session.call(2, "run", { workflow: "remove", environment: "local" })
  expect((await session.answer(2)).result.structuredContent.status).toBe("passed")
  expect(session.messages.find(({ id }) => id === 1)).toBeUndefined()
})

it.each(["end", "SIGTERM"] as const)("stops a run at %s, and exits after its cleanup", async (how) => {
  session.call(1, "run", { suite: "all", environment: "local" })
  await arrived
  if (how === "end") session.end()
  else session.kill(how)
  expect(await session.closed).toBe(how === "end" ? 0 : 143)
  expect(isRemoved()).toBe(true)
})

it("reports progress if the client asks for it", async () => {
  session.call(1, "run", { suite: "all", environment: "local" }, { progressToken: "p" })
  await arrived
  session.send({ method: "notifications/cancelled", params: { requestId: 1 } })
  await session.until(() => session.messages.find(({ params }) => params?.message === "remove"))
  const progress = session.messages.filter(({ method }) => method === "notifications/progress")
  expect(progress[0]?.params).toEqual({ progressToken: "p", progress: 0, message: "checkout" })
  const values = progress.map(({ params }) => params.progress as number)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
})

it("keeps serving after messages that are not valid, and doesn't repeat them", async () => {
  const secret = "a-secret-in-a-message"
  for (const line of [
    `{ "jsonrpc": "2.0", "id": 1, ${secret}`,
    secret,
    "[]",
    '{"jsonrpc":"1.0","id":9,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":5}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call"}',
    '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"none"}}',
    '{"jsonrpc":"2.0","id":9,"method":"no/such/method"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}',
    `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"run","arguments":{"workflow":"checkout","environment":"local","inputs":{"sku":${"[".repeat(20_000)}${"]".repeat(20_000)}}}}}`,
    '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"read_file","arguments":{"__proto__":{"path":"x"},"path":5}}}',
  ])
    session.write(line)
  session.call(20, "list_project", {})
  expect((await session.answer(20)).result.structuredContent.workflows.length).toBe(2)
  for (const id of [7, 9]) expect((await session.answer(id)).error?.code).toBeLessThan(0)
  expect((await session.answer(10)).result.structuredContent.status).toBe("error")
  expect((await session.answer(11)).result.isError).toBe(true)
  expect(session.errors()).toContain("callsheet ignored an invalid message")
  expect(session.errors() + session.output()).not.toContain(secret)
  expect(shop.requests).toEqual([])
})

it("ends if a message is larger than 10 MB", async () => {
  session.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(11_000_000)}"}}`)
  expect(await session.closed).toBe(0)
  expect(session.messages.length).toBe(1)
})

it("says how to install the package if it is missing", async () => {
  const folder = await createFolder({ "apis/workflow/w.json": { version: 1, blocks: [] } })
  for (const part of ["bin", "dist", "package.json"])
    await cp(join(dirname(program), "..", part), join(folder, "callsheet", part), { recursive: true })
  const copy = join(folder, "callsheet/bin/callsheet.js")
  const { exitCode, stdout, stderr } = await callsheet(["mcp"], { folder, program: copy })
  expect([exitCode, stdout]).toEqual([2, ""])
  expect(stderr).toMatch(
    /^callsheet mcp needs the package callsheet-mcp \(usage\)\n {2}hint: run npm install --save-dev callsheet-mcp@\d+\.\d+\.\d+\n$/,
  )
  await rm(folder, { recursive: true })
})
