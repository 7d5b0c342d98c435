// Repairs files: first the new text of each file and the reasons, then one change of all files.

import { PlanDialog } from "../../files/plan-dialog.tsx"
import { call } from "../../connection/call.ts"
import { queryClient } from "../../connection/query-client.ts"
import { ShownText } from "../../ui/shown-text.tsx"

interface Props {
  readonly api: string | undefined
  readonly onClose: () => void
}

export function RepairDialog({ api, onClose }: Props) {
  return (
    <PlanDialog
      title={api === undefined ? "Repair the project" : "Repair what the document changed"}
      verb="Repair"
      plan={() => call("repairs.plan", api === undefined ? {} : { api })}
      isHarmless={false}
      done="Repaired"
      onDone={() => queryClient.invalidateQueries()}
      onClose={onClose}
    >
      {api === undefined ? (
        <p>
          Finds what needs no decision: names that resemble exactly one known name, and what follows from
          uncommitted changes of documents. In a terminal, <code>callsheet validate --fix</code> does the
          same.
        </p>
      ) : (
        <p>
          Changes workflows and saved requests as the document of <ShownText text={api} /> now asks for. In a
          terminal, <code>callsheet validate --fix</code> does the same.
        </p>
      )}
      <p>It never changes an assertion. Nothing is written before you have seen it.</p>
    </PlanDialog>
  )
}
