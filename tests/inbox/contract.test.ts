// Each message is checked against the callbacks and webhooks of the documents of its senders.

import { describe, expect, it } from "vitest"
import { json, openInboxProject, read, shopDocument, strict, subscribe, workflow } from "./inbox-project.ts"

interface Verdict {
  readonly status: string
  readonly problems: readonly {
    readonly path: string
    readonly message: string
    readonly file?: string
    readonly line?: number
  }[]
}

/** Returns the verdicts on messages that a run reads. */
async function verdictsOn(sends: readonly (readonly [path: string, init: RequestInit])[], document?: object) {
  const { run, write } = await openInboxProject(
    { one: workflow(subscribe(""), read("all")) },
    async (url) => {
      for (const [path, init] of sends) await fetch(url + path, init)
    },
  )
  if (document !== undefined) await write({ "apis/shop/openapi.json": document })
  const { report } = await run("run one --json")
  const body: unknown = report!.runs[0]!.blocks[1]!.response!.body
  return (body as { messages: { contract?: Verdict }[] }).messages.map(({ contract }) => contract)
}

describe("the contract of a message", () => {
  it("is that of the callback, or of the webhook that its last segment names", async () => {
    const paid = { id: 1, state: "paid" }
    const [right, wrong, shipped, unshipped, fits, text, other] = await verdictsOn([
      ["/a", json(paid)],
      ["/onPaid", json({ id: "x" })],
      ["/b/shipped", json({ parcel: 1 })],
      ["/shipped", json(paid)],
      ["/c", json({ parcel: 1 })],
      ["/onPaid", { ...json(""), body: "{" }],
      ["/d", { method: "PUT" }],
    ])
    const passed = { status: "passed", problems: [] }
    expect([right, shipped, fits]).toEqual([passed, passed, passed])
    expect(wrong?.status).toBe("failed")
    expect(wrong?.problems.map(({ path }) => path).sort()).toEqual(["/body/id", "/body/state"])
    expect(wrong?.problems[0]).toMatchObject({ file: "apis/shop/openapi.json", line: expect.any(Number) })
    expect(unshipped).toMatchObject({ status: "failed", problems: [{ path: "/body/parcel" }] })
    expect(text).toMatchObject({
      status: "failed",
      problems: [{ message: expect.stringContaining("invalid JSON") }],
    })
    expect(other).toBeUndefined()
  })

  it("is absent without callbacks and webhooks", async () => {
    const { webhooks: _, ...document } = structuredClone(shopDocument)
    delete (document.paths["/subscriptions"].post as { callbacks?: object }).callbacks
    expect(await verdictsOn([["/a", json(1)]], document)).toEqual([undefined])
  })

  it("names no secret in a problem", async () => {
    const { run } = await openInboxProject({ one: workflow(subscribe("/onPaid"), read("all")) }, (url) =>
      fetch(url, json({ id: new URL(url).pathname.split("/")[1], state: "paid" })),
    )
    const { stdout, report } = await run("run one --json")
    expect(JSON.stringify(report?.runs[0]?.blocks[1]?.response?.body)).toContain("received ***")
    expect(stdout).toContain("/***/onPaid")
  })

  it("fails the block that reads a broken message, if the workflow validates contracts", async () => {
    const { run } = await openInboxProject({ one: strict(subscribe("/onPaid"), read("all")) }, (url) =>
      fetch(url, json({ id: "x", state: "paid" })),
    )
    const { exitCode, report } = await run("run one --json --record r.ndjson")
    const [, block] = report!.runs[0]!.blocks
    expect(exitCode).toBe(1)
    expect(block?.error).toMatchObject({
      code: "contract-broken",
      message: expect.stringContaining("/body/messages/0/body/id: POST /onPaid: expected an integer"),
    })
    expect(block?.contract).toMatchObject({
      status: "failed",
      problems: [{ path: "/body/messages/0/body/id", file: "apis/shop/openapi.json" }],
    })
    const replayed = await run("replay r.ndjson --json")
    expect(replayed.report?.runs[0]?.blocks[1]?.error?.code).toBe("contract-broken")
  })

  it("can be known to break", async () => {
    const { run, write } = await openInboxProject({ one: strict(subscribe("/onPaid"), read("all")) }, (url) =>
      fetch(url, json({ id: "x", state: "paid" })),
    )
    expect(await run("run one --update-baseline")).toMatchObject({ exitCode: 0 })
    const { exitCode, stdout } = await run("run one")
    expect(exitCode, stdout).toBe(0)
    await write({})
  })
})
