// The problems of the files that a view shows.

import type { Problem } from "@callsheet/format"
import { ProblemList } from "./problem-list.tsx"
import { Section } from "./section.tsx"

interface Props {
  readonly problems: readonly Problem[]
  /** Set if the view shows several files. */
  readonly showsFiles?: boolean
}

export function OwnProblems({ problems, showsFiles = false }: Props) {
  if (problems.length === 0) return null
  return (
    <Section title="Problems">
      <ProblemList problems={problems} showsFiles={showsFiles} />
    </Section>
  )
}
