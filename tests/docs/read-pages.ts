// Reads the code blocks of the documentation: Markdown in, sections of blocks out.

import { readFileSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** Blocks that a reader runs in order, in one directory. */
export interface Section {
  readonly page: string
  readonly startsIn: StartsIn
  readonly blocks: readonly CodeBlock[]
}

type StartsIn = "the sample project" | "an empty directory"

export interface CodeBlock {
  /** `docs/guide/ci.md:3`, of the opening fence. */
  readonly at: string
  readonly language: string
  /** From the info string: `title="apis/shop/openapi.json"`. A word without a value is "". */
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

/** The Markdown with examples, for readers of the repository and the site. */
export function listPages(): readonly string[] {
  const below = (folder: string): readonly string[] =>
    readdirSync(root + folder, { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".md") && !/\/(node_modules|\.vitepress)\//.test(path))
      .sort()
  return [
    "README.md",
    "packages/cli/README.md",
    "packages/sdk/README.md",
    ...below("docs"),
    ...below("examples"),
  ]
}

export function readSections(page: string, text = readFileSync(root + page, "utf8")): readonly Section[] {
  const sections: { page: string; startsIn: StartsIn; blocks: CodeBlock[] }[] = []
  const start = (startsIn: StartsIn): void => void sections.push({ page, startsIn, blocks: [] })
  start("the sample project")
  let open: { fence: string; indent: string; line: number; lines: string[]; info: string } | undefined
  for (const [index, line] of text.replaceAll("\r\n", "\n").split("\n").entries()) {
    const [, indent = "", fence = "", info = ""] = /^( *)(`{3,})(.*)$/.exec(line) ?? []
    if (open !== undefined) {
      if (fence === open.fence && info.trim() === "") {
        sections.at(-1)?.blocks.push(makeBlock(`${page}:${open.line}`, open.info, open.lines))
        open = undefined
      } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
    } else if (fence !== "") open = { fence, indent, line: index + 1, lines: [], info }
    else {
      const startsIn = /^<!-- starts in: (the sample project|an empty directory) -->$/.exec(line)?.[1]
      if (startsIn !== undefined) start(startsIn as StartsIn)
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line} opens a fence that is never closed`)
  return sections.filter(({ blocks }) => blocks.length > 0)
}

function makeBlock(at: string, info: string, lines: readonly string[]): CodeBlock {
  const [, language = "", rest = ""] = /^\s*([\w-]*)(.*)$/.exec(info) ?? []
  const attributes = [...rest.matchAll(/([a-z]+)(?:="([^"]*)")?/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  )
  return { at, language, attributes: Object.fromEntries(attributes), text: `${lines.join("\n")}\n` }
}
