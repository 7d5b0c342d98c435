// The first problems, for the overview.

import { useProblems } from "../data/use-problems.ts"
import { PlaceLink } from "../places/place-link.tsx"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
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
      {first.slice(0, few).map((problem, index) => (
        <div key={index} className="summary-problem">
          <p className="summary-file">
            <ShownText text={problem.file ?? "Project"} />
          </p>
          <ProblemList problems={[problem]} />
        </div>
      ))}
      <p>
        <PlaceLink to={{ kind: "problems" }}>Show all: {count(problems.length, "problem")}</PlaceLink>
      </p>
    </Section>
  )
}
