// Installs Artillery and its Node, and puts the engine where Artillery looks for it.

import { symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { installOnce } from "../harness/install-once.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))
const modules = `${folder}node_modules`

export const artillery = {
  node: `${modules}/node/bin/node`,
  program: `${modules}/artillery/bin/run`,
}

export function installArtillery(): Promise<void> {
  // Browsers of Playwright, which none of these tests uses.
  process.env["PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD"] = "1"
  return installOnce(folder, {
    prepare: async () =>
      symlinkSync("../../../packages/artillery-engine", `${modules}/artillery-engine-callsheet`, "dir"),
  })
}
