// The start page: the project's contents, its problems, first steps, and runs of several workflows.

import { useState } from "react"
import { Play, Square } from "lucide-react"
import { INBOX } from "@callsheet/format"
import { suiteOf, suiteSubject, type ProjectView } from "@callsheet/server/calls"
import { importKinds, importTitles, showImport } from "../imports/import-state.ts"
import { Split, useNarrowWindow } from "../../ui/split.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { runBatch, runnableWorkflows, stopBatch, useBatch, workflowsOfAll } from "../../runs/bar/batch.ts"
import { createSuite } from "../../runs/suites/suite-items.ts"
import { showWorkflowDialog } from "../../blocks/workflow-dialog.ts"
import { addInbox } from "../imports/add-inbox.ts"
import { BenchHead } from "../../ui/bench-head.tsx"
import { FirstSteps } from "./first-steps.tsx"
import { OverviewResult } from "./overview-result.tsx"
import { OverviewApis, OverviewSuites, OverviewWorkflows } from "./overview-tables.tsx"
import { ProblemList } from "../../files/problem-list.tsx"
import { useProblems } from "../../connection/queries.ts"
import { Section } from "../../files/page-parts.tsx"
import { FailureLine } from "../../runs/marks/block-fault.tsx"
import { useSubmit } from "../../ui/use-submit.ts"

export function Overview({ project }: { readonly project: ProjectView }) {
  const isNarrow = useNarrowWindow(1024)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const contents = (
    <div className="view">
      <FirstSteps project={project} />
      {project.workflows.length === 0 ? null : (
        <Section title="Workflows">
          <OverviewWorkflows workflows={project.workflows} chosen={chosen} onChoose={setChosen} />
          <NewWorkflow />
        </Section>
      )}
      {project.suites === undefined || project.suites.length === 0 ? null : (
        <Section title="Suites">
          <OverviewSuites suites={project.suites} chosen={chosen} onChoose={setChosen} />
        </Section>
      )}
      {project.apis.length === 0 ? null : (
        <Section title="APIs">
          <OverviewApis apis={project.apis} />
          <AddApis apis={project.apis} />
        </Section>
      )}
      {/* Last, because problems arrive later and must not move other content. */}
      <ProblemSummary />
    </div>
  )
  return (
    <div className="bench">
      <BenchHead parents={["Project"]} name={project.name}>
        <BatchBar project={project} chosen={chosen} />
      </BenchHead>
      {project.workflows.length === 0 ? (
        <div className="pane-scrolls">{contents}</div>
      ) : (
        <Split
          id="overview"
          isVertical={isNarrow}
          label="Resize the project and the results"
          panes={[
            {
              id: "overview-contents",
              size: "62%",
              minSize: "30%",
              content: <div className="pane-scrolls">{contents}</div>,
            },
            { id: "overview-result", minSize: "20%", content: <OverviewResult /> },
          ]}
        />
      )}
    </div>
  )
}

const NewWorkflow = () => (
  <p className="section-actions">
    <button type="button" className="button" onClick={() => showWorkflowDialog({ kind: "new" })}>
      New workflow…
    </button>
  </p>
)

function AddApis({ apis }: Pick<ProjectView, "apis">) {
  const { run, fault } = useSubmit()
  return (
    <>
      <p className="section-actions">
        {importKinds.map((kind) => (
          <button key={kind} type="button" className="button" onClick={() => showImport(kind)}>
            {importTitles[kind]}…
          </button>
        ))}
        {apis.some(({ name }) => name === INBOX) ? null : (
          <button
            type="button"
            className="button"
            title="Receive callbacks and webhooks during runs"
            onClick={() => run(addInbox)}
          >
            Add an inbox
          </button>
        )}
      </p>
      <FailureLine failure={fault} />
    </>
  )
}

interface BatchBarProps {
  readonly project: ProjectView
  readonly chosen: ReadonlySet<string>
}

/** Runs all workflows, or the selected workflows and suites. */
function BatchBar({ project, chosen }: BatchBarProps) {
  const isGoing = useBatch((batch) => batch.isGoing)
  const all = [...runnableWorkflows(project), ...(project.suites ?? []).map(suiteSubject)]
  const isAll = chosen.size === 0
  const subjects = isAll ? workflowsOfAll(project) : all.filter((subject) => chosen.has(subject))
  if (all.length === 0) return null
  const selected = subjects.filter((subject) => suiteOf(subject) === undefined)
  return (
    <>
      {isAll || selected.length === 0 ? null : (
        <button type="button" className="button" onClick={() => createSuite(selected)}>
          Save as suite…
        </button>
      )}
      {isGoing ? (
        <button type="button" className="button send-button" onClick={stopBatch}>
          <Square aria-hidden="true" />
          Stop
        </button>
      ) : (
        <button
          type="button"
          className="button button-main send-button"
          onClick={() => void runBatch(subjects)}
        >
          <Play aria-hidden="true" />
          {isAll ? "Run all" : `Run ${subjects.length.toLocaleString("en")} selected`}
        </button>
      )}
    </>
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
