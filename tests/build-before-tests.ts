// Builds the command once before the tests that run it, so that no test runs an old build.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** Vitest loads this file once for each project that needs it. */
const shared: typeof globalThis & { callsheetBuild?: Promise<unknown> } = globalThis

export default async function buildBeforeTests(): Promise<void> {
  // Another copy of the command is under test (an installed package, for example).
  if (process.env["CALLSHEET_PROGRAM"] !== undefined) return
  const build = fileURLToPath(new URL("../scripts/build.mjs", import.meta.url))
  shared.callsheetBuild ??= promisify(execFile)(process.execPath, [build])
  await shared.callsheetBuild
}
