// The documentation site: it builds without a dead link, and has every page, a search index and llms.txt.

import { execFile } from "node:child_process"
import { copyFile, cp, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { installOnce } from "../harness/install-once.ts"
import { listPages, root } from "./read-pages.ts"

const docs = join(root, "docs")
// Other tests read `docs/` in parallel, so install and build in a copy.
const cache = join(root, "node_modules/.cache/callsheet/site")
const pages = listPages()
  .filter((page) => page.startsWith("docs/"))
  .map((page) => page.slice("docs/".length))
/** The site is built for the path of a version. */
const base = "/v1.2/"
let copy: string
let site: string

beforeAll(async () => {
  await mkdir(cache, { recursive: true })
  for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
    await copyFile(join(docs, file), join(cache, file))
  }
  await installOnce(cache)
  copy = await mkdtemp(join(cache, "docs-"))
  const apart = new Set(["node_modules", "dist", "cache"])
  await cp(docs, copy, { recursive: true, filter: (path) => !apart.has(basename(path)) })
  await build(copy)
  site = join(copy, ".vitepress/dist")
}, 240_000)

afterAll(() => rm(copy, { recursive: true, force: true }))

it("has every page, as HTML for people and as Markdown for programs", async () => {
  const built = await readdir(site, { recursive: true })
  const wanted = pages.flatMap((page) => [
    page,
    page.replace(/README\.md$/, "index.md").replace(/md$/, "html"),
  ])
  expect(wanted.filter((path) => !built.includes(path))).toEqual([])
  expect(built.filter((path) => path.includes("localSearchIndex"))).not.toEqual([])
})

it("lists every page in the sidebar and in llms.txt", async () => {
  const [home, list] = await Promise.all(
    ["index.html", "llms.txt"].map((file) => readFile(join(site, file), "utf8")),
  )
  const listed = pages.filter((page) => page !== "README.md")
  expect(
    listed.filter(
      (page) =>
        home?.includes(`href="${base}${page.replace(/README\.md$/, "").replace(/md$/, "html")}"`) !== true,
    ),
  ).toEqual([])
  expect(listed.filter((page) => list?.includes(`(${base}${page})`) !== true)).toEqual([])
})

it("links each page to its source on GitHub", async () => {
  for (const page of ["start/install", "how-it-works/decisions/README"]) {
    const html = await readFile(join(site, `${page.replace("README", "index")}.html`), "utf8")
    expect(html).toContain(`href="https://github.com/OWNER/callsheet/edit/main/docs/${page}.md"`)
  }
})

it("shows the file name of a block, and placeholders unchanged", async () => {
  const page = await readFile(join(site, "start/getting-started.html"), "utf8")
  expect(page).toMatch(/<figcaption>apis\/[\w/.-]+<\/figcaption>/)
  expect(await readFile(join(site, "reference/templates.html"), "utf8")).toContain("{{")
})

it("installs from the configured npm registry", async () => {
  expect(await readFile(join(docs, "package-lock.json"), "utf8")).not.toContain('"resolved"')
})

async function build(folder: string): Promise<void> {
  const vitepress = join(cache, "node_modules/vitepress/bin/vitepress.js")
  const environment = { ...process.env, NODE_ENV: "production", GITHUB_REPOSITORY: "OWNER/callsheet" }
  await promisify(execFile)(process.execPath, [vitepress, "build", folder, "--base", base], {
    cwd: cache,
    env: environment,
  })
}
