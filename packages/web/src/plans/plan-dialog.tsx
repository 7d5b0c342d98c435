// A dialog that changes several files. First the input, then a preview, then the button that applies the change.

import { useState, type ReactNode } from "react"
import type { ChangePlan } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { UserError } from "../connection/fault-of.ts"
import { Refused } from "../connection/send.ts"
import { count } from "../text/count.ts"
import { announce } from "../parts/announcement.tsx"
import { FormDialog } from "../parts/form-dialog.tsx"
import { useSubmit } from "../parts/use-submit.ts"
import { PlanView } from "./plan-view.tsx"

interface Props {
  readonly title: string
  /** The label of the button. "Rename" becomes "Rename in 7 files". */
  readonly verb: string
  readonly isDanger?: boolean
  /** Computes the preview. Absent while a field has an error. */
  readonly plan: (() => Promise<ChangePlan>) | undefined
  /** Missing input for which no field shows an error. Shown if the user presses the button. */
  readonly missing?: string | undefined
  /** True if the preview can be skipped, because only one file changes and there are no notes. */
  readonly isHarmless: boolean
  /** Called before the first preview. Resolves to whether the data has changed since the dialog opened. */
  readonly readAgain?: () => Promise<boolean>
  readonly done: string
  /** Called after the change, before the dialog closes. */
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}

interface Shown {
  readonly plan: ChangePlan
  readonly isUpdated: boolean
}

export function PlanDialog(props: Props) {
  const { title, verb, isDanger = false, plan, missing, isHarmless, onClose, children } = props
  const submit = useSubmit()
  const { shown, hide, begin, carryOut } = usePlan(props)
  return (
    <FormDialog
      title={title}
      submit={submit}
      {...buttonOf({ shown, verb, isHarmless })}
      isDanger={isDanger && shown !== undefined}
      isWide={shown !== undefined}
      onSubmit={() => {
        if (shown !== undefined) submit.run(() => carryOut(shown.plan))
        else if (plan !== undefined) submit.run(begin)
        else if (missing !== undefined) submit.run(() => Promise.reject(new UserError(missing)))
      }}
      onClose={onClose}
      actions={
        shown === undefined || children === undefined ? null : (
          <button
            type="button"
            className="button"
            onClick={() => {
              hide()
              submit.clear()
            }}
          >
            Back
          </button>
        )
      }
    >
      {shown === undefined ? children : <PlanView plan={shown.plan} isUpdated={shown.isUpdated} />}
    </FormDialog>
  )
}

interface PlanInHand {
  readonly shown: Shown | undefined
  readonly hide: () => void
  /** Shows the preview. Applies a small change at once. */
  readonly begin: () => Promise<void>
  readonly carryOut: (plan: ChangePlan) => Promise<void>
}

function usePlan({ plan: workOut, isHarmless, readAgain, done, onDone, onClose }: Props): PlanInHand {
  const [shown, setShown] = useState<Shown>()
  const apply = async (plan: string): Promise<void> => {
    await call("plans.apply", { plan })
    await onDone()
    announce(done)
    onClose()
  }
  const planAgain = async (): Promise<void> => {
    if (workOut !== undefined) setShown({ plan: await workOut(), isUpdated: true })
  }
  const begin = async (): Promise<void> => {
    if (workOut === undefined) return
    const isUpdated = (await readAgain?.()) === true
    const plan = await workOut()
    const isSmall =
      isHarmless && !isUpdated && plan.fileCount <= 1 && plan.omitted.length === 0 && plan.notes.length === 0
    if (!isSmall) return setShown({ plan, isUpdated })
    await carryOut(plan)
  }
  // The user hasn't seen the latest change of the files, so show a new preview.
  const carryOut = ({ plan }: ChangePlan): Promise<void> => apply(plan).catch(onChanged(planAgain))
  return { shown, hide: () => setShown(undefined), begin, carryOut }
}

function buttonOf({
  shown,
  verb,
  isHarmless,
}: { readonly shown: Shown | undefined } & Pick<Props, "verb" | "isHarmless">) {
  if (shown !== undefined) return { does: `${verb} in ${count(shown.plan.fileCount, "file")}` }
  return { does: isHarmless ? verb : "Review changes" }
}

/** Handles a file that has changed. Rethrows other errors. */
const onChanged =
  (action: () => Promise<unknown>) =>
  async (error: unknown): Promise<void> => {
    if (!(error instanceof Refused && error.status === 409)) throw error
    await action()
  }
