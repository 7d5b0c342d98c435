// A form field: label, control, note and problems.

import { useId, type ReactNode } from "react"
import type { JsonPointer, Problem } from "@callsheet/format"
import { SeverityMark } from "../parts/severity-mark.tsx"
import { LongText } from "../text/long-text.tsx"
import { useFieldProblems } from "./form-context.tsx"

export interface ControlProps {
  readonly id: string
  readonly "aria-invalid": boolean
  readonly "aria-describedby": string | undefined
}

interface FieldProps {
  readonly label: ReactNode
  readonly problems: readonly Problem[]
  readonly note?: ReactNode
  /** The error in the typed input, which isn't written to the file. Shown instead of the problems in the file. */
  readonly fault?: string | undefined
  readonly children: (props: ControlProps) => ReactNode
}

interface Props extends Omit<FieldProps, "problems"> {
  readonly pointer: JsonPointer
}

/** A field that shows the problems of its value. */
export function FormField({ pointer, ...field }: Props) {
  return <ProblemField {...field} problems={useFieldProblems(pointer)} />
}

export function ProblemField({ label, problems, note, fault, children }: FieldProps) {
  const id = useId()
  const isDescribed = note !== undefined || fault !== undefined || problems.length > 0
  return (
    <div className="form-field">
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
