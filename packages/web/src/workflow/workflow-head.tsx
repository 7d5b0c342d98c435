// The header of a workflow's page: its name, actions, and a run button.

import type { WorkflowView } from "@callsheet/server/calls"
import { MenuButton } from "../parts/menu-button.tsx"
import type { MenuItem } from "../parts/menu.tsx"
import { StatusMark } from "../run/status-mark.tsx"
import { runWorkflow, useStart } from "../run/starts.ts"
import { useOutcomes } from "../run/use-outcomes.ts"
import { LongText } from "../text/long-text.tsx"
import { showWorkflowDialog } from "./workflow-dialog-state.ts"

interface Props {
  readonly workflow: WorkflowView
  /** Set if the form of the run isn't visible. */
  readonly canRun: boolean
}

export function WorkflowHead({ workflow, canRun }: Props) {
  const { name } = workflow
  const outcome = useOutcomes().get(name)
  const { isStarting } = useStart(name)
  const isRunning = isStarting || outcome === "running"
  return (
    <header className="wf-head">
      <div className="wf-head-words">
        <p className="eyebrow">Workflow</p>
        <h1>
          <LongText text={name} /> {outcome === undefined ? null : <StatusMark status={outcome} />}
        </h1>
      </div>
      <div className="wf-head-actions">
        <MenuButton name={name} items={actions(name)} />
        {canRun ? (
          <button
            type="button"
            className="button button-main"
            aria-disabled={isRunning}
            title="Run the workflow (Ctrl Enter)"
            onClick={() => {
              if (!isRunning) void runWorkflow(name)
            }}
          >
            {outcome === "running" ? "Running…" : "Run"}
          </button>
        ) : null}
      </div>
    </header>
  )
}

const actions = (name: string): readonly MenuItem[] => [
  { label: "Rename…", does: () => showWorkflowDialog({ kind: "rename", workflow: name }) },
  { label: "Duplicate…", does: () => showWorkflowDialog({ kind: "duplicate", workflow: name }) },
  { label: "Delete…", isDanger: true, does: () => showWorkflowDialog({ kind: "delete", workflow: name }) },
]
