// The app in an empty directory, until the test ends.

import { rmSync } from "node:fs"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { createFolder } from "../harness/callsheet.ts"

export async function startInEmptyFolder() {
  const [folder, home] = [await createFolder(), await createFolder()]
  const command = await startCommand({
    cwd: folder,
    env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
  })
  onTestFinished(async () => {
    await command.end("SIGINT")
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  })
  return { folder, command }
}
