// The tabs of a workflow's page.

import { TabList } from "../ui/tab-list.tsx"
import { showPart, type EditorPart } from "./editor-state.ts"

const parts: readonly EditorPart[] = ["editor", "map", "json", "scripts", "runs"]
const names = ["Editor", "Map", "JSON", "Scripts", "Runs"]

export const workflowTabId = (part: EditorPart): string => `workflow-tab-${parts.indexOf(part)}`

export const WorkflowTabs = ({
  workflow,
  part,
}: {
  readonly workflow: string
  readonly part: EditorPart
}) => (
  <TabList
    label="Parts of the workflow"
    className="wf-tabs"
    id="workflow-tab"
    panelId="workflow-part"
    names={names}
    index={parts.indexOf(part)}
    onSelect={(index) => showPart(workflow, parts[index] ?? "editor")}
  />
)
