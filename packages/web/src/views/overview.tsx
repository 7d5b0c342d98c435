// What is seen when nothing is selected: what the project holds, what is wrong with it, and what to do first.

import type { ProjectView } from "@callsheet/server/calls"
import { Counts } from "./counts.tsx"
import { FirstSteps } from "./first-steps.tsx"
import { OverviewApis, OverviewWorkflows } from "./overview-tables.tsx"
import { ProblemSummary } from "./problem-summary.tsx"
import { Section } from "./section.tsx"
import { ViewHead } from "./view-head.tsx"
import { showWorkflowDialog } from "../workflow/workflow-dialog-state.ts"

export function Overview({ project }: { readonly project: ProjectView }) {
  return (
    <div className="view view-wide">
      <ViewHead what="Project" name={project.name} />
      <Counts project={project} />
      <FirstSteps project={project} />
      {project.workflows.length === 0 ? null : (
        <Section title="Workflows">
          <OverviewWorkflows workflows={project.workflows} />
          <p className="section-acts">
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
      {/* Below all else, for it is known later. */}
      <ProblemSummary />
    </div>
  )
}
