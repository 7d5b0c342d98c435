// A dialog that changes several files. First the input, then a preview, then the button that applies the change.

import { useState, type ReactNode } from "react"
import type { ChangedFile, ChangePreview } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { UserError } from "../connection/fault-of.ts"
import { Refused } from "../connection/send.ts"
import { TextDiff } from "./text-diff.tsx"
import { announce } from "../ui/announcement.tsx"
import { FormDialog } from "./form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { ShownText, LongText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { NameList, Preview } from "./preview.tsx"
import { count } from "../ui/formats.ts"

interface Props {
  readonly title: string
  /** The label of the button. "Rename" becomes "Rename in 7 files". */
  readonly verb: string
  readonly isDanger?: boolean
  /** Computes the preview. Absent while a field has an error. */
  readonly plan: (() => Promise<ChangePreview>) | undefined
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
  readonly plan: ChangePreview
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
  readonly carryOut: (plan: ChangePreview) => Promise<void>
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
  const carryOut = ({ plan }: ChangePreview): Promise<void> => apply(plan).catch(onChanged(planAgain))
  return { shown, hide: () => setShown(undefined), begin, carryOut }
}

function buttonOf({
  shown,
  verb,
  isHarmless,
}: { readonly shown: Shown | undefined } & Pick<Props, "verb" | "isHarmless">) {
  if (shown?.plan.fileCount === 0) return {}
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

function PlanView({ plan, isUpdated }: { readonly plan: ChangePreview; readonly isUpdated: boolean }) {
  return (
    <Preview label="Changes">
      {isUpdated ? (
        <p role="alert" className="env-alarm">
          Files changed on disk, so nothing was written. These are the changes now.
        </p>
      ) : null}
      {plan.notes.length === 0 ? null : (
        <ul className="plan-notes" aria-label="Notes">
          {plan.notes.map((note) => (
            <li key={note}>
              <LongText text={note} />
            </li>
          ))}
        </ul>
      )}
      <p className="plan-count">
        {plan.fileCount === 0 ? "Nothing changes." : `${count(plan.fileCount, "file")} will change:`}
      </p>
      <PlanFiles plan={plan} />
    </Preview>
  )
}

const FEW_FILES = 12

interface FilesProps {
  readonly plan: ChangePreview
  /** Returns what to show of a file in place of its text before and after. Undefined shows that text. */
  readonly describe?: (file: ChangedFile) => ReactNode
}

/** The files of a change. */
export function PlanFiles({ plan, describe }: FilesProps) {
  return (
    <>
      {plan.files.map((file) => (
        <details key={file.path} open={plan.files.length <= FEW_FILES} className="plan-file">
          <summary>
            {file.from === undefined ? null : (
              <>
                <ShownText text={file.from} /> <span className="plan-becomes">becomes</span>{" "}
              </>
            )}
            <ShownText text={file.path} />
            {file.isRemoved === true ? <span className="env-note"> removed</span> : null}
            {file.before === null ? <span className="env-note"> new</span> : null}
          </summary>
          {describe?.(file) ?? <FileTexts file={file} />}
        </details>
      ))}
      <OmittedFiles plan={plan} />
    </>
  )
}

export const FileTexts = ({ file: { path, before, after } }: { readonly file: ChangedFile }) =>
  before === after ? (
    <p className="plan-same">Its text does not change.</p>
  ) : (
    <TextDiff before={before ?? ""} after={after} label={`${visibleText(path)} before and after`} />
  )

/** Other files that change in the same way. They are too many or too large to show. */
function OmittedFiles({ plan: { files, fileCount, omitted } }: { readonly plan: ChangePreview }) {
  const rest = fileCount - files.length
  if (rest === 0) return null
  return (
    <details className="plan-file">
      <summary>{count(rest, "more file")} will change, not shown here</summary>
      <NameList label="More files that will change" names={omitted} omitted={rest - omitted.length} />
    </details>
  )
}
