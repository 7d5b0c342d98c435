// Enforces the size limits and type checker limits of ARCHITECTURE.md, and prints the figures: `npx vitest run
// tests/architecture/structure.test.ts`.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { readUses } from "./read-imports.ts"
import { readStructure, type Finding } from "./read-structure.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const source = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /^(packages\/|examples\/shop\/server\/).*\.(ts|tsx|mjs|js|css)$/.test(path))
  .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(root + path, "utf8") }))

const code = source.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
const found = code.flatMap(({ path, text }) => readStructure(path, text).map((item) => ({ path, ...item })))
const all = (is: Finding["is"]) => found.filter((item) => item.is === is)
const places = (is: Finding["is"]) => all(is).map(({ path, line }) => `${path}:${line}`)

const isPage = (path: string): boolean => path.startsWith("packages/web/")
const lines = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0)

const MAX_FUNCTION_LINES = 60
const MAX_NON_NULL = 40
const MAX_DOUBLE_ASSERTIONS = 5
const MAX_CIRCLES = 9

afterAll(() => {
  const importers = countImporters()
  const longest = all("function").reduce((most, { lines: length }) => Math.max(most, length), 0)
  const figures = {
    "source lines outside the page": lines(source.filter(({ path }) => !isPage(path))),
    "source lines of the page": lines(source.filter(({ path }) => isPage(path))),
    files: code.length,
    "files with exactly one importer, %": Math.round(
      (100 * importers.filter((count) => count === 1).length) / code.length,
    ),
    "type assertions (as)": all("assertion").length + all("double-assertion").length,
    "circles of imports outside the page": findCircles().length,
    "as unknown as": all("double-assertion").length,
    "non-null assertions": all("non-null").length,
    "spreads of { x } or {}": all("optional-spread").length,
    "longest function, lines": longest,
  }
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`)
}, 60_000)

describe("source code", () => {
  it("is found", () => {
    expect(code.length).toBeGreaterThan(300)
  })

  it(`has at most ${MAX_NON_NULL} non-null assertions`, () => {
    expect(places("non-null").length, places("non-null").join("\n")).toBeLessThanOrEqual(MAX_NON_NULL)
  })

  it(`has at most ${MAX_DOUBLE_ASSERTIONS} assertions through unknown`, () => {
    const double = places("double-assertion")
    expect(double.length, double.join("\n")).toBeLessThanOrEqual(MAX_DOUBLE_ASSERTIONS)
  })

  it(`has at most ${MAX_CIRCLES} circles of imports outside the page`, () => {
    const circles = findCircles()
    expect(circles.length, circles.join("\n")).toBeLessThanOrEqual(MAX_CIRCLES)
  })

  it(`has no function longer than ${MAX_FUNCTION_LINES} lines`, () => {
    const long = all("function").filter(({ lines: length }) => length > MAX_FUNCTION_LINES)
    expect(long.map(({ path, line, lines: length }) => `${path}:${line} has ${length} lines`)).toEqual([])
  })
})

/** The files that each source file imports, including types. */
const imported = new Map(
  code.map(({ path, text }) => {
    const targets = readUses(path, text)
      .imports.filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
    return [path, new Set(targets)]
  }),
)

/** The number of importers of each source file. */
function countImporters(): readonly number[] {
  const counts = new Map(code.map(({ path }) => [path, 0]))
  for (const target of [...imported.values()].flatMap((targets) => [...targets]))
    counts.set(target, (counts.get(target) ?? 0) + 1)
  return [...counts.values()]
}

/** Returns the groups of files outside the page that import each other, directly or through others. */
function findCircles(): readonly string[] {
  const reached = new Map([...imported.keys()].map((path) => [path, filesFrom(path)]))
  const circleOf = (path: string): string =>
    [...(reached.get(path) ?? [])]
      .filter((other) => reached.get(other)?.has(path))
      .toSorted()
      .join(" ")
  const circles = code.filter(({ path }) => !isPage(path)).map(({ path }) => circleOf(path))
  return [...new Set(circles)].filter((circle) => circle !== "")
}

function filesFrom(path: string): ReadonlySet<string> {
  const found = new Set<string>()
  const work = [path]
  for (let file = work.pop(); file !== undefined; file = work.pop())
    for (const next of imported.get(file) ?? []) if (found.size < found.add(next).size) work.push(next)
  return found
}
