// Loops wait for messages. A loop that waits in vain says what arrived instead.

import { describe, expect, it } from "vitest"
import { assert, counts, json, openInboxProject, read, subscribe, workflow } from "./inbox-project.ts"

const until = (id: string, path: string, maxIterations: number) => ({
  id: `wait-${id}`,
  type: "loop",
  mode: "until",
  maxIterations,
  delayMs: 20,
  until: { source: `${id}.response.body.messages.0`, operator: "exists" },
  blocks: [read(id, { path })],
})

describe("a loop that waits for a message", () => {
  it("says what arrived instead, without secrets", async () => {
    const { run } = await openInboxProject(
      { one: workflow(subscribe("/orders"), until("arrived", "/order", 2)) },
      async (url) => {
        const [, secret] = new URL(url).pathname.split("/")
        await fetch(url, json(1))
        await fetch(url, json(2))
        await fetch(`${url}/${secret}`, { method: "PUT" })
        for (let at = 0; at < 9; at++) await fetch(`${url}/${at}`, json(at))
      },
    )
    const { exitCode, stdout } = await run("run one --verify-no-leak")
    expect(exitCode).toBe(1)
    expect(stdout).toContain(
      "hint: arrived in the inbox: POST /orders (2 times), PUT /orders/***, POST /orders/0, POST /orders/1, ",
    )
    expect(stdout).toContain("POST /orders/7 and 1 more path")
  })

  it("says that nothing arrived, unless it doesn't read the inbox", async () => {
    const other = {
      id: "poll",
      type: "loop",
      mode: "until",
      maxIterations: 1,
      until: { source: "again.response.status", operator: "equals", value: 200 },
      blocks: [subscribe("/x", "again")],
    }
    const { run } = await openInboxProject({
      one: workflow(subscribe("/a"), until("arrived", "/a", 1)),
      two: workflow(other),
    })
    expect((await run("run one")).stdout).toContain("hint: nothing has arrived in the inbox")
    expect((await run("run two")).stdout).not.toContain("arrived in the inbox")
  })

  it("waits in each iteration of a forEach, and reads only messages of its own run", async () => {
    const late: Promise<unknown>[] = []
    const each = {
      id: "each",
      type: "loop",
      mode: "forEach",
      source: "first.response.body.messages",
      iteratorVar: "order",
      blocks: [
        subscribe("/{{order.body.id}}", "subscribe-{{order.body.id}}"),
        until("arrived", "/{{order.body.id}}", 500),
      ],
    }
    const one = workflow(
      subscribe("/orders"),
      read("first", { path: "/orders" }),
      each,
      read("all"),
      assert(...counts("all", 6)),
    )
    const { run, urls } = await openInboxProject({ one, two: one, three: one }, (url) => {
      if (url.endsWith("/orders")) return Promise.all([1, 2, 3].map((id) => fetch(url, json({ id }))))
      // The sender answers first, and calls back later.
      late.push(new Promise((resolve) => setTimeout(resolve, 50)).then(() => fetch(url, json({ n: 1 }))))
      return Promise.resolve()
    })
    const { exitCode, stdout } = await run("run one two three --repeat 2 --jobs 6")
    await Promise.all(late)
    expect(exitCode, stdout).toBe(0)
    expect(urls).toHaveLength(24)
    expect(new Set(urls.map((url) => new URL(url).pathname.split("/")[1])).size).toBe(6)
  })
})
