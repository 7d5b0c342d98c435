// Which callsheet runs in a real VS Code: the workspace's own if it is recent enough, and otherwise the one of the extension.

import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { version as packed } from "../package/packed.ts"
import { openVscode } from "./open-vscode.ts"

const built = pathToFileURL(
  fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url)),
).href

it.each([
  { version: "0.0.9", isOwn: false },
  { version: "9.0.0", isOwn: true },
])("a workspace with callsheet $version runs its own: $isOwn", async ({ version, isOwn }) => {
  const vscode = await openVscode({
    isTrusted: true,
    prepare: (folder) => {
      const own = join(folder, "node_modules/callsheet")
      mkdirSync(join(own, "bin"), { recursive: true })
      writeFileSync(join(own, "package.json"), JSON.stringify({ version, type: "module" }))
      const started = JSON.stringify(join(folder, "../started"))
      writeFileSync(
        join(own, "bin/callsheet.js"),
        `import { writeFileSync } from "node:fs"\nwriteFileSync(${started}, "")\nawait import("${built}")\n`,
      )
    },
  })
  try {
    await vscode.command("callsheet: Choose Environment")
    await vscode.choose("Environment for runs", "local")
    const row = await vscode.press("smoke", "Run Test")
    await row.locator(".codicon-testing-passed-icon").waitFor()
    expect(existsSync(join(vscode.folder, "../started"))).toBe(isOwn)
    expect(vscode.log()).toContain(`callsheet ${isOwn ? version : packed}: run `)
  } finally {
    await vscode.close()
  }
})
