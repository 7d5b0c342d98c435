// Indents XML and HTML for reading. Reads each character once, because a body can be hostile. Pure.

/** Elements of HTML that have no end tag. */
const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "))
/** Elements of HTML whose content stays as it is. */
const verbatim = new Set(["pre", "script", "style", "textarea"])
/** Deeper elements aren't indented further. */
const MAX_INDENT = 40

export function indentMarkup(text: string, isHtml: boolean): string {
  const lines: string[] = []
  let depth = 0
  const unclosed = new Set<string>()
  const put = (line: string): void =>
    void lines.push("  ".repeat(Math.min(Math.max(depth, 0), MAX_INDENT)) + line)
  for (let at = 0; at < text.length;) {
    const end = text[at] === "<" ? tagEnd(text, at) : textEnd(text, at)
    const token = text.slice(at, end).trim()
    const [, slash = "", name = ""] = /^<(\/?)([^\s/>!?]*)/.exec(token) ?? []
    at = end
    if (token === "") continue
    if (slash !== "") {
      depth--
      put(token)
    } else if (name === "" || token.endsWith("/>") || (isHtml && voids.has(name.toLowerCase()))) put(token)
    else {
      const element = name.toLowerCase()
      const isVerbatim = isHtml && verbatim.has(element) && !unclosed.has(element)
      const close = isVerbatim ? closeAfter(text, at, element) : leafEnd(text, at, name)
      // Searched once, however often the element starts.
      if (isVerbatim && close === undefined) unclosed.add(element)
      put(text.slice(at - token.length, close ?? at).trim())
      if (close === undefined) depth++
      at = close ?? at
    }
  }
  return lines.join("\n")
}

/** Returns the end of a tag, comment, CDATA section or instruction. Without one, the end of the text. */
function tagEnd(text: string, start: number): number {
  if (text.startsWith("<!--", start)) return after(text, "-->", start)
  if (text.startsWith("<![CDATA[", start)) return after(text, "]]>", start)
  if (text.startsWith("<?", start)) return after(text, "?>", start)
  let quote = ""
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? ""
    if (quote !== "") quote = char === quote ? "" : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === ">") return at + 1
  }
  return text.length
}

function after(text: string, end: string, start: number): number {
  const at = text.indexOf(end, start)
  return at === -1 ? text.length : at + end.length
}

function textEnd(text: string, start: number): number {
  const at = text.indexOf("<", start)
  return at === -1 ? text.length : at
}

/** Returns the end of an element that contains only text on one line. */
function leafEnd(text: string, start: number, name: string): number | undefined {
  const at = textEnd(text, start)
  const close = `</${name}>`
  return text.startsWith(close, at) && !text.slice(start, at).trim().includes("\n")
    ? at + close.length
    : undefined
}

function closeAfter(text: string, start: number, name: string): number | undefined {
  const close = new RegExp(`</${name}\\s*>`, "gi")
  close.lastIndex = start
  return close.exec(text) === null ? undefined : close.lastIndex
}
