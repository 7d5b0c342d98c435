import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { validate } from "../../packages/cli/src/commands/validate.ts"
import { Options } from "../../packages/cli/src/args/options.ts"
import { plain, type Output } from "../../packages/cli/src/screen.ts"
import { createFolder, readText } from "../harness/callsheet.ts"

it("exits with 130 on Ctrl-C, prints no results, and leaves no process behind", async () => {
  const folder = await createFolder({
    "apis/workflow/scripts/slow/slow.ts": `export const slow = () => "${randomUUID()}"\n`,
    "apis/workflow/slow.json": {
      version: 1,
      blocks: [{ id: "slow", type: "script", script: { name: "slow", exportName: "slow" } }],
    },
    "apis/shop/environments/local.json": {},
  })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // A script process that starts and never responds: it writes its id and waits to be ended.
  const pidFile = join(folder, "pid")
  const stub = join(folder, "child.mjs")
  await writeFile(
    stub,
    `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid))\nsetTimeout(() => {}, 60_000)\n`,
  )
  const [out, err] = [record(), record()]
  const handlers = process.listeners("SIGINT")
  const ended = validate({
    words: [],
    options: new Options(),
    screen: { out, err, isInteractive: false, input: process.stdin },
    cwd: folder,
    environment: {},
    scriptEntry: pathToFileURL(stub),
    exit: (code) => {
      throw new Error(`exit ${code}`)
    },
  })
  const pid = await waitForPid(folder)
  process.emit("SIGINT")
  expect(await ended).toBe(130)
  expect([out.text(), err.text()]).toEqual(["", "interrupted\n"])
  expect(() => process.kill(pid, 0)).toThrow("ESRCH")
  expect(process.listeners("SIGINT")).toEqual(handlers)
})

function record(): Output & { readonly text: () => string } {
  let text = ""
  return {
    write: (more) => void (text += more),
    isTerminal: false,
    isLive: false,
    columns: () => 80,
    style: plain,
    text: () => text,
  }
}

/** Waits until the stub has written its process id. */
async function waitForPid(folder: string): Promise<number> {
  for (let round = 0; round < 1000; round++) {
    const text = await readText(folder, "pid")
    if (text !== undefined && text !== "") return Number(text)
    await pause(10)
  }
  throw new Error("no script process was started")
}
