// Searches in the text of a body. callsheet keeps the value of a JSON body, not its text, so a search may only be for text
// that doesn't depend on how the value is written.

/** Returns whether a search finds the same in a JSON text with other blanks: inside a text, a number or a name. */
export const isSearchable = (text: string): boolean =>
  text !== "" &&
  text === text.trim() &&
  !/["\\{}[\]:,\u0000-\u001f\u007f-\uffff]/.test(text) &&
  !/^[\d.+-]*(?:\.\d*0|[eE][\d+-]*)$/.test(text)

/** Returns whether a text is JSON, so that callsheet reads a body with this text as its value. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
