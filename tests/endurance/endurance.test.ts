// The slow proofs, each with a tiny count: so that they can be run when they are wanted.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const main = fileURLToPath(new URL("main.mjs", import.meta.url))
const run = (...words: readonly string[]) => promisify(execFile)(process.execPath, [main, ...words])

describe("npm run test:endurance", () => {
  it.each([
    ["inputs", "300", "300 of 300 inputs"],
    ["secrets", "300", "written and read back"],
    ["kills", "1", "1 kills"],
    ["writers", "2", "16 of 16 writes kept"],
  ])("proves %s", { timeout: 120_000 }, async (name, count, found) => {
    const { stdout } = await run(name, "--seed", "1", "--count", count)
    expect(stdout).toContain(`${name}: seed 1\n`)
    expect(stdout).toContain(found)
    expect(stdout).toContain(`${name}: held`)
  })

  it("refuses a name that is none", async () => {
    await expect(run("everything")).rejects.toMatchObject({ code: 2 })
  })
})
