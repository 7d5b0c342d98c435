// Moves finished files to their places. Not in `cache-folder.ts`, which every command loads first.

import { renameSync } from "node:fs"
import { sep } from "node:path"
import { retryWhileBusy } from "@callsheet/format"

const patiently = retryWhileBusy({ isWindows: sep === "\\" })

/** Renames a file. On Windows, waits if another program has the file open that it replaces. */
export const moveFile = (from: string, to: string): void => patiently(() => renameSync(from, to))
