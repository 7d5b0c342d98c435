// Text as XML 1.0: what must be escaped is escaped, what XML cannot hold is dropped.

// Control characters but for tab and line ends, halves of surrogate pairs, and two code points that XML leaves out.
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Written as they are, a reader would make blanks of them (attributes) or line feeds (text).
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
}

/** Text between tags. */
export const xmlText = (text: string): string =>
  text.replace(illegal, "").replace(/[&<>\r]/g, (character) => escapes[character]!)

/** The attributes of a tag, each with a blank before it; absent values are left out. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  let text = ""
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const safe = String(value).replace(illegal, "")
    text += ` ${name}="${safe.replace(/[&<>"\t\n\r]/g, (character) => escapes[character]!)}"`
  }
  return text
}
