// Finds the repairs of a project: those that a changed document asks for, and those of misspelled names.

import {
  savedRequestShape,
  workflowShape,
  type ObjectShape,
  type Problem,
  type Project,
} from "@callsheet/format"
import {
  applyRepairs,
  repairsOfChanges,
  repairsOfNames,
  type Repair,
  type RepairedFile,
} from "@callsheet/language"
import { compareVersion } from "./assess-versions.ts"
import type { Version } from "./read-versions.ts"

/** Returns the repairs that follow from the change of a document. */
export const repairsOfVersion =
  ({ workflows }: Project) =>
  (version: Version): readonly Repair[] => {
    const { api, before, after } = version
    if (before === undefined || after === undefined) return []
    return repairsOfChanges({
      workflows: workflows.values(),
      versions: { before: { api, document: before }, after: { api, document: after } },
      changes: compareVersion(version).changes,
    })
  }

/** Applies the repairs of documents and those of the problems. Returns the files that change. */
export function repairFiles(
  repairs: readonly Repair[],
  problems: readonly Problem[] = [],
): readonly RepairedFile[] {
  // What a document changed is known, so it comes before what looks alike.
  const all = [...repairs, ...repairsOfNames(problems)]
  return applyRepairs(all, shapeOf).filter(({ before, after }) => before !== after)
}

const shapeOf = (file: string): ObjectShape | undefined =>
  file.startsWith("apis/workflow/")
    ? workflowShape
    : /^apis\/[^/]+\/requests\//.test(file)
      ? savedRequestShape
      : undefined
