// What a command runs itself, without the set-up and cleanup of a suite.

import type { ReadSession } from "./read-workflows.ts"

interface Session extends Pick<ReadSession, "schedule"> {
  readonly workflows: readonly string[]
}

/** Returns the names of the main entries of a suite, or of the selected workflows. */
export const mainNames = ({ schedule, workflows }: Session): readonly string[] =>
  schedule?.main.map(({ name }) => name) ?? workflows
