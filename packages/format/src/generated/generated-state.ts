// `callsheet.generated.json`: what `callsheet generate` wrote the last time, so that it can tell hand edits from its own
// text.

import { stringifyJson } from "../json/stringify.ts"
import { hasErrors, type Problem } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import { array, map, object, required, string, type TypeOf, version } from "../shape/shape.ts"
import type { SourceFile } from "../source.ts"

export const GENERATED_FILE = "callsheet.generated.json"

const digests = (summary: string) => required(map(string()), summary)

const workflowState = object({
  fields: digests("A digest of each field of the workflow."),
  blocks: digests("A digest of each block by its id, without the blocks in it."),
})

const suiteState = object({
  fields: digests("A digest of each field of the suite."),
  entries: digests("A digest of each entry by its name."),
})

const generatedShape = object({
  version: required(version, "File format version."),
  operations: required(map(array(() => string())), "The operations of each API's document."),
  workflows: required(map(workflowState), "The generated workflows by path."),
  texts: digests("A digest of each generated script and saved request by path."),
  created: required(
    array(() => string()),
    "Files that were created once and are never changed.",
  ),
  helpers: required(
    array(() => string()),
    "The helpers that were added to `callsheet.json`.",
  ),
  suites: required(map(suiteState), "The generated suites by name."),
})

export type GeneratedState = TypeOf<typeof generatedShape>
export type WorkflowState = TypeOf<typeof workflowState>
export type SuiteState = TypeOf<typeof suiteState>

export const emptyState: GeneratedState = {
  version: 1,
  operations: {},
  workflows: {},
  texts: {},
  created: [],
  helpers: [],
  suites: {},
}

/** Reads the file. Undefined with problems if it isn't as callsheet wrote it. */
export function readGeneratedState(source: SourceFile): {
  readonly state: GeneratedState | undefined
  readonly problems: readonly Problem[]
} {
  const { value, problems } = checkFile(source, generatedShape)
  return { state: hasErrors(problems) ? undefined : value, problems }
}

export const generatedStateText = (state: GeneratedState): string =>
  `${stringifyJson(state, { indent: 2 })}\n`
