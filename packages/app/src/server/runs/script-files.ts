// Which files of a project a workflow's scripts are: those in its folder, and what they import inside the project. None is run.

import { createHash } from "node:crypto"
import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import { scriptsOf, walkBlocks, type Project } from "@callsheet/format"

export interface ScriptFile {
  /** From the root of the project, without links, with `/`. */
  readonly path: string
  /** Of its bytes. */
  readonly hash: string
}

/** Sorted by path; nothing where no block of the workflow calls a script. */
export async function findScriptFiles(project: Project, workflow: string): Promise<readonly ScriptFile[]> {
  if (!callsScripts(project, workflow)) return []
  const root = await realpath(project.root)
  const folder = join(root, "apis", "workflow", "scripts", workflow)
  const names = project.scriptNames.get(workflow) ?? []
  const found = new Map<string, ScriptFile>()
  // A set that grows while it is walked: each file is looked at once, circles included.
  const open = new Set(await filesAt(names.map((name) => join(folder, `${name}.ts`))))
  for (const file of open) {
    const path = relative(root, file).split(sep).join("/")
    if (!isOwn(path)) continue
    const bytes = await readFile(file).catch(() => undefined)
    if (bytes === undefined) continue
    found.set(path, { path, hash: hashScript(bytes) })
    for (const imported of await filesAt(importsOf(file, bytes.toString("utf8")))) open.add(imported)
  }
  return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

export const hashScript = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex")

function callsScripts(project: Project, workflow: string): boolean {
  const blocks = project.workflows.get(workflow)?.workflow?.blocks ?? []
  for (const { block } of walkBlocks(blocks)) if (scriptsOf(block).length > 0) return true
  return false
}

/** Inside the project, and no package that somebody installed. */
const isOwn = (path: string): boolean => !/^\.\.(?:\/|$)|^[A-Za-z]:|(?:^|\/)node_modules\//.test(path)

/** What loads code, or what code is made from. */
const endings = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "json", "node", "wasm"]
const isLoadable = new RegExp(`\\.(?:${endings.join("|")})$`)

/**
 * Each quoted text that begins like the path of a file: too many rather than too few. What a script puts together while it
 * runs cannot be seen here.
 */
function importsOf(file: string, text: string): readonly string[] {
  if (/\.(?:json|node|wasm)$/.test(file)) return []
  const quoted = text.matchAll(/(["'`])(\.{0,2}\/[^"'`\r\n]{0,1000}|\.{1,2})\1/g)
  return [...quoted].flatMap(([, , specifier = ""]) =>
    candidatesOf(resolve(dirname(file), specifier.replace(/[?#].*$/, ""))),
  )
}

/** `./x`, `./x.ts` and `./x.js` all find `x.ts`; a folder is its `index`. */
function candidatesOf(path: string): readonly string[] {
  const written = isLoadable.test(path) ? [path] : []
  const source = path.replace(/\.([cm]?)js$/, ".$1ts")
  return [
    ...written,
    ...(source === path ? [] : [source]),
    ...endings.flatMap((ending) => [`${path}.${ending}`, join(path, `index.${ending}`)]),
  ]
}

/** Those that are there, without links. */
async function filesAt(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const path of new Set(paths)) {
    try {
      if ((await stat(path)).isFile()) files.push(await realpath(path))
    } catch {
      // There is none: most candidates are none.
    }
  }
  return files
}
