// One project on disk per test, and the `env` commands in it.

import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect } from "vitest"
import { callsheet, createFolder, readText, type CallResult } from "../harness/callsheet.ts"
import { faultyDisk, type DiskFault } from "../harness/faulty-disk.ts"
import { CANARY, ENVIRONMENTS, everyFile, files } from "./environment-project.ts"

export interface More {
  readonly stdin?: string | Uint8Array
  readonly disk?: readonly DiskFault[]
  readonly umask?: number
}

export const both = ["write", "shop", "local", "port=2", `apiKey=${CANARY}`]
export const onlyValues = ["write", "shop", "local", "port=2"]
export const onlySecrets = ["write", "shop", "local", `apiKey=${CANARY}`]

/** The project of the current test. */
export let folder: string

/** Creates the project again before each test. Call it at the top of a test file. */
export function useEnvironmentProject(): void {
  beforeEach(async () => {
    folder = await createFolder(files)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
}

export const at = (name: string): string => join(folder, ENVIRONMENTS, name)
export const readEnvironmentFile = (name: string): Promise<string | undefined> =>
  readText(folder, `${ENVIRONMENTS}/${name}`)

/** Each test has its own temporary directory, so it has its own locks. */
export const env = (words: readonly string[], { stdin, disk, umask }: More = {}): Promise<CallResult> =>
  callsheet(["env", ...words], {
    folder,
    env: { TMPDIR: lockFolder(), ...(disk === undefined ? {} : faultyDisk(disk, umask)) },
    ...(stdin === undefined ? {} : { stdin }),
    timeoutMs: 30_000,
  })
export const write = (words: readonly string[], more: More = {}): Promise<CallResult> =>
  env(["write", "shop", ...words], more)

export function lockFolder(): string {
  const path = join(folder, ".tmp")
  mkdirSync(path, { recursive: true })
  return path
}

/** All files but the locks. */
export const snapshot = async (): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(await everyFile(folder)).filter(([name]) => !name.startsWith(".tmp")))

/** Runs the command, expects no changes and no leftovers, and returns the output. */
export async function refused(words: readonly string[], more: More = {}): Promise<string> {
  const before = await snapshot()
  const { exitCode, stdout, stderr } = await env(words, more)
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: "" })
  expect(await snapshot()).toEqual(before)
  expect(stderr).not.toContain(CANARY)
  expect(stderr).not.toContain(folder)
  return stderr
}
