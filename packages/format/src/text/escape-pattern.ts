// Escapes text for regular expressions.

/** Returns a pattern that matches exactly this text, with or without the flag `u`. Not for use within a class `[…]`. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
