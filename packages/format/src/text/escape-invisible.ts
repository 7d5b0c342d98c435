// Characters that mislead a reader of a name or a script: they are invisible, end a line or change the text direction.

/** C0, DEL, C1, line separators, direction marks and unpaired surrogates, for a class of a pattern with the flag `u`. */
export const invisible =
  "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ufeff\\ud800-\\udfff"

const invisibleCharacter = new RegExp(`[${invisible}]`, "gu")
const outsideLines = new RegExp(`(?![\\n\\t])[${invisible}]`, "gu")

/** Escapes each invisible character as `\u001b`. With `"lines"`, keeps line feeds and tabs. */
export const escapeInvisible = (text: string, keep: "line" | "lines" = "line"): string =>
  text.replace(
    keep === "line" ? invisibleCharacter : outsideLines,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
