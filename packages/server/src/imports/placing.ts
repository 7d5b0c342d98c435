// How the files of an import get into the project, for its preview and when it is applied.

import type { ImportChangeSet } from "@callsheet/interop"

/** The page names the files that are replaced, and the user confirms it. */
export const placing = (root: string, files: ImportChangeSet["files"]) =>
  ({ root, title: "import requests", files, force: true }) as const
