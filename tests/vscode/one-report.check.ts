// A file with several mistakes in a real VS Code: each is reported once, with the schemas of `init --editor` and without.

import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openVscode, type VsCode } from "./open-vscode.ts"

const built = fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url))
const expectPoll = { timeout: 60_000, interval: 100 }

/** The lines with a mistake are below. */
const mistakes = `{
  "version": 2,
  "blocks": [
    { "id": "a", "type": "group", "blocks": [], "oops": 1 },
    { "id": "b", "type": "nope" },
    { "id": "c", "type": "assert", "assertions": {} }
  ],
  "onFailure": "stop",
  "step": []
}
`
const wrongLines = [2, 4, 5, 6, 8, 9]
const files = {
  "mistakes.json": { text: mistakes, lines: wrongLines },
  "named.json": {
    text: mistakes.replace("{", '{ "$schema": "../../.vscode/callsheet/workflow.schema.json",'),
    lines: wrongLines,
  },
  "broken.json": { text: '{\n  "version": 1,\n  "blocks": [,]\n}\n', lines: [3] },
  // VS Code's own validation accepts it.
  "empty.json": { text: "", lines: [1] },
} as const

describe.each(["with", "without"])("%s the schemas of init --editor", (which) => {
  let vscode: VsCode
  beforeAll(async () => {
    vscode = await openVscode({
      isTrusted: true,
      prepare: (folder) => {
        if (which === "with")
          execFileSync(process.execPath, [built, "init", "--editor"], { cwd: folder, stdio: "pipe" })
        for (const [file, { text }] of Object.entries(files))
          if (which === "with" || file !== "named.json")
            writeFileSync(join(folder, "apis/workflow", file), text)
      },
    })
  })
  afterAll(() => vscode.close())

  const own = Object.entries(files).filter(([file]) => which === "with" || file !== "named.json")
  it.each(own)("reports each mistake of %s once", async (file, { lines }) => {
    await vscode.open(file)
    await vscode.command("Problems: Focus on Problems View")
    await vscode.page.locator(".part.panel input.input").first().fill(file)
    const reported = async () => {
      const text = await vscode.page.locator(".markers-panel").innerText()
      return [...text.matchAll(/\[Ln (\d+), Col \d+\]/g)].map(([, line]) => Number(line))
    }
    await expect.poll(reported, expectPoll).toEqual(lines)
    await vscode.picture(`one-report-${which}-${file}`)
  })
})
