// Whether a text is a script: parsed by the process that runs scripts, from a folder of its own, and never run.

import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ScriptDescription } from "@callsheet/analysis"
import type { Problem, SourceFile } from "@callsheet/format"

/** At most one: what the parser meets first. */
export async function checkScriptText(source: SourceFile, scriptEntry: URL): Promise<readonly Problem[]> {
  const description = await describeText(source.text, scriptEntry)
  if (description.ok) return []
  const { code = "script-syntax", message, line, column } = description
  return [
    {
      code,
      severity: "error",
      file: source.file,
      ...(line === undefined ? {} : { line, column: column ?? 1 }),
      message,
    },
  ]
}

/** What a script of that text would say about itself. */
export async function describeText(text: string, scriptEntry: URL): Promise<ScriptDescription> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "callsheet-script-")))
  try {
    await chmod(root, 0o700)
    const folder = join(root, "apis", "workflow", "scripts")
    const file = join(folder, "script.ts")
    await mkdir(folder, { recursive: true })
    await writeFile(file, text, { mode: 0o600 })
    const { withScripts } = await import("./loaded-late.ts")
    const cacheFolder = join(root, "cache")
    return await withScripts({ root, scriptEntry, cacheFolder }, (describe) => describe(file))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
