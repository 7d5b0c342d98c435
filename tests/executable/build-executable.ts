// Builds the single executable before its tests, and makes the harness start it.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export default async function buildExecutable(): Promise<void> {
  const out = fileURLToPath(new URL("../../dist/callsheet-tested", import.meta.url))
  const script = fileURLToPath(new URL("../../scripts/executable.mjs", import.meta.url))
  await promisify(execFile)(process.execPath, [script, "--out", out])
  process.env["CALLSHEET_EXECUTABLE"] = out
}
