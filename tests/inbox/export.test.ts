// An export leaves out what needs the inbox, and says so.

import { expect, it } from "vitest"
import { assert, equals, openInboxProject, read, subscribe, workflow } from "./inbox-project.ts"

const polling = {
  id: "wait",
  type: "loop",
  mode: "until",
  until: { source: "arrived.response.body.messages.0", operator: "exists" },
  blocks: [read("arrived")],
}

interface Losses {
  readonly losses: readonly { readonly where: string; readonly what: string; readonly reason: string }[]
}

it.each(["curl", "har", "postman", "arazzo", "k6"])("exports to %s without the inbox", async (target) => {
  const saved = { api: "shop", resource: "hooks", instance: "mine" }
  const plain = {
    api: "shop",
    operation: "subscribe",
    overrides: { body: { url: "https://mine.example" } },
  }
  const { run, write } = await openInboxProject({
    one: workflow(
      { id: "plain", type: "request", request: plain },
      subscribe("/a"),
      { id: "saved", type: "request", request: saved },
      polling,
      { id: "taken", type: "transform", transforms: { n: "arrived.response.body.messages.0.id" } },
      assert(
        equals("plain.response.status", 201),
        equals("arrived.response.status", 200),
        equals("taken.n", "1"),
      ),
    ),
  })
  await write({
    "apis/shop/requests/hooks/mine.json": {
      version: 1,
      operation: "subscribe",
      body: { url: "{{env.inbox.baseUrl}}/s" },
    },
  })
  const { exitCode, stdout, stderr } = await run(`export one --to ${target}`)
  expect(exitCode).toBe(1)
  expect(stdout).toContain("https://mine.example")
  expect(stdout).not.toMatch(/inbox|arrived|taken/)
  expect(stderr).toContain(
    "parts that need the inbox (6): only a run of callsheet has an inbox, which receives callbacks and webhooks",
  )
  const { losses } = JSON.parse((await run(`export one --to ${target} --json`)).stdout) as Losses
  const left = losses.filter(({ reason }) => reason.includes("inbox"))
  expect(left.map(({ where, what }) => `${where} ${what}`)).toEqual([
    "one: subscribe request",
    "one: saved request",
    "one: wait block loop",
    "one: taken block transform",
    "one: check assertion arrived.response.status",
    "one: check assertion taken.n",
  ])
})

it("exports to a given address as to any other", async () => {
  const { run } = await openInboxProject({ one: workflow(subscribe("/a"), read("all")) })
  const { stdout, stderr } = await run("export one --to curl --var inbox.baseUrl=https://hook.example/x")
  expect(stdout).toContain("https://hook.example/x/a")
  expect(stdout).toContain("https://hook.example/x/_messages")
  expect(stderr).not.toContain("inbox")
})
