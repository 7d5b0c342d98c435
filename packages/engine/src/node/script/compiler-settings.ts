// Reads a project's `tsconfig.json`: its import aliases and the meaning of class fields, so that a run agrees with the
// compiler.

import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { attempt, getOrCreate } from "@callsheet/format"
import {
  createFilesMatcher,
  createPathsMatcher,
  parseTsconfig,
  type PathsMatcher,
  type TsConfigJson,
} from "get-tsconfig"
import type { Jiti } from "jiti"

/** Returns the URL for an alias. Undefined if the specifier isn't one. */
type ResolveAlias = (specifier: string, importer: string) => string | undefined

export interface CompilerSettings {
  readonly resolveAlias: ResolveAlias
  /** Returns whether a class field without a decorator's help becomes the object's own, even if a setter exists. */
  readonly definesFields: (file: string) => boolean
}

interface Config {
  readonly includes: (file: string) => boolean
  readonly match: PathsMatcher | null
  readonly options: TsConfigJson.CompilerOptions
}

/**
 * Creates a reader. It uses the nearest `tsconfig.json` above each file, the files that it extends, and the projects that
 * it references.
 */
export function createCompilerSettings(jiti: Jiti): CompilerSettings {
  const known = new Map<string, readonly Config[]>()
  /** Returns the configurations that may apply to a file, the most likely one first. */
  const configsOf = (file: string): readonly Config[] => {
    const nearest = nearestConfig(file)
    if (nearest === undefined) return []
    const configs = getOrCreate(known, nearest, () => configsFrom(nearest))
    // The compiler uses the project that includes the file. A project may have none for `apis/`.
    const isOwn = ({ includes }: Config): boolean => includes(file)
    return [...configs.filter(isOwn), ...configs.filter((config) => !isOwn(config))]
  }
  return {
    resolveAlias: (specifier, importer) => {
      if (/^(?:[./#]|node:|file:)/.test(specifier)) return undefined
      for (const { match } of configsOf(importer))
        for (const path of match?.(specifier) ?? []) {
          const found = attempt(() => jiti.esmResolve(path, pathToFileURL(importer).href))
          if (found !== undefined) return found
        }
      return undefined
    },
    definesFields: (file) => {
      const { useDefineForClassFields, target = "" } = configsOf(file)[0]?.options ?? {}
      return useDefineForClassFields ?? /^es(?:next|202[2-9]|20[3-9]\d)$/i.test(target)
    },
  }
}

/** Reads a configuration and those that it references. The compiler reports a malformed file. */
function configsFrom(nearest: string): readonly Config[] {
  const paths = new Set([nearest])
  const configs: Config[] = []
  // This loop also visits the items that it adds.
  for (const path of paths) {
    const config = attempt(() => parseTsconfig(path))
    if (config === undefined) continue
    const matchFile = createFilesMatcher({ path, config })
    configs.push({
      includes: (file) => matchFile(file) !== undefined,
      match: createPathsMatcher({ path, config }),
      options: config.compilerOptions ?? {},
    })
    for (const { path: reference } of config.references ?? []) {
      const target = resolve(dirname(path), reference)
      paths.add(isDirectory(target) ? join(target, "tsconfig.json") : target)
    }
  }
  return configs
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function nearestConfig(importer: string): string | undefined {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const config = join(folder, "tsconfig.json")
    if (existsSync(config)) return config
    if (dirname(folder) === folder) return undefined
  }
}
