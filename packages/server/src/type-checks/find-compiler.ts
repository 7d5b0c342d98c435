// Finds the project's TypeScript compiler. Doesn't run it.

import { readFileSync, realpathSync } from "node:fs"
import { arch, platform } from "node:os"
import { dirname, join } from "node:path"
import { attempt, parseJson, member } from "@callsheet/format"
import { resolveFromProject } from "@callsheet/project"

export interface FoundCompiler {
  readonly version: string
  /** Absent before TypeScript 7, and if npm didn't install the compiler of this platform. */
  readonly installed?: InstalledCompiler
}

export interface InstalledCompiler {
  /** The directory of the executable, and of the declarations that it reads. */
  readonly folder: string
  readonly manifests: readonly string[]
}

/** The name of the executable in its directory. */
export const executable = platform() === "win32" ? "tsc.exe" : "tsc"

export function findCompiler(root: string): FoundCompiler | undefined {
  const manifest = resolveFromProject(root, "typescript/package.json")
  if (manifest === undefined) return undefined
  const parsed = parseJson(attempt(() => readFileSync(manifest, "utf8")) ?? "")
  const version = parsed.ok ? member(parsed.value, "version") : undefined
  if (typeof version !== "string") return undefined
  const own = resolveFromProject(
    dirname(manifest),
    `@typescript/typescript-${platform()}-${arch()}/package.json`,
  )
  if (own === undefined) return { version }
  const folder = attempt(() => realpathSync(join(dirname(own), "lib")))
  return folder === undefined ? { version } : { version, installed: { folder, manifests: [manifest, own] } }
}
