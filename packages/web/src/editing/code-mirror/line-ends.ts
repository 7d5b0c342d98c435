// The line ends of a text. The editor counts each as one character; the text keeps the ones that it has. Pure.

/** CRLF where all line ends are that; else LF, and a carriage return is a character like any other. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  const first = text.indexOf("\n")
  if (first < 1 || text[first - 1] !== "\r") return "\n"
  return /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? "\n" : "\r\n"
}

/** As the editor holds it. */
export const withPlainEnds = (text: string, lineEnd: "\r\n" | "\n"): string =>
  lineEnd === "\n" ? text : text.replaceAll("\r\n", "\n")

/** How deep one step is indented, as the first indented line says. */
export function indentOf(text: string): string {
  const [, indent] = /\n(\t|[ ]{1,8})\S/.exec(text.slice(0, 10_000)) ?? []
  return indent ?? "  "
}
