// Installs Windows' Node once, outside the repository, and lets the harness start it.

import { execFile, spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const home = process.env["CALLSHEET_WINDOWS"] ?? join(homedir(), ".cache/callsheet-tests/windows")
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default async function installWindows(): Promise<void> {
  const installed = await promisify(execFile)(process.execPath, [
    pathOf("../../scripts/windows-node.mjs"),
    home,
  ])
  const { server, env } = JSON.parse(installed.stdout) as { readonly server: string; readonly env: object }
  // Otherwise Windows starts again, which takes seconds, whenever no program runs for a moment. The server starts in the
  // background. If one runs already, it stays.
  spawnSync(server, ["--persistent=60"], { env: { ...process.env, ...env }, stdio: "ignore" })
  // Workers inherit the environment.
  process.env["CALLSHEET_NODE"] = JSON.stringify([
    process.execPath,
    pathOf("start-node.mjs"),
    installed.stdout,
  ])
}
