// Quotes a string as one shell word, ready to paste.

/** Quotes for POSIX shells, whatever the text contains. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Quotes for POSIX shells or, if `windows`, for cmd and PowerShell. */
export function shellWordFor(text: string, windows = false): string {
  if (/^[A-Za-z0-9_./:@%+=-]+$/.test(text) || (windows && /^[\w.\\/:@+=-]+$/.test(text))) return text
  return windows ? `"${text}"` : singleQuoted(text)
}
