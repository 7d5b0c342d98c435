// Every faulty script, in every place. Prints what was found.

import { expect, it } from "vitest"
import { faultyScripts } from "../../packages/engine/src/node/script/testing/faulty-scripts.ts"
import { judge } from "./judge.ts"
import { places } from "./places.ts"

it("gives every faulty script its verdict in every place, and no run goes down with one", async () => {
  const { calls, wrong, down } = await judge(faultyScripts)
  const what = `${faultyScripts.length} faulty scripts, ${places.length} places, ${calls} calls`
  process.stdout.write(`${what}: ${wrong.length} wrong verdicts, ${down.length} runs taken down\n`)
  expect({ wrong, down }).toEqual({ wrong: [], down: [] })
  expect(calls).toBeGreaterThan(200)
})
