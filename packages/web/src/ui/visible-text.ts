// Makes text from files safe to show. Symbols replace invisible characters and those that change the text direction.

import { singleQuoted } from "@callsheet/format"

// Matches control characters, direction marks, line separators, and zero-width spaces. Keeps the joiner of emoji.
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g

/** Returns a pattern for the characters to replace, except for those in `but`. */
export const hiddenCharacters = (but: string): RegExp => new RegExp(`(?![${but}])${hidden.source}`, "gu")

/** Replaces hidden characters in a single line. */
export const visibleText = (text: string): string => text.replace(hidden, symbolOf)

/** Replaces hidden characters, but keeps line breaks and tabs. */
export const visibleLines = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(hidden, (found) => (found === "\n" || found === "\t" ? found : symbolOf(found)))

/** Returns whether the text is safe to paste into a terminal. */
const isPlain = (text: string): boolean => visibleText(text) === text

function symbolOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? "\u2421" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`
}

/** Quotes a name as one word of a command. Returns undefined if the name isn't safe in every terminal. */
export function shellWord(name: string): string | undefined {
  if (!isPlain(name)) return undefined
  if (/^[\w@%+:,.][\w@%+:,./=-]*$/.test(name)) return name
  return name.startsWith("-") ? undefined : singleQuoted(name)
}
