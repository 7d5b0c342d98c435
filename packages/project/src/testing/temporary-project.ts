// For tests: creates a project with these files in a new directory. The directory is removed after the test.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

/** Writes files by path and returns the directory's real path. Writes contents other than text or bytes as JSON. */
export function temporaryProject(files: Readonly<Record<string, unknown>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "callsheet-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    const isRaw = typeof content === "string" || content instanceof Uint8Array
    writeFileSync(path, isRaw ? content : JSON.stringify(content))
  }
  return root
}
