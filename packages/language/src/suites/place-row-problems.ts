// Says which entry of `callsheet.json` reads a data file that has problems.

import {
  createProblemMaker,
  formatPlace,
  type JsonPointer,
  type Problem,
  type SettingsFile,
} from "@callsheet/format"
import { inData, inDataFile } from "../messages.ts"

/**
 * Adds the position of the field that names the file. A problem with the whole file is reported there, and that of a
 * row stays at the row. `pointer` is the field.
 */
export function placeRowProblems(
  problems: readonly Problem[],
  settingsFile: SettingsFile,
  pointer: JsonPointer,
): readonly Problem[] {
  const problemAt = createProblemMaker(settingsFile)
  const field = formatPlace(pointer)
  return problems.map(({ file = "", ...problem }) => {
    if (problem.line === undefined)
      return problemAt(pointer, "value", { ...problem, message: inDataFile(field, file, problem.message) })
    const { line, column } = problemAt(pointer, "value", problem)
    return {
      ...problem,
      file,
      message: inData(field, `${settingsFile.file}:${line}:${column}`, problem.message),
    }
  })
}
