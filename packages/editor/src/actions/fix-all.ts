// Repairs a whole file as `callsheet validate --fix` does: `source.fixAll.callsheet`.

import { CallsheetError } from "@callsheet/format"
import type { Repair } from "@callsheet/language"
import { compareWithCommit, repairFiles, repairsOfVersion } from "@callsheet/server"
import { problemsOf } from "../diagnostics/diagnose.ts"
import type { ActionRequest, Offering } from "./action.ts"

const KIND = "source.fixAll.callsheet"
const DEADLINE_MS = 60_000

export const fixAll: Offering = async (request) => {
  const { place, context, asksFor } = request
  // It asks git, so it doesn't run for every lightbulb.
  if (!asksFor(KIND)) return []
  const [repairs, problems] = await Promise.all([
    documentRepairs(request),
    problemsOf(place, context.options, context.signal),
  ])
  const own = repairs.filter(({ source }) => source.file === place.file.path)
  return repairFiles(own, problems)
    .filter(({ file }) => file === place.file.path)
    .map(({ file, before, after, repairs: { length } }) => ({
      title: `Fix ${length === 1 ? "1 problem" : `${length} problems`} as callsheet validate --fix does`,
      kind: KIND,
      texts: [{ file, before, after }],
    }))
}

/** What documents changed since the last commit. Git has settings in the workspace, so it isn't asked before trust. */
async function documentRepairs({ place, context }: ActionRequest): Promise<readonly Repair[]> {
  const { is: file } = place.file
  const { view } = place
  const isRepaired = file.kind === "workflow" || file.kind === "request"
  if (!context.isTrusted || !isRepaired) return []
  const { processEnvironment } = context.options
  const git = { root: view.root, processEnvironment, deadlineMs: DEADLINE_MS }
  try {
    const request = { project: view.project, api: undefined, against: "HEAD", place: git }
    const compared = await compareWithCommit(request, repairsOfVersion(view.project))
    return compared.is === "compared" ? compared.results.flat() : []
  } catch (error) {
    // A document that can't be read is a problem of its own.
    if (error instanceof CallsheetError) return []
    throw error
  }
}
