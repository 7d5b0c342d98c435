// The record of a mock, for reports and comparisons, and mocks that answer from a record.

import { rm } from "node:fs/promises"
import { expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { asUser, files, token } from "./documents.ts"
import { linesOf } from "../record/record-project.ts"
import { send, startMock } from "./mock-process.ts"

async function folderOf(own: object = files) {
  const folder = await createFolder(own as Record<string, unknown>)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const password = "hunter2-canary-9"

async function recordUse(folder: string, file: string, quantity = 1) {
  const mock = await startMock(["--record", file], { folder })
  const url = mock.urls["shop"]
  await send(`${url}/orders`, { method: "POST", headers: asUser, body: { sku: "aa", quantity } })
  await send(`${url}/orders`, { method: "POST", headers: asUser, body: { sku: "a" } })
  await send(`${url}/orders/1`, { headers: asUser })
  await send(`${url}/login`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `user=ann&password=${password}`,
  })
  await send(`${url}/nowhere?k=${token}`)
  return mock.stop()
}

it("has a run named mock: blocks are operations, iterations calls, refused requests failures", async () => {
  const folder = await folderOf()
  const { exitCode, stdout } = await recordUse(folder, "use.callsheet")
  expect(exitCode).toBe(0)
  const reported = await callsheet(["report", "use.callsheet", "--json"], { folder })
  expect(reported.exitCode).toBe(0)
  expect(reported.report?.runs).toMatchObject([
    {
      workflow: "mock",
      status: "failed",
      environments: { shop: { name: "mock" } },
      blocks: [
        {
          id: "createOrder",
          status: "failed",
          iterations: [
            {
              index: 0,
              status: "passed",
              blocks: [{ id: "createOrder", status: "passed", contract: { status: "passed" } }],
            },
            {
              index: 1,
              status: "failed",
              blocks: [{ status: "failed", error: { code: "mock-refused" }, response: { status: 400 } }],
            },
          ],
        },
        { id: "getOrder", status: "passed" },
        { id: "logIn", status: "passed" },
        { id: "GET (no operation)", status: "failed" },
      ],
    },
  ])
  const strict = await callsheet(["report", "use.callsheet", "--strict"], { folder })
  expect(strict.exitCode).toBe(1)
  const coverage = await callsheet(["report", "use.callsheet", "--reporter", "coverage"], { folder })
  expect(coverage.stdout).toMatch(/✓\s+createOrder .*✓201 −400/)
  expect(coverage.stdout).toMatch(/−\s+deleteOrder/)
  const record = linesOf(folder, "use.callsheet").join("\n")
  for (const secret of [token, password]) {
    expect(record).not.toContain(secret)
    expect(stdout).not.toContain(secret)
  }
  expect(record).toContain('"authorization":"Bearer ***"')
  expect(record).toContain('"password":"***"')
})

it("can be compared with another one", async () => {
  const folder = await folderOf()
  await recordUse(folder, "a.callsheet")
  await recordUse(folder, "b.callsheet")
  expect((await callsheet(["diff", "a.callsheet", "b.callsheet"], { folder })).exitCode).toBe(0)
  await recordUse(folder, "c.callsheet", 5)
  const { exitCode } = await callsheet(["diff", "a.callsheet", "c.callsheet"], { folder })
  expect([0, 1]).toContain(exitCode)
})

it("answers for the API that it recorded: in order, the last one again, and nothing else", async () => {
  const folder = await folderOf()
  const first = await startMock(["--state", "--record", "use.callsheet"], { folder })
  const own = first.urls["shop"]
  const post = (url: string | undefined, body: unknown) =>
    send(`${url}/orders`, { method: "POST", headers: asUser, body })
  const made = [await post(own, { sku: "aa", quantity: 1 }), await post(own, { sku: "aa", quantity: 1 })]
  const broken = await post(own, { sku: "a" })
  const list = await send(`${own}/orders?k=${token}&limit=1`, { headers: asUser })
  await first.stop()
  const { urls, stop } = await startMock(["--from", "use.callsheet"], { folder })
  const url = urls["shop"]
  expect(url).toMatch(/\/api\/v1$/)
  expect((await post(url, { quantity: 1, sku: "aa" })).text).toBe(made[0]?.text)
  expect((await post(url, { sku: "aa", quantity: 1 })).text).toBe(made[1]?.text)
  expect((await post(url, { sku: "aa", quantity: 1 })).text).toBe(made[1]?.text)
  expect((await post(url, { sku: "a" })).body).toEqual(broken.body)
  // The record has masked the key, so any key matches.
  expect((await send(`${url}/orders?limit=1&k=other`, { headers: asUser })).text).toBe(list.text)
  for (const [path, more] of [
    ["/orders?limit=2&k=other", {}],
    ["/orders/77", {}],
    ["/nowhere", {}],
    ["/orders", { method: "POST", body: { sku: "aa", quantity: 2 } }],
  ] as const) {
    const answer = await send(`${url}${path}`, { headers: asUser, ...more })
    expect([answer.status, answer.body]).toMatchObject([404, { code: "mock-unrecorded" }])
  }
  const { lines } = await stop()
  expect(lines.find((line) => line.includes(" 400 "))).toContain("/body/quantity: missing required property")
})
