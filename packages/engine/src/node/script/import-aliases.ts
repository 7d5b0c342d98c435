// Resolves the import aliases of a project's `tsconfig.json`, so that a run finds the same files as the compiler.

import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { attempt, getOrCreate } from "@callsheet/format"
import type { Jiti } from "jiti"

/** Returns the URL for an alias. Undefined if the specifier isn't one. */
export type ResolveAlias = (specifier: string, importer: string) => string | undefined

/** Creates a resolver. It uses the nearest `tsconfig.json` above each importer, and the files that it extends. */
export function createAliasResolver(jitiFor: (config: string) => Jiti): ResolveAlias {
  const resolvers = new Map<string, Jiti | undefined>()
  return (specifier, importer) => {
    const config = /^(?:[./#]|node:|file:)/.test(specifier) ? undefined : nearestConfig(importer)
    if (config === undefined) return undefined
    // The compiler reports a malformed file.
    const jiti = getOrCreate(resolvers, config, () => attempt(() => jitiFor(config)))
    return attempt(() => jiti?.esmResolve(specifier, pathToFileURL(importer).href))
  }
}

function nearestConfig(importer: string): string | undefined {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const config = join(folder, "tsconfig.json")
    if (existsSync(config)) return config
    if (dirname(folder) === folder) return undefined
  }
}
