// The files inside the single executable, which `scripts/executable.mjs` builds. Each has a path below the executable's
// own, as if that were a directory. The executable runs such a file if its first argument names it, as Node would.

import Module, { createRequire, isBuiltin } from "node:module"
import { dirname, join, sep } from "node:path"
import { ownOf } from "@callsheet/format"
import type { OwnFiles } from "./installed-files.ts"

/** The entry of the executable, which also starts its threads. */
export const START = "start.js"
/** Not a file: as the first argument, it makes the executable run the file that the second one names. */
export const RUN_FILE = "run-file.js"
/** The list of all files, which the executable itself can't list. */
const INDEX = "index.json"
/** The entries of the packages inside. */
const packages: Readonly<Record<string, string>> = {
  jiti: "node_modules/jiti/lib/jiti.cjs",
  "callsheet-mcp": "node_modules/callsheet-mcp/index.js",
  "callsheet-lsp": "node_modules/callsheet-lsp/index.js",
}

/** Returns undefined if this process isn't the executable. */
export function executableFiles(): OwnFiles | undefined {
  const sea = process.getBuiltinModule("node:sea")
  if (!sea.isSea()) return undefined
  const root = process.execPath
  const at = (name: string): string => join(root, name)
  const nameOf = (file: string): string => file.slice(root.length + 1).replaceAll(sep, "/")
  const read = (file: string): Buffer => Buffer.from(sea.getAsset(nameOf(file)))
  const load = createPackageLoader((file) => read(file).toString())
  return {
    read,
    list: (folder) =>
      (JSON.parse(read(at(INDEX)).toString()) as string[])
        .map(at)
        .filter((file) => file.startsWith(folder + sep)),
    loadPackage: (name) => {
      const entry = ownOf(packages, name)
      return entry === undefined ? undefined : load(at(entry))
    },
    readFromPackage: (name, path) => read(at(`node_modules/${name}/${path}`)).toString(),
    threadFor: (entry) => ({
      source: read(at(START)).toString(),
      options: { eval: true, argv: [join(root, entry.pathname.slice(entry.pathname.lastIndexOf("/") + 1))] },
    }),
    wordsToRun: (file) => [at(RUN_FILE), file],
  }
}

interface CommonJs extends NodeJS.Module {
  readonly _compile: (text: string, file: string) => void
}

/** Creates a `require` for the files of packages. They may use `import()`, so Node has to compile them. */
function createPackageLoader(read: (file: string) => string): (file: string) => unknown {
  const loaded = new Map<string, NodeJS.Module>()
  const nodeRequire = createRequire(process.execPath)
  const load = (file: string): unknown => {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    const module = new Module(file) as CommonJs
    loaded.set(file, module)
    module.filename = file
    module.require = (id: string): unknown =>
      isBuiltin(id) ? nodeRequire(id) : load(join(dirname(file), id))
    module._compile(read(file), file)
    return module.exports
  }
  return load
}
