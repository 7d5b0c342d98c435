// Shown for a workflow without blocks.

import { blockKinds } from "@callsheet/format"
import { kindSummary } from "../forms/kinds/index.ts"
import { useProject } from "../connection/use-project.ts"
import { add, type WorkflowFile } from "./block-commands.ts"
import { KindMark } from "./kind-mark.tsx"
import { focusForm } from "./outline-dom.ts"

export function EmptyWorkflow({ file, hasList }: { readonly file: WorkflowFile; readonly hasList: boolean }) {
  const { data: project } = useProject()
  const apis = project?.apis.map(({ name }) => name) ?? []
  if (!hasList)
    return <p className="wf-empty faint">The file has no list of blocks. See its problem on the right.</p>
  return (
    <div className="wf-empty">
      <p className="faint">No blocks yet. Start with a request:</p>
      <ul className="wf-kinds">
        {blockKinds.map((kind) => (
          <li key={kind}>
            <button
              type="button"
              className="wf-kind-button"
              onClick={() => {
                add(file, { list: ["blocks"], index: 0 }, kind, apis)
                requestAnimationFrame(focusForm)
              }}
            >
              <KindMark kind={kind} /> <span>{kindSummary(kind)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
