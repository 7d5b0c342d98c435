// An Artillery before 2.0.34 loads an engine by `require`, creates it and asks it for scenarios, and never calls `init`.
// Does the same in a process, where `callsheet` itself is not needed.

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const engine = fileURLToPath(new URL("../../packages/artillery-engine/index.js", import.meta.url))

it("says what an old Artillery must be replaced with, before the load test starts, and fails it", async () => {
  const program = `
    const Engine = require(${JSON.stringify(engine)})
    const engine = new Engine({ config: {} }, {}, {})
    console.error("the load test starts")
    engine.createScenario({ workflow: "checkout" })
  `
  const error = await promisify(execFile)(process.execPath, ["-e", program]).catch((error: unknown) => error)
  const { code, stderr } = error as { readonly code: number; readonly stderr: string }
  const [before = "", after = ""] = stderr.split("the load test starts")
  const message = `artillery-engine-callsheet needs Artillery 2.0.34 or newer, which needs Node 22.18 or newer. This is an older Artillery on Node ${process.versions.node}. Update Node, then run npm install artillery@latest`
  expect(before).toContain(`error: ${message}\n`)
  expect(after).toContain(`Error: ${message}\n`)
  expect(code).toBe(1)
})
