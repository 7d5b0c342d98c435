// A text as one word of a shell, to be pasted.

/** Quoted for sh and its like, or, with `windows`, for cmd and PowerShell. */
export function shellWord(text: string, windows = process.platform === "win32"): string {
  if (/^[A-Za-z0-9_./:@%+=-]+$/.test(text) || (windows && /^[\w.\\/:@+=-]+$/.test(text))) return text
  return windows ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
