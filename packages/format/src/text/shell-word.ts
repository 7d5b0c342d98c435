// Quotes a string as one shell word, ready to paste.

/** Quotes for POSIX shells or, if `windows`, for cmd and PowerShell. */
export function shellWordFor(text: string, windows: boolean): string {
  if (/^[A-Za-z0-9_./:@%+=-]+$/.test(text) || (windows && /^[\w.\\/:@+=-]+$/.test(text))) return text
  return windows ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
