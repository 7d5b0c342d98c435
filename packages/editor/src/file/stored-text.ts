// Reads the text of a file on disk.

import { readFileSync } from "node:fs"
import { attempt, decodeText } from "@callsheet/format"

/** Returns the text without a byte order mark. Undefined if the file can't be read, or isn't text. */
export function storedText(path: string): string | undefined {
  const bytes = attempt(() => readFileSync(path))
  const decoded = bytes && decodeText(bytes)
  return decoded?.ok === true ? decoded.text : undefined
}
