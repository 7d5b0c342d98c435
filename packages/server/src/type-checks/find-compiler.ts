// Finds the project's TypeScript compiler, the one that `callsheet validate --types` runs. Doesn't run it.

import { readFileSync, realpathSync } from "node:fs"
import { arch, platform } from "node:os"
import { dirname, join } from "node:path"
import { attempt, isJsonObject, parseJson } from "@callsheet/format"
import { resolveFromProject } from "@callsheet/project"

export interface FoundCompiler {
  readonly version: string
  /** Absent before TypeScript 7, and if npm didn't install the compiler of this platform. */
  readonly executable?: string
}

export function findCompiler(root: string): FoundCompiler | undefined {
  const manifest = resolveFromProject(root, "typescript/package.json")
  if (manifest === undefined) return undefined
  const parsed = parseJson(attempt(() => readFileSync(manifest, "utf8")) ?? "")
  const version = parsed.ok && isJsonObject(parsed.value) ? parsed.value["version"] : undefined
  if (typeof version !== "string") return undefined
  const own = resolveFromProject(
    dirname(manifest),
    `@typescript/typescript-${platform()}-${arch()}/package.json`,
  )
  const file = platform() === "win32" ? "tsc.exe" : "tsc"
  const executable = own && attempt(() => realpathSync(join(dirname(own), "lib", file)))
  return executable === undefined ? { version } : { version, executable }
}
