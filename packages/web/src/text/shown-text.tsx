// Single-line text from files: plain text, isolated from the direction of its surroundings.

import { visibleText } from "./visible-text.ts"

/** Longer than any row can show. */
const longest = 300

export function ShownText({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text.length > longest ? `${cut(text)}…` : text)}</bdi>
}

/** Never cuts a surrogate pair. */
const cut = (text: string): string => text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")
