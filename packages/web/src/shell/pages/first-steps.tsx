// First steps for a project without APIs or workflows.

import type { ProjectView } from "@callsheet/server/calls"
import { CodeBlock } from "../../ui/code-block.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { FirstMinute } from "./first-minute.tsx"
import { showWorkflowDialog } from "../../workflow/workflow-commands.ts"

export function FirstSteps({ project }: { readonly project: ProjectView }) {
  const { apis, workflows, isNew = false } = project
  if (apis.length === 0) return <FirstMinute isNew={isNew} />
  if (workflows.length === 0) return <NoWorkflows />
  return null
}

function NoWorkflows() {
  return (
    <EmptyState title="Write the first workflow">
      <p>
        A workflow is a list of blocks: requests, checks of their responses, loops and conditions. It is a
        file in <code>apis/workflow/</code>. Create one here and add its first request:
      </p>
      <p>
        <button
          type="button"
          className="button button-main"
          onClick={() => showWorkflowDialog({ kind: "new" })}
        >
          New workflow…
        </button>
      </p>
      <p>Run it from its page, or by name:</p>
      <CodeBlock text="callsheet run first" what="command" />
    </EmptyState>
  )
}
