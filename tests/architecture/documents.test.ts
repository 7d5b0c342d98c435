// Checks that documents refer only to existing paths, links and codes.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { failureCodes, operators, problemCodes } from "@callsheet/format"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const errorPages = ["errors", "errors-environments", "errors-runs"].map((name) => `docs/reference/${name}.md`)

const packageReadmes: readonly string[] = readdirSync(`${root}packages`)
  .map((name) => `packages/${name}/README.md`)
  .filter((page) => existsSync(root + page))

const pages: readonly string[] = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...packageReadmes,
  ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !/\/(node_modules|\.vitepress)\//.test(path))
    .sort(),
]

/**
 * The pages about the code, and those that prove the promises. The READMEs of `cli` and `sdk` are for those who install
 * them.
 */
const maps: readonly string[] = [
  "ARCHITECTURE.md",
  "tests/README.md",
  "packages/cli/src/README.md",
  "docs/reference/promises.md",
  "docs/reference/masking.md",
  "docs/reference/platforms.md",
  ...packageReadmes.filter((page) => !/\/(cli|sdk)\//.test(page)),
]

describe.each(maps)("%s", (page) => {
  it("names only existing paths, from the root or from its own directory", () => {
    const named = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code).filter(isPath)
    const own = `${root}${posix.dirname(page)}/`
    const from = [root, own, `${own}src/`]
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((path) => !from.some((folder) => existsSync(folder + path)))).toEqual([])
  })
})

describe("docs/", () => {
  // Bullets, braces and other punctuation between spaces aren't words. `--help` prints what is generated from it, too.
  const words = (page: string): number =>
    read(page)
      .replaceAll(/^```text ignore="generated"\n.*?^```$/gms, "")
      .split(/\s+/)
      .filter((text) => /[\p{L}\p{N}]/u.test(text)).length
  const docs = pages.filter((page) => page.startsWith("docs/"))

  it("has at most 32,000 words, and 1,500 per page", () => {
    expect(docs.filter((page) => words(page) > 1_500)).toEqual([])
    // Decision records are for those who change callsheet.
    const forUsers = docs.filter((page) => !page.includes("/decisions/"))
    expect(forUsers.reduce((sum, page) => sum + words(page), 0)).toBeLessThanOrEqual(32_000)
  })
})

describe("the good first changes in CONTRIBUTING.md", () => {
  it("name existing files", () => {
    const [, section = ""] = /^## Good first changes\n([^]*?)^## /m.exec(read("CONTRIBUTING.md")) ?? []
    expect(section.match(/^\d\. /gm)).toHaveLength(8)
    const named = [...section.matchAll(/`(packages\/[^`]+)`/g)].map(([, path = ""]) => path)
    expect(named.filter((path) => !existsSync(root + path))).toEqual([])
  })
})

describe("links", () => {
  it("lead to existing pages and headings", () => {
    const broken = pages.flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^[a-z]+:/.test(target) && !resolves(page, target))
        .map((target) => `${page} links to ${target}`),
    )
    expect(broken).toEqual([])
  })
})

describe(errorPages.join(", "), () => {
  const summaries = new Map(
    [
      ...errorPages
        .map(read)
        .join("\n")
        .matchAll(/^### (\S+)\n\n(.+(?:\n.+)*)/gm),
    ].map(([, code = "", text = ""]) => [code, text.replaceAll("\n", " ")]),
  )
  const defined = Object.entries({ ...problemCodes, ...failureCodes })

  it("has a heading for every code and for nothing else", () => {
    const codes = defined.map(([code]) => code)
    expect([...summaries.keys()].sort(), "add or remove the headings in the pages of errors").toEqual(
      codes.sort(),
    )
  })

  it("starts every entry with the summary in packages/format/src/problems.ts", () => {
    const different = defined
      .filter(([code, summary]) => summaries.get(code) !== summary)
      .map(([code]) => code)
    expect(different, "copy these codes' summaries to the pages of errors").toEqual([])
  })
})

describe("docs/reference/workflow-files.md", () => {
  it("lists every operator with its summary", () => {
    const rows = new Map(
      [...read("docs/reference/workflow-files.md").matchAll(/^- `(\w+)`: (.+)$/gm)].map(
        ([, name = "", summary = ""]) => [name, summary],
      ),
    )
    const different = Object.entries(operators).filter(([name, { summary }]) => rows.get(name) !== summary)
    expect(different.map(([name]) => name)).toEqual([])
  })
})

function read(path: string): string {
  return readFileSync(root + path, "utf8").replaceAll("\r\n", "\n")
}

/**
 * Returns whether text looks like a path in the repository: with a slash, or a page, and without spaces,
 * `<placeholders>` and globs.
 */
function isPath(code: string): boolean {
  return /^[\w.-]+(\/[\w.-]+)*\/?$/.test(code) && /\/|\.md$/.test(code)
}

function withoutCode(text: string): string {
  return text.replaceAll(/```[^]*?```/g, "").replaceAll(/`[^`\n]*`/g, "")
}

function resolves(page: string, target: string): boolean {
  const [path = "", heading] = target.split("#")
  const file = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path))
  if (!existsSync(root + file)) return false
  return heading === undefined || headingsOf(read(file)).includes(heading)
}

/** Returns the ids that GitHub generates. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )
}
