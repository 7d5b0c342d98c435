// Checks a script that never ends by itself: stopping the run ends it at once, and its timeout ends it otherwise.

import { describe, expect, it } from "vitest"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, until, type OpenRuns } from "./open-runs.ts"

const never = {
  "in a loop": "for (;;) { /* busy */ }",
  "in promises": "for (;;) await null",
} as const

/** The script reports that it has started, and is busy from then on. */
const open = (busy: string, block: object): Promise<OpenRuns> =>
  openRuns({
    routes: { "*": { body: {} } },
    files: (url) => ({
      ...shopFiles(url, [
        { id: "busy", type: "script", script: { name: "busy", exportName: "run" }, ...block },
        { id: "after", type: "request", request: { api: "shop", operation: "echo" } },
      ]),
      "apis/workflow/scripts/w/busy.ts": `export const run = async () => {\n  await fetch("${url}/begun")\n  ${busy}\n}\n`,
    }),
  })

async function startTrusted(of: OpenRuns): Promise<string> {
  const asked = await of.order()
  const started = "trust" in asked ? await of.order({ trust: asked.trust.confirmation }) : asked
  if (!("run" in started)) throw new Error("the run asks again")
  await until(() => of.api.requests.length === 1)
  return started.run
}

const blocksOf = async (of: OpenRuns, run: string) =>
  (await of.read(run)).report.runs[0]?.blocks.map(({ id, status, reason, error }) => [
    id,
    status,
    reason ?? error?.code,
  ])

describe("a run with an endless script", () => {
  it.each(Object.entries(never))("is stopped at once, %s too", async (_, busy) => {
    const of = await open(busy, {})
    const run = await startTrusted(of)
    await of.handlers["runs.stop"]({ run })
    await of.done(run)
    expect(await blocksOf(of, run)).toEqual([
      ["busy", "skipped", "cancelled"],
      ["after", "skipped", "cancelled"],
    ])
    expect(of.api.requests).toHaveLength(1)
  })

  it.each(Object.entries(never))("fails by its timeout, %s too", async (_, busy) => {
    const of = await open(busy, { timeoutMs: 1500 })
    const run = await startTrusted(of)
    await of.done(run)
    expect(await blocksOf(of, run)).toEqual([
      ["busy", "failed", "script-timeout"],
      ["after", "skipped", "halted"],
    ])
  })
})
