// Updates an API's document from its source: first the differences, then the change.

import type { ChangePreview } from "@callsheet/server/calls"
import { PlanDialog } from "../../files/plan-dialog.tsx"
import { call } from "../../connection/call.ts"
import { queryClient } from "../../connection/query-client.ts"
import { LongText } from "../../ui/shown-text.tsx"

interface Props {
  readonly api: string
  readonly source: string
  readonly onClose: () => void
}

export function UpdateDialog({ api, source, onClose }: Props) {
  const plan = async (): Promise<ChangePreview> => {
    const { fetched } = await call("imports.fetch", { url: source })
    return call("imports.update", { api, fetched })
  }
  return (
    <PlanDialog
      title="Update from source"
      verb="Update"
      plan={plan}
      isHarmless={false}
      done="Updated"
      onDone={() => queryClient.invalidateQueries()}
      onClose={onClose}
    >
      <p>
        Fetches{" "}
        <code className="wrap">
          <LongText text={source} />
        </code>{" "}
        without credentials, and shows what changes in the document before anything is written.
      </p>
    </PlanDialog>
  )
}
