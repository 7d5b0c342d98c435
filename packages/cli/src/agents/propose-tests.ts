// The tool `propose_tests`: tests that callsheet generates from the documents, previewed before they are written.

import { shapes } from "@callsheet/format"
import { fileAt, planGeneration, type Generation } from "@callsheet/server"
import { keepProposal, type Proposals, weakens } from "./propose-change.ts"
import { defineTool } from "./tool.ts"
import { weakenedBy, type Change, type Weakened } from "./weakened-by.ts"
import type { Workbench } from "./workbench.ts"

const { array, object, optional, required, string } = shapes

const texts = (summary: string) =>
  required(
    array(() => string()),
    summary,
  )

const keptView = object({
  file: required(string(), "The file."),
  block: optional(string(), "The block. Absent for the whole file."),
  reason: required(string(), "Why it stays."),
})

const skippedView = object({
  api: required(string(), "The API."),
  operation: required(string(), "The operation."),
  reason: required(string(), "What is missing."),
})

export const proposeTests = (workbench: Workbench, proposals: Proposals) =>
  defineTool({
    name: "propose_tests",
    title: "Propose generated tests",
    description:
      "Generate workflows and a suite from the OpenAPI documents. Keeps hand edits. Writes nothing: apply_proposal writes all files or none.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: object({
      api: optional(string(), "Generate only for this API."),
      tag: optional(string(), "Generate only for operations with this tag."),
      operations: optional(
        array(() => string()),
        "Generate only what these operations need.",
      ),
    }),
    output: object({
      proposal: required(string(), "The id, for apply_proposal."),
      workflows: texts("The generated workflows, for run."),
      suites: texts("The suites that run them."),
      files: texts("The files that would be written or removed."),
      kept: required(
        array(() => keptView),
        "Hand edits that stay although the document asks for another change.",
      ),
      skipped: required(
        array(() => skippedView),
        "Operations that have no test yet. Tell the user what is missing.",
      ),
      added: texts("Operations that the documents added since the last time."),
      removed: texts("Operations that the documents lost since the last time."),
      weakens,
    }),
    run: async (choice) => {
      const generation = await planGeneration(workbench.root, choice)
      const changes = changesOf(generation)
      const found: Weakened[] = []
      for (const change of changes) found.push(...(await weakenedBy(workbench, change)))
      const proposal = keepProposal(proposals, { is: "tests", generation, changes })
      return { proposal, ...generation.result, weakens: found }
    },
  })

/** Returns the existing files that change and can have checks. */
function changesOf({ edits, removed }: Generation): readonly Change[] {
  const all = [...edits, ...removed.map((each) => ({ ...each, after: "" }))]
  return all.flatMap(({ file: path, before, after }) => {
    const file = fileAt(path)
    const hasChecks = file?.kind === "workflow" || file?.kind === "request"
    return before === null || !hasChecks ? [] : [{ file, before, text: after }]
  })
}
