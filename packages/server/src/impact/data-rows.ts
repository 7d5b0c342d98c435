// Reads the rows of data files, which give workflows their inputs. A module of its own, because few projects have some.

import type { Project } from "@callsheet/format"
import { entriesIn, suiteIn, type DataRow } from "@callsheet/language"
import { openRows } from "@callsheet/project"

/** The maximum number of rows of a file to look at. */
const MAX_ROWS = 10_000

/** Reads the data files of suites. Rows with problems, which `validate` reports, are left out. */
export async function readDataRows(project: Project): Promise<readonly DataRow[]> {
  const { settingsFile, workflows, root } = project
  const rows: DataRow[] = []
  for (const name of Object.keys(settingsFile?.settings?.suites ?? {}))
    for (const { workflow, data, inputs } of entriesIn(suiteIn(project, name).suite)) {
      const declarations = workflows.get(workflow)?.workflow?.inputs ?? {}
      if (data === undefined) continue
      let count = 0
      for await (const item of openRows(root, { path: data }).rows({
        declarations,
        given: new Set(Object.keys(inputs)),
      })) {
        if (!item.ok || count++ === MAX_ROWS) break
        rows.push({
          workflow,
          file: data,
          place: item.place?.() ?? { line: 1, column: 1 },
          inputs: item.row.inputs,
        })
      }
    }
  return rows
}
