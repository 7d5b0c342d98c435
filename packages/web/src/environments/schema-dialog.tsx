// A dialog that changes declarations of an API, with a preview.

import type { ComponentProps } from "react"
import type { SchemaChange } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { readEnvironmentsAgain } from "./use-environments.ts"

interface Props extends Omit<ComponentProps<typeof PlanDialog>, "plan" | "readAgain" | "onDone"> {
  readonly api: string
  /** The change as entered. Absent while it is invalid. */
  readonly change: SchemaChange | undefined
  /** Returns whether the data has changed since the dialog opened. */
  readonly isStale?: () => boolean
}

export function SchemaDialog({ api, change, isStale, ...rest }: Props) {
  return (
    <PlanDialog
      {...rest}
      plan={change === undefined ? undefined : () => call("schemas.plan", { api, change })}
      readAgain={async () => {
        await readEnvironmentsAgain(api)
        return isStale?.() === true
      }}
      onDone={() => readEnvironmentsAgain(api)}
    />
  )
}
