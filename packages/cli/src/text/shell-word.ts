// Quotes a string as one shell word for the shell of this system, ready to paste.

import { shellWordFor } from "@callsheet/format"

/** Quotes for POSIX shells or, if `windows`, for cmd and PowerShell. */
export const shellWord = (text: string, windows = process.platform === "win32"): string =>
  shellWordFor(text, windows)
