// Text of files as it can be shown: what would be invisible, or turn the text around it, becomes a symbol.

// Control characters, marks that turn the direction of text, separators of lines, and blanks without width. The joiner of emoji stays.
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g

/** What is shown as a symbol, but for these. */
export const hiddenCharacters = (but: string): RegExp => new RegExp(`(?![${but}])${hidden.source}`, "gu")

/** In one line. */
export const visibleText = (text: string): string => text.replace(hidden, symbolOf)

/** Line breaks and tabs stay. */
export const visibleLines = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(hidden, (found) => (found === "\n" || found === "\t" ? found : symbolOf(found)))

/** Whether it can stand in a command that somebody pastes into a terminal. */
export const isPlain = (text: string): boolean => visibleText(text) === text

function symbolOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? "\u2421" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`
}
