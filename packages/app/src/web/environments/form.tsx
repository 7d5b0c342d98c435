// The parts of the dialogs' forms: fields, what is wrong with them, and buttons that do one thing once.

import { useId, useRef, useState, type FormEvent, type ReactNode } from "react"
import type { Problem } from "@callsheet/format"
import { Refused } from "../connection/send.ts"
import { Dialog } from "../parts/dialog.tsx"
import { LongText } from "../text/long-text.tsx"
import { visibleText } from "../text/visible-text.ts"
import { ProblemList } from "../views/problem-list.tsx"
import { faultOf, type Fault } from "./fault-of.ts"

export interface Submit {
  readonly isBusy: boolean
  readonly fault: Fault | undefined
  readonly problems: readonly Problem[]
  /** Nothing where something is under way: a second click or a key that repeats has no effect. */
  readonly run: (act: () => Promise<void>) => void
  readonly clear: () => void
}

interface SubmitState {
  readonly isBusy: boolean
  readonly fault?: Fault
  readonly problems?: readonly Problem[]
}

export function useSubmit(): Submit {
  const [state, setState] = useState<SubmitState>({ isBusy: false })
  const isBusy = useRef(false)
  const run = (act: () => Promise<void>): void => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true })
    act()
      .then(
        () => setState({ isBusy: false }),
        (error: unknown) => setState({ isBusy: false, ...failureOf(error) }),
      )
      .finally(() => (isBusy.current = false))
  }
  return {
    isBusy: state.isBusy,
    fault: state.fault,
    problems: state.problems ?? [],
    run,
    clear: () => setState({ isBusy: isBusy.current }),
  }
}

const failureOf = (error: unknown): Pick<SubmitState, "fault" | "problems"> => ({
  fault: faultOf(error),
  ...(error instanceof Refused && error.failure.problems !== undefined
    ? { problems: error.failure.problems }
    : {}),
})

interface DialogProps {
  readonly title: string
  readonly submit: Submit
  /** What the main button does; absent: there is nothing to do but to close. */
  readonly does?: string
  readonly isDanger?: boolean
  readonly isWide?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** Beside the main button. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function FormDialog(props: DialogProps) {
  const {
    title,
    submit,
    does,
    isDanger = false,
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
      <form className="env-form" noValidate onSubmit={onForm}>
        <h2>{title}</h2>
        <div className="env-form-body">{children}</div>
        <Failure submit={submit} />
        <div className="env-form-actions">
          {actions}
          <button type="button" className="button" autoFocus={isDanger} onClick={onClose}>
            {does === undefined ? "Close" : "Cancel"}
          </button>
          {does === undefined ? null : (
            <button
              type="submit"
              className={`button ${isDanger ? "button-danger" : "button-main"}`}
              aria-disabled={submit.isBusy}
            >
              {submit.isBusy ? "One moment…" : does}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function Failure({ submit: { fault, problems } }: { readonly submit: Submit }) {
  return (
    <div role="alert" className="env-failure">
      {fault === undefined ? null : (
        <p className="field-error">
          <LongText text={fault.message} />{" "}
          {fault.code === undefined ? null : <code>{visibleText(fault.code)}</code>}{" "}
          {fault.hint === undefined ? null : <LongText text={fault.hint} />}
        </p>
      )}
      {problems.length === 0 ? null : <ProblemList problems={problems.slice(0, 20)} showsFiles />}
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly note?: ReactNode
  readonly fault?: string | undefined
}

interface TextProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isCode?: boolean
  readonly isFirst?: boolean
  readonly lines?: number
}

export function TextField({
  label,
  note,
  fault,
  value,
  onChange,
  isCode = false,
  isFirst = false,
  lines = 1,
}: TextProps) {
  const id = useId()
  const common = {
    id,
    className: isCode ? "env-code" : "",
    autoComplete: "off",
    spellCheck: false,
    autoFocus: isFirst,
    value,
    "aria-invalid": fault !== undefined,
    "aria-describedby": `${id}-note`,
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {lines === 1 ? (
        <input type="text" {...common} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea {...common} rows={lines} onChange={(event) => onChange(event.target.value)} />
      )}
      <FieldNote id={`${id}-note`} note={note} fault={fault} />
    </div>
  )
}

function FieldNote({
  id,
  note,
  fault,
}: {
  readonly id: string
  readonly note: ReactNode
  readonly fault: string | undefined
}) {
  return (
    <p id={id} className={fault === undefined ? "field-note" : "field-error"}>
      {fault === undefined ? note : <LongText text={fault} />}
    </p>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}

interface ChoiceProps extends FieldProps {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  readonly isFirst?: boolean
}

export function ChoiceField({ label, note, fault, value, options, onChange, isFirst = false }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        autoFocus={isFirst}
        value={value}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldNote id={`${id}-note`} note={note} fault={fault} />
    </div>
  )
}

interface CheckProps {
  readonly label: string
  readonly note: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function CheckField({ label, note, isOn, onChange }: CheckProps) {
  const id = useId()
  return (
    <div className="env-check">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-note`} className="field-note">
        {note}
      </p>
    </div>
  )
}
