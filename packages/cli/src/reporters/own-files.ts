// The reporter files that `callsheet.json` names. They stay in the project and replace only what a reporter wrote there.

import {
  CallsheetError,
  checkWrittenPath,
  createProblemMaker,
  reporterFilesOf,
  soundSettings,
  type Problem,
  type Project,
  type ReporterName,
} from "@callsheet/format"
import { ProjectPath } from "@callsheet/project"
import { OWN_LINE, reporters } from "./index.ts"

/** Returns the path of a reporter's file. Throws `path-refused`. */
export const ownPlace = (root: string, name: ReporterName, shown: string): ProjectPath => {
  const { starts } = reporters[name]
  return new ProjectPath(root, shown, (content) => starts?.test(content) ?? content.startsWith(OWN_LINE))
}

/** Returns the problems of the files that the settings name. Also looks at the disk. */
export function checkReporterFiles({ root, settingsFile }: Project): readonly Problem[] {
  const sound = settingsFile && soundSettings(settingsFile)
  if (settingsFile === undefined || sound === undefined) return []
  const problems: Problem[] = []
  const problemAt = createProblemMaker(settingsFile)
  for (const { reporter, file, pointer } of reporterFilesOf(sound.settings.defaults?.reporters)) {
    // The check of the file itself reports this.
    if (checkWrittenPath(file) !== undefined) continue
    try {
      const place = ownPlace(root, reporter, file)
      if (reporters[reporter].isDirectory === true) place.findFolder()
      else place.findFile()
    } catch (error) {
      if (!(error instanceof CallsheetError)) throw error
      problems.push(problemAt(pointer, "value", error))
    }
  }
  return problems
}
