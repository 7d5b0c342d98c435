import { describe, expect, it } from "vitest"
import type { AppEvent } from "@callsheet/server/calls"
import { readEvents } from "./read-events.ts"

/** A body that arrives in these pieces. */
function responseOf(pieces: readonly (string | Uint8Array)[]): Response {
  const encoder = new TextEncoder()
  const bytes = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece))
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of bytes) controller.enqueue(piece)
        controller.close()
      },
    }),
  )
}

async function heard(pieces: readonly (string | Uint8Array)[]): Promise<readonly AppEvent[]> {
  const events: AppEvent[] = []
  await readEvents(responseOf(pieces), (event) => events.push(event))
  return events
}

const changed = (revision: number): string => `{"type":"project.changed","revision":${revision}}`

describe("the events", () => {
  it("are whole, however their lines arrive", async () => {
    const text = `${changed(1)}\n\n${changed(2)}\n`
    const expected = [1, 2].map((revision) => ({ type: "project.changed", revision }))
    expect(await heard([text])).toEqual(expected)
    expect(await heard(text.split(""))).toEqual(expected)
  })

  it("end with the stream, without half a line", async () => {
    expect(await heard([`${changed(1)}\n{"type":"proj`])).toHaveLength(1)
  })

  it("are given up where a line does not end, or is no JSON", async () => {
    await expect(heard(["x".repeat(1_000_001)])).rejects.toThrow("does not end")
    await expect(heard(["no JSON\n"])).rejects.toThrow()
  })
})
