// The text of one file of the project, as it stands.

import { openProject } from "../read/read-project.ts"
import { findText, type TextFile, type TextPlace } from "./text-place.ts"

/**
 * Undefined where there is no such file. Throws `file-unreadable`, `file-encoding` and `link-outside`.
 *
 * @example
 * readTextFile("/home/me/shop", { file: "apis/workflow/checkout.json" })
 */
export function readTextFile(root: string, place: TextPlace): TextFile | undefined {
  const found = findText(openProject(root), place)
  return found === undefined ? undefined : { text: found.text, etag: found.etag }
}
