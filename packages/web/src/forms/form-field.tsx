// A form field: label, control, note and problems.

import { useId, type ReactNode } from "react"
import type { JsonPointer, Problem } from "@callsheet/format"
import { pointerKey } from "../files/text/field-problems.ts"
import { SeverityMark } from "../ui/badges.tsx"
import { LongText } from "../ui/shown-text.tsx"
import { useFieldProblems, useOwnProblems } from "./context/form-context.tsx"

export interface ControlProps {
  readonly id: string
  readonly "aria-invalid": boolean
  readonly "aria-describedby": string | undefined
}

interface FieldProps {
  readonly label: ReactNode
  readonly problems: readonly Problem[]
  /** Finds the field of a problem. */
  readonly pointer?: JsonPointer
  readonly note?: ReactNode
  /** The error in the typed input, which isn't written to the file. Shown instead of the problems in the file. */
  readonly fault?: string | undefined
  readonly children: (props: ControlProps) => ReactNode
}

interface Props extends Omit<FieldProps, "problems" | "pointer"> {
  readonly pointer: JsonPointer
}

/** A field that shows the problems of its value. */
export function FormField({ pointer, ...field }: Props) {
  return <ProblemField {...field} pointer={pointer} problems={useFieldProblems(pointer)} />
}

export function ProblemField({ label, problems, pointer, note, fault, children }: FieldProps) {
  const id = useId()
  const isDescribed = note !== undefined || fault !== undefined || problems.length > 0
  return (
    <div className="form-field" data-pointer={pointer === undefined ? undefined : pointerKey(pointer)}>
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <div className="form-control">
        {children({
          id,
          "aria-invalid": fault !== undefined || problems.some(({ severity }) => severity === "error"),
          "aria-describedby": isDescribed ? `${id}-words` : undefined,
        })}
        <div id={`${id}-words`} className="form-words">
          {note === undefined ? null : <p className="form-note">{note}</p>}
          {fault === undefined ? null : <p className="form-fault">{fault}</p>}
          <FieldProblems problems={fault === undefined ? problems : []} />
        </div>
      </div>
    </div>
  )
}

export function FieldProblems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  return (
    <ul className="form-problems">
      {problems.map(({ severity, message, hint }, index) => (
        <li key={index}>
          <SeverityMark severity={severity} /> <LongText text={message} />
          {hint === undefined ? null : (
            <span className="faint">
              {" "}
              <LongText text={hint} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The problems of values without a field. */
export function OwnProblems() {
  return <FieldProblems problems={useOwnProblems()} />
}

/**
 * Focuses the innermost field around a value, after it has opened the tab that contains it. Without a field, focuses the
 * first faulty field, or the form.
 */
export function focusField(form: HTMLElement | null, pointer: JsonPointer): void {
  const closed = closedTab(form, pointer)
  if (closed !== undefined) {
    closed.click()
    requestAnimationFrame(() => focusField(form, pointer))
    return
  }
  const fields = [...(form?.querySelectorAll<HTMLElement>("[data-pointer]") ?? [])]
  const keys = pointer.map((_, at) => pointerKey(pointer.slice(0, pointer.length - at)))
  const key = keys.find((one) => fields.some((field) => field.dataset["pointer"] === one))
  const field = fields.find((one) => one.dataset["pointer"] === key)
  const control = field?.querySelector<HTMLElement>(
    ':is(input, select, textarea, button):not([tabindex="-1"])',
  )
  // A field in a closed fold can't have the focus.
  for (
    let fold = control?.closest("details");
    fold instanceof HTMLDetailsElement;
    fold = fold.parentElement?.closest("details")
  )
    fold.open = true
  const focused = control ?? form?.querySelector<HTMLElement>("[aria-invalid=true]") ?? form
  focused?.focus()
  focused?.scrollIntoView({ block: "nearest" })
}

function closedTab(form: HTMLElement | null, pointer: JsonPointer): HTMLElement | undefined {
  const inside = new Set(pointer.map((_, at) => pointerKey(pointer.slice(0, at + 1))))
  return [...(form?.querySelectorAll<HTMLElement>("[role=tab][data-pointers]") ?? [])].find(
    ({ ariaSelected, dataset }) =>
      ariaSelected !== "true" && dataset["pointers"]?.split("\n").some((key) => inside.has(key)) === true,
  )
}
