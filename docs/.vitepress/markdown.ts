// What GitHub does with Markdown and VitePress doesn't.

import { posix } from "node:path"

/** The id of a heading, as GitHub makes it: links with `#` work in both. */
export const headingId = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** Where a link of the page leads if that is outside of this directory: a path from the root of the repository. */
export function leavesDocs(href: string, page: string): string | undefined {
  if (/^[a-z]+:|^[#/]/.test(href)) return undefined
  const target = posix.join("docs", posix.dirname(page), href)
  return target.startsWith("docs/") ? undefined : target
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
