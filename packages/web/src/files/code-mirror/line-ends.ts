// The line ends of a text. In the editor, each counts as one character. Pure.

/** Returns CRLF if all line ends are CRLF, otherwise LF. With LF, a carriage return is a normal character. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  const first = text.indexOf("\n")
  if (first < 1 || text[first - 1] !== "\r") return "\n"
  return /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? "\n" : "\r\n"
}

export const withPlainEnds = (text: string, lineEnd: "\r\n" | "\n"): string =>
  lineEnd === "\n" ? text : text.replaceAll("\r\n", "\n")

/** Returns the indentation of the first indented line. */
export function indentOf(text: string): string {
  const [, indent] = /\n(\t|[ ]{1,8})\S/.exec(text.slice(0, 10_000)) ?? []
  return indent ?? "  "
}
