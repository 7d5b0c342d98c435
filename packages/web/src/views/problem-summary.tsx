// The first problems, for the overview.

import { useProblems } from "../data/use-problems.ts"
import { PlaceLink } from "../places/place-link.tsx"
import { ProblemList } from "./problem-list.tsx"
import { Section } from "./section.tsx"

const few = 5

export function ProblemSummary() {
  const { data } = useProblems()
  const problems = data?.problems ?? []
  if (problems.length === 0) return null
  const first = problems.toSorted(
    (one, other) => Number(one.severity !== "error") - Number(other.severity !== "error"),
  )
  return (
    <Section title="Problems">
      <ProblemList problems={first.slice(0, few)} showsFiles />
      <p>
        <PlaceLink to={{ kind: "problems" }}>Show all problems by file</PlaceLink>
      </p>
    </Section>
  )
}
