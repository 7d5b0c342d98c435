// Resolves the imports of scripts without running anything.

import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { ownFiles } from "../own-files/own-files.ts"
import { createCompilerSettings } from "./compiler-settings.ts"
import { attempt } from "@callsheet/format"

/** Returns the absolute paths to which `import` and `require` of `specifier` lead in `importer`. */
export type ResolveImport = (specifier: string, importer: string) => readonly string[]

/** Creates a resolver from the loader's own, so that `#name`, package names and URLs resolve as in a run. */
export function createImportResolver(): ResolveImport {
  const { createJiti } = ownFiles.loadPackage("jiti") as typeof import("jiti")
  const jiti = createJiti(import.meta.url, { fsCache: false })
  const { resolveAlias } = createCompilerSettings(jiti)
  return (specifier, importer) => {
    const alias = resolveAlias(specifier, importer)
    const ways = [
      ...(alias === undefined ? [] : [() => alias]),
      () => jiti.esmResolve(specifier, pathToFileURL(importer).href),
      () => createRequire(importer).resolve(specifier),
    ]
    return ways.flatMap((resolve) => {
      const resolved = attempt(resolve)
      if (resolved === undefined) return []
      return [resolved.startsWith("file:") ? fileURLToPath(resolved) : resolved]
    })
  }
}
