// Writes documentation in the format that the client shows. A text from outside never becomes a link, an image or markup.

import type { MarkupContent, MarkupKind } from "vscode-languageserver-protocol"

export interface Style {
  /** A text from outside. */
  readonly text: (text: string) => string
  readonly code: (text: string) => string
  readonly strong: (text: string) => string
  readonly block: (text: string, language: string) => string
}

const markdown: Style = {
  text: escapeMarkdown,
  code: (text) => {
    const line = text.replaceAll(/\s+/g, " ")
    const fence = "`".repeat(longestFence(line) + 1)
    return fence === "`" ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
  },
  strong: (text) => `**${escapeMarkdown(text)}**`,
  block: (text, language) => {
    const fence = "`".repeat(Math.max(3, longestFence(text) + 1))
    return `${fence}${language}\n${text}\n${fence}`
  },
}

const longestFence = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))

const same = (text: string): string => text
const plain: Style = { text: same, code: same, strong: same, block: same }

/** `formats` are those that the client shows, the best first. By default, only plain text. */
export function markup(
  formats: readonly MarkupKind[] | undefined,
  write: (style: Style) => readonly (string | undefined)[],
): MarkupContent {
  const isMarkdown = formats?.includes("markdown") === true
  const lines = write(isMarkdown ? markdown : plain).filter((line) => line !== undefined && line !== "")
  return { kind: isMarkdown ? "markdown" : "plaintext", value: lines.join("\n\n") }
}

/** The most rows of a list. */
export const MAX_ROWS = 30

/** Returns a list below its title. Undefined without rows. */
export function list(rows: readonly string[], title?: string): string | undefined {
  if (rows.length === 0) return undefined
  const more = rows.length > MAX_ROWS ? [`and ${rows.length - MAX_ROWS} more`] : []
  const items = [...rows.slice(0, MAX_ROWS), ...more].map((row) => `- ${row}`).join("\n")
  return title === undefined ? items : `${title}:\n\n${items}`
}

function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>&~|@]/g, String.raw`\$&`)
    .replaceAll(/^([ \t]*)(#|[-+=]|\d+(?=[.)]))/gm, (_, blanks: string, mark: string) =>
      /\d/.test(mark) ? `${blanks}${mark}\\` : `${blanks}\\${mark}`,
    )
    .replaceAll("://", String.raw`:\//`)
    .replaceAll(/\b(www)\./gi, String.raw`$1\.`)
}
