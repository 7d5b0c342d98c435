// A state of a project, as every answer to an editor reads it: files on disk, replaced by unsaved texts.

import type { Project } from "@callsheet/format"
import type { ApiSource, CheckFile, CheckRows, DescribeScript } from "@callsheet/language"
import type { Masker } from "@callsheet/server"

export interface View {
  readonly root: string
  readonly project: Project
  /** Returns an API with its document, which is read on first use. Undefined if there is no such API. */
  readonly source: (api: string) => Promise<ApiSource | undefined>
  readonly sources: (apis: Iterable<string>) => Promise<ReadonlyMap<string, ApiSource>>
  /** Returns a file's text, without a byte order mark, by its path from the root. Undefined if it can't be read. */
  readonly textOf: (file: string) => string | undefined
  readonly describe: DescribeScript
  readonly checkFile: CheckFile
  readonly checkRows: CheckRows
  /** Masks the secrets of all environments. */
  readonly masker: () => Masker
}
