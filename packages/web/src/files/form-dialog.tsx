// A dialog that asks for input, submits it once, and shows errors.

import type { FormEvent, ReactNode, KeyboardEvent } from "react"
import { visibleText } from "../ui/visible-text.ts"
import { ProblemList } from "./problem-list.tsx"
import { Dialog } from "../ui/dialog.tsx"
import type { Submit } from "../ui/use-submit.ts"
import { LongText } from "../ui/shown-text.tsx"

interface DialogProps {
  readonly title: string
  readonly submit: Submit
  /** The label of the main button. Absent if the dialog can only be closed. */
  readonly does?: string | undefined
  readonly isDanger?: boolean
  readonly isMainFirst?: boolean
  readonly isWide?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function FormDialog(props: DialogProps) {
  const {
    title,
    submit,
    does,
    isDanger = false,
    isMainFirst = false,
    isWide = false,
    onSubmit,
    onClose,
    actions,
    children,
  } = props
  const onForm = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      label={title}
      className={isWide ? "dialog-form dialog-form-wide" : "dialog-form"}
      isForm
      onClose={onClose}
    >
      <form className="form-dialog" noValidate onSubmit={onForm} onKeyDown={ignoreHeldKeys}>
        <h2>{title}</h2>
        <div className="form-dialog-body">{children}</div>
        <Failure submit={submit} />
        <div className="form-dialog-actions">
          {actions}
          <button type="button" className="button" data-first={isDanger ? "" : undefined} onClick={onClose}>
            {does === undefined ? "Close" : "Cancel"}
          </button>
          {does === undefined ? null : (
            <button
              type="submit"
              className={`button ${isDanger ? "button-danger" : "button-main"}`}
              aria-disabled={submit.isBusy}
              data-first={isMainFirst ? "" : undefined}
            >
              {submit.isBusy ? "Working…" : does}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function Failure({ submit: { fault, problems } }: { readonly submit: Submit }) {
  const isListed = problems.some(({ message }) => message === fault?.message)
  return (
    <div role="alert" className="form-dialog-failure">
      {fault === undefined || isListed ? null : (
        <p className="field-error">
          <LongText text={fault.message} />{" "}
          {fault.code === undefined ? null : <code>{visibleText(fault.code)}</code>}{" "}
          {fault.hint === undefined ? null : (
            <span className="failure-hint">
              <LongText text={fault.hint} />
            </span>
          )}
        </p>
      )}
      {problems.length === 0 ? null : <ProblemList problems={problems.slice(0, 20)} showsFiles />}
    </div>
  )
}

/** Ignores a key that was already down when the dialog opened. */
function ignoreHeldKeys(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.target instanceof HTMLTextAreaElement) return
  if (event.repeat || event.ctrlKey || event.metaKey) event.preventDefault()
}
