// The configuration of the site. Prepares the Markdown of this directory for VitePress. GitHub shows the same files.

import { fileURLToPath } from "node:url"
import { defineConfig } from "vitepress"
import { escapeHtml, headingId, leavesDocs } from "./markdown.ts"
import { readSidebar, writeLlmsFiles } from "./pages.ts"

const docs = fileURLToPath(new URL("..", import.meta.url))
// GitHub Actions names the repository. Elsewhere, pages have no edit link.
const repository = process.env.GITHUB_REPOSITORY

export default defineConfig({
  title: "callsheet",
  description: "Test HTTP APIs with plain files in your own repository.",
  lang: "en-US",
  rewrites: (path) => path.replace(/README\.md$/, "index.md"),
  lastUpdated: false,
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: readSidebar(docs),
    editLink:
      repository === undefined
        ? undefined
        : { pattern: `https://github.com/${repository}/edit/main/docs/:path`, text: "Edit this page" },
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
      // Links to files outside the site become text.
      md.renderer.rules.link_open = (...args) => {
        const [tokens, index, options, env, self] = args
        const token = tokens[index]
        const href = token.attrGet("href") ?? ""
        const target = leavesDocs(href, env.relativePath)
        if (target === undefined) return openLink?.(...args) ?? self.renderToken(tokens, index, options)
        const close = tokens.slice(index).find(({ type }) => type === "link_close")
        if (close !== undefined) close.tag = "span"
        return `<span class="repository" title="${escapeHtml(target)}, in the repository">`
      }
    },
  },
  // `npm run build -- --base /v1.2/` builds the site for a path of its own, such as that of a version.
  buildEnd: ({ pages, outDir, site }) => writeLlmsFiles({ docs, pages, outDir, base: site.base }),
})
