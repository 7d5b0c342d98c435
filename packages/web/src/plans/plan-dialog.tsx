// A dialog that changes several files: what is typed first, then what it comes to, then the one button that does it.

import { useState, type ReactNode } from "react"
import type { ChangePlan } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { Hindrance } from "../connection/fault-of.ts"
import { Refused } from "../connection/send.ts"
import { count } from "../text/count.ts"
import { announce } from "../parts/announcement.tsx"
import { FormDialog } from "../parts/form-dialog.tsx"
import { useSubmit } from "../parts/use-submit.ts"
import { PlanView } from "./plan-view.tsx"

interface Props {
  readonly title: string
  /** What the button does: "Rename", which becomes "Rename in 7 files". */
  readonly verb: string
  readonly isDanger?: boolean
  /** Works out what the change as it is typed comes to; absent while a field says what is wrong with it. */
  readonly plan: (() => Promise<ChangePlan>) | undefined
  /** What is still to be given, which no field says: said when the button is pressed without a plan. */
  readonly missing?: string | undefined
  /** No plan is shown where one file alone changes and there is nothing to be known. */
  readonly isHarmless: boolean
  /** Called before the first plan; resolves to whether what is changed is no longer what the person saw when they began. */
  readonly readAgain?: () => Promise<boolean>
  /** In a status for those who do not see it. */
  readonly done: string
  /** Called when it is done, before the dialog closes. */
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}

interface Shown {
  readonly plan: ChangePlan
  readonly isAnew: boolean
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
        else if (missing !== undefined) submit.run(() => Promise.reject(new Hindrance(missing)))
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
      {shown === undefined ? children : <PlanView plan={shown.plan} isAnew={shown.isAnew} />}
    </FormDialog>
  )
}

interface PlanInHand {
  readonly shown: Shown | undefined
  readonly hide: () => void
  /** Shows what the change comes to, or does it at once where that is small. */
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
  const planAnew = async (): Promise<void> => {
    if (workOut !== undefined) setShown({ plan: await workOut(), isAnew: true })
  }
  const begin = async (): Promise<void> => {
    if (workOut === undefined) return
    const isAnew = (await readAgain?.()) === true
    const plan = await workOut()
    const isSmall =
      isHarmless && !isAnew && plan.fileCount <= 1 && plan.unshown.length === 0 && plan.notes.length === 0
    if (!isSmall) return setShown({ plan, isAnew })
    await carryOut(plan)
  }
  // What has changed meanwhile is nothing that the person has seen: they are asked.
  const carryOut = ({ plan }: ChangePlan): Promise<void> => apply(plan).catch(onChanged(planAnew))
  return { shown, hide: () => setShown(undefined), begin, carryOut }
}

function buttonOf({
  shown,
  verb,
  isHarmless,
}: { readonly shown: Shown | undefined } & Pick<Props, "verb" | "isHarmless">) {
  if (shown !== undefined) return { does: `${verb} in ${count(shown.plan.fileCount, "file")}` }
  return { does: isHarmless ? verb : "Show what changes" }
}

/** What to do where a file has changed meanwhile; all else goes on being a failure. */
const onChanged =
  (act: () => Promise<unknown>) =>
  async (error: unknown): Promise<void> => {
    if (!(error instanceof Refused && error.status === 409)) throw error
    await act()
  }
