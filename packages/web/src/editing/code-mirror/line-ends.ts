// The line ends of a text. The editor counts each as one character, but the text keeps its own. Pure.

/** Returns CRLF if all line ends are CRLF, or else LF. In the latter case, a carriage return is an ordinary character. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  const first = text.indexOf("\n")
  if (first < 1 || text[first - 1] !== "\r") return "\n"
  return /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? "\n" : "\r\n"
}

export const withPlainEnds = (text: string, lineEnd: "\r\n" | "\n"): string =>
  lineEnd === "\n" ? text : text.replaceAll("\r\n", "\n")

/** Returns the indentation unit, taken from the first indented line. */
export function indentOf(text: string): string {
  const [, indent] = /\n(\t|[ ]{1,8})\S/.exec(text.slice(0, 10_000)) ?? []
  return indent ?? "  "
}
