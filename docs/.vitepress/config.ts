// The configuration of the site. Prepares the Markdown of this directory for VitePress. GitHub shows the same files.

import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type HeadConfig } from "vitepress"
import { home } from "./home.ts"
import { escapeHtml, headingId, leavesDocs, toIndex } from "./markdown.ts"
import { readDescription, readSidebar, writeLlmsFiles } from "./pages.ts"
import { version, versionMenu } from "./versions.ts"

const docs = fileURLToPath(new URL("..", import.meta.url))
// GitHub Actions names the repository. Elsewhere, pages have no links to GitHub.
const { GITHUB_REPOSITORY } = process.env
const repository = GITHUB_REPOSITORY === undefined ? undefined : `https://github.com/${GITHUB_REPOSITORY}`
/** The files that the site is built from. */
const files = repository && `${repository}/blob/${version === undefined ? "main" : `v${version.version}`}`
const isOld = version !== undefined && version.path !== ""

export default defineConfig({
  title: "callsheet",
  description: "Test HTTP APIs with plain files in your own repository.",
  lang: "en-US",
  rewrites: (path) => path.replace(/README\.md$/, "index.md"),
  lastUpdated: false,
  transformPageData: ({ relativePath, frontmatter }, { siteConfig }) =>
    relativePath === "index.md"
      ? { frontmatter: { ...frontmatter, ...home } }
      : { description: readDescription(join(docs, siteConfig.rewrites.inv[relativePath] ?? relativePath)) },
  transformHead: ({ title, description, siteData }) => [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${siteData.base}logo.svg` }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:title", content: title }],
    ["meta", { property: "og:description", content: description }],
    // Search engines find the newest version.
    ...(isOld ? [["meta", { name: "robots", content: "noindex" }] satisfies HeadConfig] : []),
  ],
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Guides", link: "/guide/workflows", activeMatch: "^guide/" },
      { text: "Cookbook", link: "/cookbook/requests", activeMatch: "^cookbook/" },
      { text: "Reference", link: "/reference/command-line", activeMatch: "^reference/" },
      ...versionMenu,
    ],
    socialLinks: repository === undefined ? [] : [{ icon: "github", link: repository }],
    notFound: {
      title: "Page not found",
      quote: "It moved, or it belongs to another version. Search for it, or start at the home page.",
      linkText: "Home page",
    },
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: readSidebar(docs),
    editLink:
      repository === undefined
        ? undefined
        : isOld
          ? { pattern: `${files}/docs/:path`, text: "Source of this page" }
          : { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
  },
  markdown: {
    anchor: { slugify: headingId },
    config: (md) => {
      const { fence, code_inline: code, link_open: openLink } = md.renderer.rules
      if (fence === undefined || code === undefined) throw new Error("VitePress has no rules for code")
      md.renderer.rules.fence = (...args) => {
        const [tokens, index] = args
        const title = /\btitle="([^"]*)"/.exec(tokens[index].info)?.[1]
        const block = fence(...args)
        return title === undefined
          ? block
          : `<figure class="file"><figcaption>${escapeHtml(title)}</figcaption>${block}</figure>`
      }
      // In pages, `{{…}}` is a placeholder of a workflow, not one of Vue.
      const literal = (html: string): string => html.replaceAll("{{", "&#123;&#123;")
      md.renderer.rules.text = (tokens, index) => literal(escapeHtml(tokens[index].content))
      md.renderer.rules.code_inline = (...args) => literal(code(...args))
      // Without a repository on GitHub, links to files outside the site become text.
      md.renderer.rules.link_open = (...args) => {
        const [tokens, index, options, env, self] = args
        const token = tokens[index]
        const href = token.attrGet("href") ?? ""
        const outside = leavesDocs(href, env.relativePath)
        if (outside === undefined || files !== undefined) {
          token.attrSet("href", outside === undefined ? toIndex(href) : `${files}/${outside}`)
          return openLink?.(...args) ?? self.renderToken(tokens, index, options)
        }
        const close = tokens.slice(index).find(({ type }) => type === "link_close")
        if (close !== undefined) close.tag = "span"
        return `<span class="repository" title="${escapeHtml(outside)}, in the repository">`
      }
    },
  },
  buildEnd: ({ pages, outDir, site }) => writeLlmsFiles({ docs, pages, outDir, base: site.base }),
})
