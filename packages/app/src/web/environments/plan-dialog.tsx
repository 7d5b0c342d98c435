// A dialog that changes the schema: what is typed first, then what it comes to, then the one button that does it.

import { useState, type ReactNode } from "react"
import type { SchemaChange, SchemaPlan } from "../../api.ts"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { count } from "../text/count.ts"
import { announce } from "./announcement.tsx"
import { FormDialog, useSubmit } from "./form.tsx"
import { PlanView } from "./plan-view.tsx"
import { readEnvironmentsAgain } from "./use-environments.ts"

interface Props {
  readonly api: string
  readonly title: string
  /** What the button does: "Rename", which becomes "Rename in 7 files". */
  readonly verb: string
  readonly isDanger?: boolean
  /** The change as it is typed; absent while something is wrong with it. */
  readonly change: SchemaChange | undefined
  /** It touches nothing but the schema's own words: no plan is shown where no other file changes. */
  readonly isHarmless: boolean
  /** What is changed is no longer what the person saw when they began. */
  readonly isStale?: () => boolean
  /** In a status for those who do not see it. */
  readonly done: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

interface Shown {
  readonly plan: SchemaPlan
  readonly isAnew: boolean
}

export function PlanDialog(props: Props) {
  const { api, title, verb, isDanger = false, change, isHarmless, isStale, done, onClose, children } = props
  const submit = useSubmit()
  const [shown, setShown] = useState<Shown>()
  const apply = async (plan: string): Promise<void> => {
    await call("schemas.apply", { plan })
    await readEnvironmentsAgain(api)
    announce(done)
    onClose()
  }
  const planAnew = async (isAnew: boolean): Promise<SchemaPlan | undefined> => {
    if (change === undefined) return undefined
    const plan = await call("schemas.plan", { api, change })
    setShown({ plan, isAnew })
    return plan
  }
  const begin = async (): Promise<void> => {
    if (change === undefined) return
    await readEnvironmentsAgain(api)
    const isAnew = isStale?.() === true
    const plan = await call("schemas.plan", { api, change })
    const isSmall = isHarmless && !isAnew && plan.files.length <= 1 && plan.notes.length === 0
    if (!isSmall) return setShown({ plan, isAnew })
    // Another change of the file in this moment is nothing that the person could have seen: they are asked.
    await apply(plan.plan).catch(onChanged(() => planAnew(true)))
  }
  const carryOut = async ({ plan }: Shown): Promise<void> => {
    await apply(plan.plan).catch(onChanged(() => planAnew(true)))
  }
  return (
    <FormDialog
      title={title}
      submit={submit}
      {...buttonOf({ shown, verb, isHarmless })}
      isDanger={isDanger && shown !== undefined}
      isWide={shown !== undefined}
      onSubmit={() => {
        if (shown !== undefined) submit.run(() => carryOut(shown))
        else if (change !== undefined) submit.run(begin)
      }}
      onClose={onClose}
      actions={
        shown === undefined || children === undefined ? null : (
          <button
            type="button"
            className="button"
            onClick={() => {
              setShown(undefined)
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

function buttonOf({
  shown,
  verb,
  isHarmless,
}: { readonly shown: Shown | undefined } & Pick<Props, "verb" | "isHarmless">) {
  if (shown !== undefined) return { does: `${verb} in ${count(shown.plan.files.length, "file")}` }
  return { does: isHarmless ? verb : "Show what changes" }
}

/** What to do where a file has changed meanwhile; all else goes on being a failure. */
const onChanged =
  (act: () => Promise<unknown>) =>
  async (error: unknown): Promise<void> => {
    if (!(error instanceof Refused && error.status === 409)) throw error
    await act()
  }
