// Compares `callsheet.json` of a commit with that of the working tree.

import {
  attempt,
  checkProjectFile,
  isEqual,
  isJsonObject,
  ownOf,
  parseJson,
  type JsonObject,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import { entriesIn, suiteIn } from "@callsheet/language"

/** Returns the workflows of the suites that changed, or undefined if anything else did. */
export function workflowsOfChangedSuites(
  before: SourceFile | undefined,
  project: Pick<Project, "settingsFile" | "workflowNames">,
): ReadonlySet<string> | undefined {
  const { settingsFile, workflowNames } = project
  const [old, current] = [objectOf(before), objectOf(settingsFile)]
  if (old === undefined || current === undefined) return undefined
  const { suites: oldSuites, ...oldRest } = old
  const { suites, ...rest } = current
  if (!isEqual(oldRest, rest)) return undefined
  const [one, other] = [oldSuites ?? {}, suites ?? {}]
  if (!isJsonObject(one) || !isJsonObject(other)) return undefined
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !isEqual(ownOf(one, name) ?? null, ownOf(other, name) ?? null),
  )
  const checked = before && { ...before, ...checkProjectFile(before) }
  return new Set(
    [checked, settingsFile].flatMap((file) =>
      names.flatMap((name) => {
        // A suite may be in only one of the files.
        const found = attempt(() => suiteIn({ settingsFile: file, workflowNames }, name))
        return found === undefined ? [] : [...entriesIn(found.suite)].map(({ workflow }) => workflow)
      }),
    ),
  )
}

function objectOf(file: SourceFile | undefined): JsonObject | undefined {
  if (file === undefined) return {}
  const parsed = parseJson(file.text)
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
}
