// A line of text from files: plain, and isolated from the direction of the text around it.

import { visibleText } from "./visible-text.ts"

/** The maximum length, more than any row can show. */
const longest = 300

export function ShownText({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text.length > longest ? `${cut(text)}…` : text)}</bdi>
}

/** Never splits a surrogate pair. */
const cut = (text: string): string => text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")
