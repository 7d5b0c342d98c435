// Lists the pages for the sidebar and llms.txt, in the groups and the order of README.md.

import { copyFile, mkdir, writeFile } from "node:fs/promises"
import { readFileSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"

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
  const lines = readFileSync(join(docs, "README.md"), "utf8").matchAll(/^\*\*(.+)\*\*: (.+)$/gm)
  return [...lines].map(([, title, text]) => {
    const links = [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].filter(
      ([, , path]) => !path.startsWith("../"),
    )
    return { title, pages: links.flatMap(([, label, path]) => readPages(docs, { label, path })) }
  })
}

/** Reads a page, and the others in its directory if it is their README. */
function readPages(
  docs: string,
  { label, path }: { readonly label: string; readonly path: string },
): readonly Page[] {
  const toPage = (file: string, name?: string): Page => {
    const title = readTitle(join(docs, file))
    return { path: file, title, label: name ?? title }
  }
  const page = toPage(path, capitalize(label))
  if (!path.endsWith("/README.md")) return [page]
  const others = readdirSync(join(docs, dirname(path)))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .sort()
  return [page, ...others.map((name) => toPage(`${dirname(path)}/${name}`))]
}

/** The name of the command stays in lower case. */
const capitalize = (label: string): string =>
  label.startsWith("callsheet") ? label : label[0].toUpperCase() + label.slice(1)

function readTitle(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1]
  if (title === undefined) throw new Error(`${file} has no title`)
  return title.replaceAll("`", "")
}

/** Returns the first sentence of a page below its title, without formatting. */
export function readDescription(file: string): string | undefined {
  const paragraph = /^# .+\n\n(?!\*\*)(\p{L}.+)$/mu.exec(readFileSync(file, "utf8"))?.[1]
  const plain = paragraph?.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll(/[`*"]/g, "")
  return plain === undefined ? undefined : /^.+?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".")
}

/** Groups of links in the format of VitePress: those of the reference, and all others. */
export function readSidebar(docs: string) {
  const groups = readGroups(docs)
  const isReference = ({ pages }: Group): boolean => pages[0].path.startsWith("reference/")
  return {
    "/reference/": groups.filter(isReference).map(toSidebarGroup),
    "/": groups.filter((group) => !isReference(group)).map(toSidebarGroup),
  }
}

const toSidebarGroup = ({ title, pages }: Group) => ({
  text: title,
  // VitePress opens the group of the current page.
  collapsed: !/^(?:start|guide)\//.test(pages[0].path),
  items: pages.map((page) => ({ text: page.label, link: `/${page.path.replace(/(README)?\.md$/, "")}` })),
})

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
  const toEntry = ({ title, path }: Page): string => {
    const description = readDescription(join(docs, path))
    return `- [${title}](${base}${path})${description === undefined ? "" : `: ${description}`}`
  }
  const groups = readGroups(docs)
  const lists = groups.map(({ title, pages }) => [`## ${title}\n`, ...pages.map(toEntry)].join("\n"))
  const opening = "# callsheet\n\n> Test HTTP APIs with plain files in your own repository.\n"
  await writeFile(join(outDir, "llms.txt"), `${[opening, ...lists].join("\n\n")}\n`)
  const texts = groups.flatMap(({ pages }) => pages).map(({ path }) => readFileSync(join(docs, path), "utf8"))
  await writeFile(join(outDir, "llms-full.txt"), [opening, ...texts].join("\n"))
}
