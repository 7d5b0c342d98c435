// Checks every import of every package against import-rules.ts, so that the layers of ARCHITECTURE.md stay intact.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { packageRules, processModules, sampleServer, type PackageName } from "./import-rules.ts"
import { readUses, type FileImport, type FileUses } from "./read-imports.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const rulesFile = "tests/architecture/import-rules.ts"
const rulesText = read(rulesFile)
const packageNames = Object.keys(packageRules) as PackageName[]

/**
 * The entries of packages, as rules name them: `format`, `server/calls`. The page exports nothing: only the build uses
 * it.
 */
const entries: ReadonlySet<string> = new Set(
  packageNames.flatMap((name) => {
    const { exports = {} } = JSON.parse(read(`packages/${name}/package.json`)) as { exports?: object }
    return Object.keys(exports).map((key) => name + key.slice(1))
  }),
)

interface SourceFile extends FileUses {
  /** Relative to the repository's root, with `/`. */
  readonly path: string
  readonly package: PackageName
  /** Relative to the package's `src/`. */
  readonly below: string
  readonly isTest: boolean
}

const files: readonly SourceFile[] = packageNames.flatMap((name) =>
  readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: "utf8" })
    .map((below) => `packages/${name}/src/${below.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map((path) => ({
      path,
      package: name,
      below: path.slice(`packages/${name}/src/`.length),
      isTest: /\.test(-support)?\.tsx?$|(^|\/)testing\//.test(path),
      ...readUses(path, read(path)),
    })),
)

describe("imports", () => {
  it("has a rule for every package", () => {
    // The load engine is one file of JavaScript, without `src`.
    const withSource = readdirSync(`${root}packages`).filter((name) =>
      existsSync(`${root}packages/${name}/src`),
    )
    expect([...packageNames].sort()).toEqual(withSource.sort())
  })

  it("go down the layers, including types and tests", () => {
    const wrong = each((file, { specifier, line }) => {
      const entry = ownEntry(specifier)
      if (entry === undefined || entry === file.package) return undefined
      const allowed: readonly string[] = packageRules[file.package].imports
      // Unknown entries are for the next test.
      if (allowed.includes(entry) || !entries.has(entry)) return undefined
      const list = allowed.length === 0 ? "nothing of ours" : allowed.join(", ")
      return `${file.path}:${line} imports ${specifier}, but ${file.package} imports ${list}. ${whereToEdit(file.package)}`
    })
    expect(wrong).toEqual([])
  })

  it("from the leak search reach no masking code", () => {
    const wrong = each((file, { specifier, isType, line }) =>
      file.path.startsWith("packages/cli/src/leaks/") &&
      !file.isTest &&
      !isType &&
      (specifier === "@callsheet/engine" || /mask/.test(specifier))
        ? `${file.path}:${line} imports ${specifier}`
        : undefined,
    )
    expect(wrong).toEqual([])
  })

  it("reach another package only through its entries", () => {
    const wrong = each((file, { specifier, line }) => {
      const leaves =
        specifier.startsWith(".") &&
        resolved(file, specifier).startsWith("../..") &&
        !isSampleServer(file, specifier)
      const entry = ownEntry(specifier)
      if (!leaves && (entry === undefined || entries.has(entry))) return undefined
      return `${file.path}:${line} imports ${specifier}: export it from that package's src/index.ts and import the package by its name.`
    })
    expect(wrong).toEqual([])
  })

  it("name only libraries that the package declares", () => {
    const declared = new Map(packageNames.map((name) => [name, dependenciesOf(name)]))
    const wrong = each((file, { specifier, line }) => {
      if (file.isTest || /^(\.|node:)/.test(specifier) || specifier === "") return undefined
      const library = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
      // VS Code provides this module to its extensions.
      const provided = file.package === "vscode" && library === "vscode" ? "@types/vscode" : library
      if (declared.get(file.package)?.has(provided) === true) return undefined
      return `${file.path}:${line} imports ${specifier}: add it to packages/${file.package}/package.json.`
    })
    expect(wrong).toEqual([])
  })

  it("use a literal path, except for the script process", () => {
    const wrong = files
      .filter((file) => !file.isTest && !file.below.startsWith("node/script/child"))
      .flatMap((file) =>
        file.computedImports.map((line) => `${file.path}:${line} imports what no test can read.`),
      )
    expect(wrong).toEqual([])
  })

  it("of the calls between page and server reach only format", () => {
    const calls = files.filter(({ package: name, below }) => name === "server" && below.startsWith("calls/"))
    const wrong = calls.flatMap((file) =>
      file.imports
        .filter(({ specifier }) =>
          specifier.startsWith(".")
            ? !resolved(file, specifier).startsWith("calls/")
            : specifier !== "@callsheet/format",
        )
        .map(
          ({ specifier, line }) => `${file.path}:${line} imports ${specifier}, but the page loads this file.`,
        ),
    )
    expect(calls.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  it("use node:* only where it is allowed", () => {
    const wrong = each((file, { specifier, line }) => {
      if (file.isTest || !specifier.startsWith("node:")) return undefined
      if (allows(packageRules[file.package].node, file.below)) return undefined
      return `${file.path}:${line} imports ${specifier}, but ${file.package} touches Node ${placeOf(packageRules[file.package].node)}. ${whereToEdit(file.package)}`
    })
    expect(wrong).toEqual([])
  })

  it("of modules that start processes are in four files", () => {
    const users = files.filter(
      (file) =>
        !file.isTest &&
        (file.imports.some(({ specifier, isType }) => !isType && startsProcesses.test(specifier)) ||
          // Functions such as `require` and `process.getBuiltinModule` load modules by their names.
          /["'`](?:node:)?(?:child_process|cluster)["'`]\s*\)/.test(read(file.path))),
    )
    const wrong = users.flatMap(({ path }) =>
      path in processModules
        ? []
        : `${path} uses a module that starts processes. Find a program with findProgram and start it with startProgram.`,
    )
    expect(wrong).toEqual([])
    expect(users.map(({ path }) => path).sort()).toEqual(Object.keys(processModules).sort())
  })

  it("between the folders of a package go in one direction", () => {
    const wrong = each((file, { specifier, line }) => {
      const order = packageRules[file.package].folders
      const from = folderOf(file.below)
      if (order === undefined || file.isTest || from === undefined || !specifier.startsWith("."))
        return undefined
      const to = folderOf(resolved(file, specifier))
      if (to === undefined || (order.includes(from) && order.slice(0, order.indexOf(from) + 1).includes(to)))
        return undefined
      return `${file.path}:${line} imports ${specifier}, but ${from} does not come after ${to} in the folders of ${file.package}. ${whereToEdit(file.package)}`
    })
    expect(wrong).toEqual([])
  })

  it("never form a cycle of values", () => {
    expect(cycles(files.filter((file) => !file.isTest))).toEqual([])
  })
})

describe("process and console", () => {
  it("are used only by the command and in the script process", () => {
    const wrong = files.flatMap((file) => {
      const rule = packageRules[file.package].processGlobals
      if (file.isTest || allows(rule, file.below)) return []
      const imported = file.imports.filter(({ specifier }) => /^node:(process|console)$/.test(specifier))
      return [...file.globals, ...imported.map(({ specifier, line }) => ({ name: specifier, line }))].map(
        ({ name, line }) =>
          `${file.path}:${line} names ${name}, but ${file.package} may do so ${placeOf(rule)}. ${whereToEdit(file.package)}`,
      )
    })
    expect(wrong).toEqual([])
  })
})

const startsProcesses = /^(?:node:)?(?:child_process|cluster)$/

function read(path: string): string {
  return readFileSync(`${root}${path}`, "utf8")
}

function each(check: (file: SourceFile, found: FileImport) => string | undefined): string[] {
  return files.flatMap((file) => file.imports.flatMap((found) => check(file, found) ?? []))
}

function resolved(file: SourceFile, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(file.below), specifier))
}

const isSampleServer = (file: SourceFile, specifier: string): boolean =>
  file.package === "cli" && resolved(file, specifier).startsWith(`../../../${sampleServer}`)

/** The folder of src/ with a file. Files next to src/index.ts are in none. */
const folderOf = (below: string): string | undefined =>
  below.includes("/") ? below.slice(0, below.indexOf("/")) : undefined

/** Our entry that `specifier` names: `format` for `@callsheet/format`, `server/calls` for `@callsheet/server/calls`. */
function ownEntry(specifier: string): string | undefined {
  return (
    /^@callsheet\/(.+)/.exec(specifier)?.[1] ??
    (/^callsheet(\/|$)/.test(specifier) ? specifier.replace(/^callsheet/, "cli") : undefined)
  )
}

function dependenciesOf(name: PackageName): ReadonlySet<string> {
  const { dependencies, devDependencies } = JSON.parse(read(`packages/${name}/package.json`)) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  // Bundled packages are development dependencies, of the published packages and of the page.
  const isBundled = name === "cli" || name === "web" || name === "vscode"
  return new Set(Object.keys({ ...dependencies, ...(isBundled ? devDependencies : {}) }))
}

function allows(rule: "everywhere" | "nowhere" | readonly string[], below: string): boolean {
  if (typeof rule === "string") return rule === "everywhere"
  return rule.some((folder) => below.startsWith(folder))
}

function placeOf(rule: "everywhere" | "nowhere" | readonly string[]): string {
  return typeof rule === "string" ? rule : `only under src/${rule.join(", src/")}`
}

function whereToEdit(name: PackageName): string {
  const line = rulesText.split("\n").findIndex((text) => text.startsWith(`  ${name}: {`)) + 1
  return `If this is meant, edit ${rulesFile}:${line} and the floors in ARCHITECTURE.md.`
}

/** Every cycle of static value imports, each as one line `a -> b -> a`. */
function cycles(sources: readonly SourceFile[]): string[] {
  const edges = new Map(
    sources.map((file) => [
      file.path,
      file.imports
        .filter(({ specifier, isType, isDynamic }) => specifier.startsWith(".") && !isType && !isDynamic)
        .map(({ specifier }) => posix.normalize(posix.join(posix.dirname(file.path), specifier))),
    ]),
  )
  const state = new Map<string, "open" | "closed">()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === "closed") return
    if (state.get(path) === "open") {
      found.push([...trail.slice(trail.indexOf(path)), path].join(" -> "))
      return
    }
    state.set(path, "open")
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    state.set(path, "closed")
  }
  for (const path of edges.keys()) visit(path, [])
  return found
}
