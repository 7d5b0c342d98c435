import { describe, expect, it } from "vitest"
import type { AppEvent } from "@callsheet/server/calls"
import { readEvents } from "./keep-connected.ts"

/** Returns a response whose body arrives in these chunks. */
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
  it("are complete, however their lines are split", async () => {
    const text = `${changed(1)}\n\n${changed(2)}\n`
    const expected = [1, 2].map((revision) => ({ type: "project.changed", revision }))
    expect(await heard([text])).toEqual(expected)
    expect(await heard(text.split(""))).toEqual(expected)
  })

  it("end with the stream, without an incomplete line", async () => {
    expect(await heard([`${changed(1)}\n{"type":"proj`])).toHaveLength(1)
  })

  it("are abandoned if a line is endless or not JSON", async () => {
    await expect(heard(["x".repeat(1_000_001)])).rejects.toThrow("too long")
    await expect(heard(["no JSON\n"])).rejects.toThrow()
  })
})
