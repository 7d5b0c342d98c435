// Runs every faulty script in every kind of block, and prints the results.

import { expect, it } from "vitest"
import { faultyScripts } from "../../packages/engine/src/node/script/testing/faulty-scripts.ts"
import { judge } from "./judge.ts"
import { places } from "./places.ts"

it("gives every faulty script its verdict in every kind of block, and no run crashes", async () => {
  const { calls, wrong, down } = await judge(faultyScripts)
  const what = `${faultyScripts.length} faulty scripts, ${places.length} places, ${calls} calls`
  process.stdout.write(`${what}: ${wrong.length} wrong verdicts, ${down.length} runs taken down\n`)
  expect({ wrong, down }).toEqual({ wrong: [], down: [] })
  expect(calls).toBeGreaterThan(200)
})
