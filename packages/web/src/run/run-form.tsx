// The form of a run, with buttons to start and stop it.

import { useEffect, useRef, type FormEvent } from "react"
import { suiteOf, type RunForm as Form } from "@callsheet/server/calls"
import { FailureLine } from "./failure-line.tsx"
import { RunFields } from "./run-fields.tsx"
import { runWorkflow, useStart } from "./starts.ts"

interface Props {
  readonly form: Form
  readonly isRunning: boolean
  readonly onStop: () => void
}

export function RunForm({ form, isRunning, onStop }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const { faults, failure, isStarting } = useStart(form.workflow)
  const isBusy = isRunning || isStarting
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [faults])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy) void runWorkflow(form.workflow)
  }
  return (
    <form ref={element} className="run-form" aria-label="Run" noValidate onSubmit={submit}>
      <RunFields form={form} faults={faults} />
      <div className="run-actions">
        <button type="submit" className="button button-main run-button" aria-disabled={isBusy}>
          {isRunning ? "Running…" : suiteOf(form.workflow) === undefined ? "Run" : "Run suite"}
        </button>
        {isRunning ? (
          <button type="button" className="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <span className="field-note">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        )}
        <FailureLine failure={failure} />
      </div>
    </form>
  )
}
