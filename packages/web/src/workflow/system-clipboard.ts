// The clipboard for the entries of menus; keys use what the browser gives with their events.

/** What was copied last on this page: a browser may not let the page read its clipboard. */
let last = ""

export function writeClipboard(text: string): void {
  last = text
  void navigator.clipboard.writeText(text).catch(() => undefined)
}

export const readClipboard = (): Promise<string> => navigator.clipboard.readText().catch(() => last)
