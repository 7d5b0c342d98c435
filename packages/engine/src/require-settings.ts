// Refuses to run with an error in `callsheet.json`. Loaded only for projects with that file.

import { CallsheetError, type Problem, type Project, type SettingsFile, ownOf } from "@callsheet/format"
import { checkSettings } from "@callsheet/language"

/** Throws all errors of the file itself, of its `defaults` and of one suite. Other suites don't matter to the run. */
export async function requireSettings(
  project: Project,
  settingsFile: SettingsFile,
  suite: string | undefined,
): Promise<void> {
  const { settings } = settingsFile
  const own = suite === undefined ? undefined : ownOf(settings?.suites, suite)
  const suites = suite === undefined || own === undefined ? {} : { [suite]: own }
  const errors: Problem[] = []
  await checkSettings({
    project: { ...project, settingsFile: { ...settingsFile, settings: settings && { ...settings, suites } } },
    apis: new Map([...project.apis].map(([name, api]) => [name, { api, document: undefined }])),
    add: (problem) => {
      if (problem.severity === "error") errors.push(problem)
    },
  })
  const [first] = errors
  if (first !== undefined) throw new CallsheetError(first, { problems: errors })
}
