// Lists the pages for the sidebar and llms.txt, by directory and in the order of the links in README.md.

import { copyFile, mkdir, writeFile } from "node:fs/promises"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"

const sections = {
  start: "Start",
  guide: "Guides",
  cookbook: "Cookbook",
  "coming-from": "Coming from",
  reference: "Reference",
  "how-it-works": "How it works",
}

interface Page {
  readonly title: string
  /** The page's name in README.md, which appears below the title of its group. */
  readonly label: string
  /** The path from `docs/`, with its extension. */
  readonly path: string
}

interface Group {
  readonly title: string
  readonly pages: readonly Page[]
}

function readGroups(docs: string): readonly Group[] {
  const listed = [...readFileSync(join(docs, "README.md"), "utf8").matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
  const links = new Map(listed.map(([, text, path], rank) => [path, { text, rank }]))
  const rank = (path: string): number => links.get(path)?.rank ?? listed.length
  const label = (path: string, title: string): string => {
    const text = links.get(path)?.text ?? title
    return text[0].toUpperCase() + text.slice(1)
  }
  return Object.entries(sections)
    .filter(([folder]) => existsSync(join(docs, folder)))
    .map(([folder, title]) => ({
      title,
      pages: readdirSync(join(docs, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".md"))
        .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
        .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
        .map((path) => {
          const title = readTitle(join(docs, path))
          return { path, title, label: label(path, title) }
        }),
    }))
}

function readTitle(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1]
  if (title === undefined) throw new Error(`${file} has no title`)
  return title.replaceAll("`", "")
}

/** Groups of links in the format of VitePress. */
export const readSidebar = (docs: string) =>
  readGroups(docs).map(({ title, pages }) => ({
    text: title,
    collapsed: title === sections["how-it-works"],
    items: pages.map((page) => ({ text: page.label, link: `/${page.path.replace(/(README)?\.md$/, "")}` })),
  }))

interface Built {
  readonly docs: string
  readonly pages: readonly string[]
  readonly outDir: string
  /** The path of the site on its server, with a slash at both ends. */
  readonly base: string
}

/** Writes llms.txt (the list of pages), llms-full.txt (their text), and the Markdown of each page next to its HTML. */
export async function writeLlmsFiles({ docs, pages: built, outDir, base }: Built): Promise<void> {
  for (const path of built) {
    await mkdir(dirname(join(outDir, path)), { recursive: true })
    await copyFile(join(docs, path), join(outDir, path))
  }
  const groups = readGroups(docs)
  const lists = groups.map(({ title, pages }) =>
    [`## ${title}\n`, ...pages.map((page) => `- [${page.title}](${base}${page.path})`)].join("\n"),
  )
  const opening = "# callsheet\n\n> Test HTTP APIs with plain files in your own repository.\n"
  await writeFile(join(outDir, "llms.txt"), `${[opening, ...lists].join("\n\n")}\n`)
  const texts = groups.flatMap(({ pages }) => pages).map(({ path }) => readFileSync(join(docs, path), "utf8"))
  await writeFile(join(outDir, "llms-full.txt"), [opening, ...texts].join("\n"))
}
