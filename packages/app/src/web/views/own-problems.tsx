// The problems of the files that a view is about, where there are any.

import type { Problem } from "@callsheet/format"
import { ProblemList } from "./problem-list.tsx"
import { Section } from "./section.tsx"

export function OwnProblems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  return (
    <Section title="Problems">
      <ProblemList problems={problems} />
    </Section>
  )
}
