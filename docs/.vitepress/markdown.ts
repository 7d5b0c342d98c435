// Handles Markdown as GitHub does where VitePress differs.

import { posix } from "node:path"

/** Returns the id that GitHub gives a heading, so that links with `#` work in both. */
export const headingId = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/**
 * Returns the target of a link that leads out of this directory, as a path from the repository's root. Otherwise,
 * undefined.
 */
export function leavesDocs(href: string, page: string): string | undefined {
  if (/^[a-z]+:|^[#/]/.test(href)) return undefined
  const target = posix.join("docs", posix.dirname(page), href)
  return target.startsWith("docs/") ? undefined : target
}

/** Returns a link inside this directory, where the site has an index instead of a README. */
export const toIndex = (href: string): string =>
  /^[a-z]+:/.test(href) ? href : href.replace(/README\.md(?=#|$)/, "index.md")

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
