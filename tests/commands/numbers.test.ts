// Numbers with a unit, a separator or quotes: the message says what to write.

import { expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { echo, shopFiles } from "../run/shop-project.ts"

const files = shopFiles("http://127.0.0.1:9", [echo("a")])

it.each([
  ["--timeout", "5s", "write milliseconds: 5000"],
  ["--timeout", "1m", "write milliseconds: 60000"],
  ["--timeout", "0.5", "write milliseconds: 500"],
  ["--timeout", "1500ms", "write milliseconds: 1500"],
  ["--cleanup-timeout", "30s", "write milliseconds: 30000"],
  ["--concurrency", "1,000", "write 1000"],
  ["--retries", "2.0", "write 2"],
  ["--coverage-min", "80%", "write 80"],
  ["--timeout", "soon", "see callsheet run --help"],
  ["--timeout", "0", "see callsheet run --help"],
])("%s %s says: %s", async (option, value, hint) => {
  const { exitCode, stderr } = await callsheet(["run", "w", option, value], { files })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`hint: ${hint}`)
})

it.each([
  ["timeoutMs", "5s", "write milliseconds: 5000"],
  ["timeoutMs", "1m", "write milliseconds: 60000"],
  ["delayMs", "0.5", "write milliseconds: 500"],
  ["delayMs", "250", "write milliseconds: 250"],
  ["count", "3", "write the number without quotes: 3"],
  ["maxIterations", "10", "write the number without quotes: 10"],
])("the field %s with %j says: %s", async (field, value, hint) => {
  const loop = { id: "l", type: "loop", mode: "times", count: 1, [field]: value, blocks: [] }
  const { stdout } = await callsheet(["validate"], {
    files: { ...files, ...shopFiles("http://a.test", [loop]) },
  })
  expect(stdout).toContain(`hint: ${hint}`)
})
