// The start page: the project's contents, its problems, and first steps.

import type { ProjectView } from "@callsheet/server/calls"
import { useProblems } from "../data/use-problems.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { showWorkflowDialog } from "../workflow/workflow-dialog-state.ts"
import { FirstSteps } from "./first-steps.tsx"
import { OverviewApis, OverviewWorkflows } from "./overview-tables.tsx"
import { ProblemList } from "./problem-list.tsx"
import { Section } from "./section.tsx"
import { ViewHead } from "./view-head.tsx"

export function Overview({ project }: { readonly project: ProjectView }) {
  return (
    <div className="view view-wide">
      <ViewHead what="Project" name={project.name} />
      <Counts project={project} />
      <FirstSteps project={project} />
      {project.workflows.length === 0 ? null : (
        <Section title="Workflows">
          <OverviewWorkflows workflows={project.workflows} />
          <p className="section-actions">
            <button type="button" className="button" onClick={() => showWorkflowDialog({ kind: "new" })}>
              New workflow…
            </button>
          </p>
        </Section>
      )}
      {project.apis.length === 0 ? null : (
        <Section title="APIs">
          <OverviewApis apis={project.apis} />
        </Section>
      )}
      {/* Last, because problems arrive later and must not move other content. */}
      <ProblemSummary />
    </div>
  )
}

function Counts({ project: { apis, workflows } }: { readonly project: ProjectView }) {
  const { data } = useProblems()
  const errors = data?.problems.filter(({ severity }) => severity === "error").length
  const sum = (count: (api: (typeof apis)[number]) => number): number =>
    apis.reduce((total, api) => total + count(api), 0)
  return (
    <dl className="counts">
      <Count name="Workflows" number={workflows.length} />
      <Count name="APIs" number={apis.length} />
      <Count name="Environments" number={sum(({ environments }) => environments.length)} />
      <Count name="Saved requests" number={sum(({ requests }) => requests.length)} />
      <Count name="Errors" number={errors} isBad={errors !== undefined && errors > 0} />
    </dl>
  )
}

interface CountProps {
  readonly name: string
  /** Absent while it is unknown. */
  readonly number: number | undefined
  readonly isBad?: boolean
}

function Count({ name, number, isBad = false }: CountProps) {
  return (
    <div className={isBad ? "count count-bad" : "count"}>
      <dt>{name}</dt>
      <dd>{number?.toLocaleString("en") ?? "…"}</dd>
    </div>
  )
}

const few = 5

function ProblemSummary() {
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
        <RouteLink to={{ kind: "problems" }}>Show all problems by file</RouteLink>
      </p>
    </Section>
  )
}
