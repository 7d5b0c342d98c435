// Text of files in one line: text and nothing else, apart from the direction of what is around it.

import { visibleText } from "./visible-text.ts"

/** More of a name than any row has room for. */
const longest = 300

export function ShownText({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text.length > longest ? `${cut(text)}…` : text)}</bdi>
}

/** Never between the halves of a character. */
const cut = (text: string): string => text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")
