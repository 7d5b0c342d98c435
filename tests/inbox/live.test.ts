// Messages are events as soon as they arrive, whether a block reads them or not.

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { EventOf, RunEvent } from "@callsheet/format"
import { readText } from "../harness/callsheet.ts"
import { json, openInboxProject, read, subscribe, workflow } from "./inbox-project.ts"

const eventsIn = (text: string): readonly RunEvent[] =>
  text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as RunEvent] : []))

const isMessage = (event: RunEvent): event is EventOf<"message.received"> => event.type === "message.received"

describe("a message", () => {
  it("is an event before a block reads it, with its verdict and without secrets", async () => {
    const { folder, run } = await openInboxProject(
      { one: workflow(subscribe("/onPaid"), read("all")), other: workflow(subscribe("")) },
      async (url) => {
        await fetch(`${url}?a=1`, json({ id: 1, state: "paid", to: url, access_token: "abcdefgh12345678" }))
        await fetch(url, json({ id: "x", state: "paid" }))
      },
    )
    const { exitCode } = await run(
      "run one other --reporter ndjson=e.ndjson --record r.ndjson --verify-no-leak",
    )
    expect(exitCode).toBe(0)
    const events = eventsIn((await readText(folder, "e.ndjson")) ?? "")
    const found = events.filter(isMessage)
    expect(found.map(({ run: number, message }) => [number, message.id])).toEqual([
      [0, "1"],
      [0, "2"],
      [1, "1"],
      [1, "2"],
    ])
    expect(found[0]?.message).toMatchObject({
      method: "POST",
      path: "/onPaid",
      query: { a: "1" },
      headers: { "content-type": "application/json" },
      body: { id: 1, state: "paid", to: expect.stringMatching(/\/\*\*\*\/onPaid$/), access_token: "***" },
      receivedAt: expect.stringMatching(/^\d{4}-/),
      contract: { status: "passed", problems: [] },
    })
    expect(found[1]?.message.contract).toMatchObject({ status: "failed", problems: [{ path: "/body/id" }] })
    const reading = events.findIndex((event) => event.type === "block.started" && event.id === "all")
    expect(events.findLastIndex((event) => isMessage(event) && event.run === 0)).toBeLessThan(reading)
    // A replay has no inbox, and a record of the same messages replays as ever.
    expect(await run("replay r.ndjson --strict --json")).toMatchObject({ exitCode: 0 })
    const record = gunzipSync(await readFile(join(folder, "r.ndjson"))).toString()
    expect(eventsIn(record).filter(isMessage)).toHaveLength(4)
    const replayed = await run("replay r.ndjson --reporter ndjson")
    expect(eventsIn(replayed.stdout).filter(isMessage)).toEqual([])
  })

  it("is shown by -vv, and by -v without its body", async () => {
    const { run } = await openInboxProject({ one: workflow(subscribe("/onPaid")) }, (url) =>
      fetch(url, json({ id: "x", state: "paid" })),
    )
    const [quiet, headers, bodies] = [await run("run one"), await run("run one -v"), await run("run one -vv")]
    expect(quiet.stdout).not.toContain("inbox received")
    for (const { stdout } of [headers, bodies]) {
      expect(stdout).toContain("inbox received\n  < POST /onPaid\n  < host: 127.0.0.1:")
      expect(stdout).toMatch(/! \/body\/id: expected an integer/)
    }
    expect(headers.stdout).not.toContain('"state"')
    expect(bodies.stdout).toContain('< {"id": "x", "state": "paid"}')
  })

  it("doesn't differ between two records because of the inbox's address", async () => {
    let id = 1
    const { run } = await openInboxProject({ one: workflow(subscribe("/onPaid"), read("all")) }, (url) =>
      fetch(url, json({ id, state: "paid", to: `${url}/${id}`, at: url })),
    )
    await run("run one --record a.ndjson")
    await run("run one --record b.ndjson")
    expect(await run("diff a.ndjson b.ndjson")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("no differences"),
    })
    id = 2
    await run("run one --record c.ndjson")
    const { exitCode, stdout } = await run("diff a.ndjson c.ndjson")
    expect(exitCode).toBe(1)
    expect(stdout).toContain("messages[0].body.to")
    expect(stdout).not.toMatch(/body\.at|headers\.host/)
  })
})
