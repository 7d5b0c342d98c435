// A text within a pattern.

/** The pattern of a regular expression that matches this text alone, with the flag `u` and without; not within a class `[…]`. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
