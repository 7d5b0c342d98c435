// Parses scripts in a process that never runs them. Editors check after every pause, so the process is reused.

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ScriptDescription } from "@callsheet/language"
import { createLazyScriptPort } from "@callsheet/engine"
import { CallsheetError, type Problem, type SourceFile } from "@callsheet/format"
import { messages } from "../messages.ts"

export type ScriptParser = ReturnType<typeof createScriptParser>

type Workshop = Awaited<ReturnType<typeof openWorkshop>>

const IDLE_MS = 60_000

export function createScriptParser(scriptEntry: URL, idleMs = IDLE_MS) {
  let workshop: Promise<Workshop> | undefined
  let idle: NodeJS.Timeout | undefined
  let busy = 0
  let number = 0
  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = workshop
    workshop = undefined
    if (ending !== undefined) await ending.then(closeWorkshop, () => undefined)
  }
  const use = async (text: string): Promise<ScriptDescription> => {
    const { root, port } = await (workshop ??= openWorkshop(scriptEntry))
    const file = join(scriptsIn(root), `${++number}.ts`)
    await writeFile(file, text, { mode: 0o600 })
    try {
      const description = await port.describe(file)
      if (!description.ok && isNoAnswer(description)) throw new Error(description.message)
      return description
    } finally {
      await rm(file, { force: true })
    }
  }
  return {
    describe: async (text: string): Promise<ScriptDescription> => {
      clearTimeout(idle)
      busy++
      try {
        // The process may have ended, or its temporary directory may be gone. Try once more with a new process.
        return await use(text).catch(async () => {
          await end()
          return use(text)
        })
      } catch (error) {
        await end()
        throw new CallsheetError(messages["write-failed"].scriptCheck(), { cause: error })
      } finally {
        busy--
        clearTimeout(idle)
        if (busy === 0) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    close: end,
  }
}

type Refusal = Extract<ScriptDescription, { readonly ok: false }>

/** Returns whether the parser process failed. Errors in the text have a line or a code. */
const isNoAnswer = ({ line, code }: Refusal): boolean => line === undefined && code === undefined

const scriptsIn = (root: string): string => join(root, "apis", "workflow", "scripts")

async function openWorkshop(scriptEntry: URL) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "callsheet-script-")))
  await mkdir(scriptsIn(root), { recursive: true })
  const port = createLazyScriptPort({
    root,
    scriptEntry,
    concurrency: 1,
    cacheFolder: join(root, "cache"),
    describesOnly: true,
  })
  return { root, port }
}

async function closeWorkshop({ root, port }: Workshop): Promise<void> {
  await port.close()
  await rm(root, { recursive: true, force: true })
}

export function problemsOfScript({ file }: SourceFile, description: ScriptDescription): readonly Problem[] {
  if (description.ok) return []
  const { code = "script-syntax", message, line, column = 1, excerpt } = description
  const place = line === undefined ? {} : { line, column }
  return [{ code, severity: "error", file, ...place, message, excerpt }]
}
