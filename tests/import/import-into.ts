// Imports files with the built command, in a fresh directory.

import { rm } from "node:fs/promises"
import { afterEach } from "vitest"
import { callsheet, createFolder, readText, type Files } from "../harness/callsheet.ts"

interface ImportResult {
  readonly source: string
  readonly requests: number
  readonly operations: number
  readonly saved: number
  readonly workflows: readonly string[]
  readonly files: readonly string[]
  readonly losses: readonly {
    readonly where: string
    readonly what: string
    readonly reason: string
    readonly group: string
    readonly severity: string
  }[]
}

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

export async function folderWith(files: Files): Promise<string> {
  const folder = await createFolder(files)
  folders.push(folder)
  return folder
}

/** Imports with `--json`. The project is the directory itself. */
export async function importInto(folder: string, words: readonly string[], stdin?: string) {
  const called = await callsheet(["import", ...words, "--json"], {
    folder,
    ...(stdin === undefined ? {} : { stdin }),
  })
  const result = called.stdout === "" ? undefined : (JSON.parse(called.stdout) as ImportResult)
  return { ...called, result }
}

/** Returns the problems that `validate` finds, as `severity code`. */
export async function validated(folder: string): Promise<readonly string[]> {
  const { stdout } = await callsheet(["validate", "--json"], { folder })
  const { problems } = JSON.parse(stdout) as {
    problems: { severity: string; code: string; message: string }[]
  }
  return problems.map(({ severity, code, message }) =>
    severity === "error" ? `error ${code}: ${message}` : code,
  )
}

export async function readJson(folder: string, path: string): Promise<unknown> {
  const text = await readText(folder, path)
  return text === undefined ? undefined : JSON.parse(text)
}
