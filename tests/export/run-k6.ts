// Runs an exported k6 script with replacements for k6's modules. Node's own globals aren't there.

import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const runner = fileURLToPath(new URL("k6-runner.mjs", import.meta.url))

/** Runs a script once. Returns the titles of the checks that failed, or the error. */
export async function runK6(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const file = join(cwd, "script.mjs")
  await writeFile(file, script)
  await promisify(execFile)(process.execPath, ["--check", file])
  const child = spawn(process.execPath, [runner], { cwd, env: { PATH: process.env["PATH"], ...env } })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()))
  child.stdin.end(script)
  await once(child, "close")
  return output
}
