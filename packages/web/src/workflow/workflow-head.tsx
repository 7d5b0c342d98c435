// The header of a workflow's page: its name, unsaved changes, and actions.

import type { WorkflowView } from "@callsheet/server/calls"
import { SaveBar } from "../files/save-bar.tsx"
import { type MenuItem, MenuButton } from "../ui/menu.tsx"
import { BenchHead } from "../requests/bench-head.tsx"
import { showWorkflowDialog } from "./workflow-commands.ts"

export function WorkflowHead({ workflow: { name } }: { readonly workflow: WorkflowView }) {
  return (
    <BenchHead parents={["Workflow"]} name={name}>
      <SaveBar name={{ kind: "workflow", workflow: name }} />
      <MenuButton name={name} items={workflowItems(name)} />
    </BenchHead>
  )
}

export const workflowItems = (name: string): readonly MenuItem[] => [
  { label: "Rename…", does: () => showWorkflowDialog({ kind: "rename", workflow: name }) },
  { label: "Duplicate…", does: () => showWorkflowDialog({ kind: "duplicate", workflow: name }) },
  { label: "Delete…", isDanger: true, does: () => showWorkflowDialog({ kind: "delete", workflow: name }) },
]
