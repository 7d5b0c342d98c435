// Refuses to run with an error in `callsheet.json`. Loaded only for projects with that file.

import {
  CallsheetError,
  type Problem,
  type Project,
  type SettingsFile,
  ownOf,
  soundSettings,
} from "@callsheet/format"
import { checkSettings } from "@callsheet/language"

/** Throws all errors of the file itself, of its `defaults` and of one suite. Other suites don't matter to the run. */
export async function requireSettings(
  project: Project,
  settingsFile: SettingsFile,
  suite: string | undefined,
): Promise<void> {
  const sound = soundSettings(settingsFile)
  const own = suite === undefined ? undefined : ownOf(sound?.settings.suites, suite)
  const suites = suite === undefined || own === undefined ? {} : { [suite]: own }
  const errors: Problem[] = []
  await checkSettings({
    project: {
      ...project,
      settingsFile: {
        ...settingsFile,
        settings: undefined,
        readable: sound && { ...sound, settings: { ...sound.settings, suites } },
      },
    },
    apis: new Map([...project.apis].map(([name, api]) => [name, { api, document: undefined }])),
    suiteNames: Object.keys(sound?.settings.suites ?? {}),
    add: (problem) => {
      if (problem.severity === "error") errors.push(problem)
    },
  })
  const [first] = errors
  if (first !== undefined) throw new CallsheetError(first, { problems: errors })
}
