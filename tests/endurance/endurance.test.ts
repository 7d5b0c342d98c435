// Runs each slow proof with a tiny count, so that they keep working.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const main = fileURLToPath(new URL("main.mjs", import.meta.url))
const run = (...words: readonly string[]) => promisify(execFile)(process.execPath, [main, ...words])

describe("npm run test:endurance", () => {
  it.each([
    ["inputs --count 100", "100 of 100 inputs"],
    ["secrets --count 100", "written and read back"],
    ["kills --count 1 --only 2", /: \d+ calls, [1-9]\d* kills: /],
    ["writers --count 1", "8 of 8 writes kept"],
  ])("proves %s", { timeout: 120_000 }, async (words, found) => {
    const [name = "", ...options] = words.split(" ")
    const { stdout } = await run(name, "--seed", "1", ...options)
    expect(stdout).toContain(`${name}: seed 1\n`)
    expect(stdout).toMatch(found)
    expect(stdout).toContain(`${name}: held`)
  })

  it("rejects an unknown name", async () => {
    await expect(run("everything")).rejects.toMatchObject({ code: 2 })
  })
})
