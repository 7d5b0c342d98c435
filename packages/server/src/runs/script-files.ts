// Finds the script files of workflows: those in their directories, and their imports inside the project. Runs none.

import { readFile, realpath, stat } from "node:fs/promises"
import * as system from "node:path"
import { dirname, join, resolve } from "node:path"
import { createImportResolver, type ResolveImport } from "@callsheet/engine"
import { callsScripts, wayBetween, wayInside, type Project } from "@callsheet/format"
import { importCandidates } from "@callsheet/language"
import { hashScript, type ScriptFile } from "./script-trust.ts"

/**
 * `project` contains only the workflows that will run. `missing` are the paths from the root where imports would be
 * found.
 */
export async function findScriptFiles(project: Project) {
  const contents = new Map<string, Uint8Array>()
  const missing = new Set<string>()
  const calling = [...project.workflows.values()].filter(({ workflow }) =>
    callsScripts(workflow?.blocks ?? []),
  )
  if (calling.length === 0) return { files: [], contents, missing }
  const resolveImport = await createImportResolver()
  const root = await realpath(project.root)
  const folder = join(root, "apis", "workflow", "scripts")
  const scripts = calling.flatMap(({ name }) =>
    (project.scriptNames.get(name) ?? []).map((script) => join(folder, name, `${script}.ts`)),
  )
  const found = new Map<string, ScriptFile>()
  // This loop also visits the files that it adds. It visits each file once, even if imports form a cycle.
  const ways = await filesAt(scripts)
  const open = new Set(ways.values())
  for (const file of open) {
    const path = wayInside(system, root, file)
    if (path === undefined || isInPackage(path)) continue
    const bytes = await readFile(file).catch(() => undefined)
    if (bytes === undefined) continue
    found.set(path, { path, hash: hashScript(bytes) })
    contents.set(file, bytes)
    const wanted = importsOf(file, bytes.toString("utf8"), resolveImport)
    const imports = await filesAt(wanted)
    for (const [way, imported] of imports) {
      ways.set(way, imported)
      open.add(imported)
    }
    for (const way of wanted) if (!imports.has(way)) missing.add(wayBetween(system, root, way))
  }
  // Add the paths of links, so that they still lead to the file that was read if a link changes.
  for (const [way, file] of ways) {
    const bytes = contents.get(file)
    if (bytes !== undefined) contents.set(way, bytes)
  }
  return {
    files: [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    contents,
    missing,
  }
}

const isInPackage = (path: string): boolean => /(?:^|\/)node_modules\//.test(path)

/** Resolves every quoted string that may be an import. The loader rejects imports whose names are built at run time. */
function importsOf(file: string, text: string, resolveImport: ResolveImport): readonly string[] {
  if (/\.(?:json|node|wasm)$/.test(file)) return []
  const quoted = [...text.matchAll(/(["'`])([^"'`\s]{1,1000})\1/g)].map(([, , inner = ""]) =>
    unescaped(inner),
  )
  return [...new Set(quoted)].flatMap((specifier) => [
    ...(/^(?:\.{0,2}\/|\.{1,2}$)/.test(specifier)
      ? importCandidates(resolve(dirname(file), specifier.replace(/[?#].*$/, "")))
      : []),
    ...(importable.test(specifier) ? resolveImport(specifier, file) : []),
  ])
}

/** Matches a path, a file URL, `#name`, or a package name with an optional path in it. */
const importable = /^(?:\.{0,2}\/|\.{1,2}$|file:|#|[@~$]\/|@?[A-Za-z0-9_])[^<>{}()|\s]*$/

/** Undoes the escapes in a string: `\x2e./helper` is `../helper`. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|(.))/g,
    (_, byte?: string, unit?: string, point?: string, plain?: string) =>
      plain ?? codePoint(Number.parseInt(byte ?? unit ?? point ?? "", 16)),
  )

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "")

async function filesAt(paths: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const path of new Set(paths)) {
    try {
      if ((await stat(path)).isFile()) files.set(path, await realpath(path))
    } catch {
      // Most candidates don't exist.
    }
  }
  return files
}
