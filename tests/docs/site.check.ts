// The documentation site, built as a release builds it: from the tags of a repository, one site per version.

import { execFile } from "node:child_process"
import { appendFile, cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, extname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser, launchBrowser } from "../app-page/chromium.ts"
import { startApi } from "../harness/api-server.ts"
import { listPages, root } from "./read-pages.ts"

const pages = listPages()
  .filter((page) => page.startsWith("docs/"))
  .map((page) => page.slice("docs/".length))
const base = "/callsheet/"
/** A page that only 1.2 has. */
const added = "guide/zebra.md"
const versions = [
  {
    version: "1.2.0",
    path: "",
    pages: [...pages, added],
    source: "https://github.com/OWNER/callsheet/edit/main/docs/",
  },
  {
    version: "1.1.10",
    path: "v1.1/",
    pages,
    source: "https://github.com/OWNER/callsheet/blob/v1.1.10/docs/",
  },
]
const asHtml = (page: string): string => page.replace(/README\.md$/, "index.md").replace(/md$/, "html")
const asLink = (page: string): string => asHtml(page).replace(/(^|\/)index\.html$/, "$1")

const targetsIn = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = ""]) => target)

let repository: string
let site: string

beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), "callsheet-site-test-"))
  site = join(repository, "dist/site")
  const apart = new Set(["node_modules", "dist", "cache"])
  for (const name of ["docs", "scripts", "package.json", "package-lock.json"])
    await cp(join(root, name), join(repository, name), {
      recursive: true,
      filter: (path) => !apart.has(basename(path)),
    })
  await git("init", "--quiet")
  await release("v1.1.9", "v1.1.10", "v1.10.0-rc.1", "v1.9.0;touch${IFS}pwned", "v01.1.11", "other-v3.0.0")
  await writeFile(join(repository, "docs", added), "# Where do zebras live?\n\nIn [guides](workflows.md).\n")
  await appendFile(join(repository, "docs/README.md"), `\n**Animals**: [zebras](${added})\n`)
  await release("v1.2.0")
  await buildSite(["--base", base])
}, 600_000)

afterAll(() => rm(repository, { recursive: true, force: true }))

it("is built for the newest patch of each minor version, and for no other tag", async () => {
  const folders = (await readdir(site)).filter((name) => /^v?\d/.test(name) && !name.endsWith(".html"))
  expect(folders).toEqual(["v1.1"])
  expect(await readdir(repository)).not.toContain("pwned")
})

it.each(["callsheet", "/a b/", "/../", "--help"])(
  "refuses %s as its base, and keeps the last site",
  async (wrong) => {
    await expect(buildSite([`--base=${wrong}`])).rejects.toThrow(/base/)
    expect(await readdir(site)).toContain("index.html")
  },
)

describe.each(versions)("version $version", ({ path, pages, source }) => {
  const read = (file: string): Promise<string> => readFile(join(site, path, file), "utf8")
  const own = base + path

  it("has every page, as HTML for people and as Markdown for programs", async () => {
    const built = await readdir(join(site, path), { recursive: true })
    const expected = pages.flatMap((page) => [page, asHtml(page)])
    expect(expected.filter((file) => !built.includes(file))).toEqual([])
    expect(built.includes(added)).toBe(pages.includes(added))
  })

  it("lists every page in the sidebar and in llms.txt", async () => {
    const [guide, reference, list] = await Promise.all([
      read("guide/workflows.html"),
      read("reference/blocks.html"),
      read("llms.txt"),
    ])
    const listed = pages.filter((file) => file !== "README.md")
    const pageBeside = (file: string): string => (file.startsWith("reference/") ? reference : guide)
    expect(listed.filter((file) => !pageBeside(file).includes(`href="${own}${asLink(file)}"`))).toEqual([])
    expect(listed.filter((file) => !list.includes(`(${own}${file})`))).toEqual([])
  })

  it("links each page to its source on GitHub", async () => {
    for (const page of ["start/install.md", "how-it-works/decisions/README.md"])
      expect(targetsIn(await read(asHtml(page)))).toContain(`${source}${page}`)
  })

  it("has a menu of the versions, and otherwise links only to its own pages and files", async () => {
    const built = (await readdir(join(site, path), { recursive: true }))
      .map((file) => own + file.replaceAll("\\", "/"))
      .filter((file) => path !== "" || !file.startsWith(`${base}v1.1/`))
    const files = new Set(built)
    const others = versions.map((one) => base + one.path).filter((root) => root !== own)
    for (const page of pages) {
      const targets = targetsIn(await read(asHtml(page)))
        .map((target) => new URL(target, `http://site${own}${asHtml(page)}`))
        .filter(({ host }) => host === "site")
        .map(({ pathname }) => pathname)
      const left = targets.filter((target) => !files.has(target.replace(/\/$/, "/index.html")))
      expect(new Set(left), page).toEqual(new Set(others))
    }
  })

  it("lets search engines find only the newest", async () => {
    expect((await read("index.html")).includes('content="noindex"')).toBe(path !== "")
  })

  it("shows the file name of a block, and placeholders unchanged", async () => {
    expect(await read("start/getting-started.html")).toMatch(/<figcaption>apis\/[\w/.-]+<\/figcaption>/)
    expect(await read("reference/templates.html")).toContain("{{")
  })
})

it.skipIf(!hasBrowser)(
  "finds only its own pages, and changes to another version",
  async () => {
    const server = await startApi({
      "*": async ({ path }) => {
        const file = path.slice(base.length).replace(/(^|\/)$/, "$1index.html")
        const type = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" }[extname(file)]
        const body = await readFile(join(site, file)).catch(() => undefined)
        return {
          status: body ? 200 : 404,
          headers: { "content-type": type ?? "application/octet-stream" },
          body,
        }
      },
    })
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      const search = async (): Promise<void> => {
        await page.locator("#local-search button").click()
        await page.getByPlaceholder("Search").fill("zebras")
      }
      await page.goto(`${server.url}${base}v1.1/guide/workflows.html`)
      await search()
      await page.getByText("No results for").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "v1.1.10" }).hover()
      await page.getByRole("link", { name: "v1.2.0 (latest)" }).click()
      await page.waitForURL(`${server.url}${base}`)
      await search()
      await page.getByRole("option", { name: "Where do zebras live?" }).click()
      await page.waitForURL(`${server.url}${base}guide/zebra.html#*`)
      await page.getByRole("heading", { name: "Where do zebras live?" }).waitFor()
    } finally {
      await browser.close()
      await server.close()
    }
  },
  60_000,
)

it("installs from the configured npm registry", async () => {
  expect(await readFile(join(root, "docs/package-lock.json"), "utf8")).not.toContain('"resolved"')
})

async function buildSite(words: readonly string[]): Promise<void> {
  const environment = { ...process.env, GITHUB_REPOSITORY: "OWNER/callsheet" }
  const script = join(repository, "scripts/site.mjs")
  await promisify(execFile)(process.execPath, [script, ...words], { env: environment, maxBuffer: 2 ** 24 })
}

/** Commits all files, and tags the commit. */
async function release(...tags: readonly string[]): Promise<void> {
  await git("add", "docs")
  await git("commit", "--quiet", "--message", "Release")
  for (const tag of tags) await git("tag", tag)
}

async function git(...words: readonly string[]): Promise<void> {
  const settings = [
    "user.name=test",
    "user.email=test@example.com",
    "tag.gpgSign=false",
    "commit.gpgSign=false",
  ]
  const options = settings.flatMap((setting) => ["-c", setting])
  await promisify(execFile)("git", [...options, ...words], { cwd: repository })
}
