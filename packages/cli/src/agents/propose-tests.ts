// The tool `propose_tests`: tests that callsheet generates from the documents, previewed before they are written.

import { shapes } from "@callsheet/format"
import { fileAt, planGeneration, type Generation } from "@callsheet/server"
import { keepProposal, type Proposals } from "./propose-change.ts"
import { defineTool } from "./tool.ts"
import type { Change } from "./weakened-by.ts"
import type { Workbench } from "./workbench.ts"

const { array, object, optional, required, string } = shapes

const texts = (summary: string) =>
  required(
    array(() => string()),
    summary,
  )

const keptView = object({
  file: required(string(), "The file."),
  block: optional(string(), "The block."),
  reason: required(string(), "Why."),
})

const skippedView = object({
  api: required(string(), "The API."),
  operation: required(string(), "The operation."),
  reason: required(string(), "Why."),
})

export const proposeTests = (workbench: Workbench, proposals: Proposals) =>
  defineTool({
    name: "propose_tests",
    title: "Propose generated tests",
    description:
      "Generate workflows and a suite from the OpenAPI documents. Keeps hand edits. Writes nothing: apply_proposal writes all files or none.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: object({
      api: optional(string(), "Only this API."),
      tag: optional(string(), "Only this tag."),
      operations: optional(
        array(() => string()),
        "Only these.",
      ),
    }),
    output: object({
      proposal: required(string(), "The id, for apply_proposal."),
      workflows: texts("For run."),
      suites: texts("For run."),
      files: texts("The files that would change."),
      kept: required(
        array(() => keptView),
        "Hand edits that stay.",
      ),
      skipped: required(
        array(() => skippedView),
        "Operations without a test.",
      ),
      added: texts("Operations new in the documents."),
      removed: texts("Operations gone from the documents."),
    }),
    run: async (choice) => {
      const generation = await planGeneration({
        root: workbench.root,
        choice,
        processEnvironment: workbench.processEnvironment,
      })
      const changes = changesOf(generation)
      const proposal = keepProposal(proposals, { is: "tests", generation, changes })
      return { proposal, ...generation.result }
    },
  })

/** Returns the existing files that change and can have checks, which apply_proposal compares. */
function changesOf({ edits, removed }: Generation): readonly Change[] {
  const all = [...edits, ...removed.map((each) => ({ ...each, after: "" }))]
  return all.flatMap(({ file: path, before, after }) => {
    const file = fileAt(path)
    const hasChecks = file?.kind === "workflow" || file?.kind === "request"
    return before === null || !hasChecks ? [] : [{ file, before, text: after }]
  })
}
