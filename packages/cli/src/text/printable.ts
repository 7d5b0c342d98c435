// Makes text from outside safe to print in a terminal. Escapes characters that move the cursor or change the text
// direction.

// Matches C0, DEL, C1, line separators, direction marks and unpaired surrogates.
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu
const unsafeInLines =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** Escapes each unsafe character as `\u001b`. With `"lines"`, keeps line feeds and tabs. */
export function printable(text: string, keep: "line" | "lines" = "line"): string {
  return text.replace(keep === "line" ? unsafe : unsafeInLines, spell)
}

const spell = (character: string): string =>
  names.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

const names: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
])
