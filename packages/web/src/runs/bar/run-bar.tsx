// The bar that runs a workflow or a suite: its own environment if it has one, inputs, Run and Stop.

import { ownOf } from "@callsheet/format"
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from "react"
import { Camera, Play, SlidersHorizontal, Square } from "lucide-react"
import { suiteOf, type RunForm } from "@callsheet/server/calls"
import { readFaultOf, type Fault } from "../../connection/fault-of.ts"
import { useOnceTrue } from "../../ui/use-once-true.ts"
import { EnvironmentMenu } from "../../environments/environment-menu.tsx"
import { environmentField, type FieldFaults } from "../state/drafts.ts"
import { WordButton } from "../../ui/word-button.tsx"
import { FailureLine } from "../marks/block-fault.tsx"
import { RunFields } from "./run-fields.tsx"
import { chooseSnapshots, useSnapshotChoice } from "../state/snapshot-choice.ts"
import { useRuns } from "../../connection/run-store.ts"
import { runWorkflow, setStart, stopRun, useChosenRun, useStart } from "../state/starts.ts"
import { useIsRunRead, useKeptRuns, useLatestRuns, useRunForm } from "../state/use-run-queries.ts"

interface Props {
  /** The name of the workflow, or the `suiteSubject` of a suite. */
  readonly workflow: string
  /** True if the environments and inputs are visible from the start. */
  readonly showsFields?: boolean
}

export function RunBar({ workflow, showsFields = false }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const { data: form, error } = useRunForm(workflow)
  const { faults, failure, isStarting } = useStart(workflow)
  const { isOpen, isFaulty, open, close } = useFields(workflow, element)
  const running = useRunning(workflow)
  const { isPerApi, choosePerApi } = usePerApi(form, faults, open)
  const isShown = showsFields || isOpen || isFaulty
  const isBusy = running !== undefined || isStarting
  const isSuite = suiteOf(workflow) !== undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy) void runWorkflow(workflow)
  }
  if (!useIsRunRead(workflow)) return null
  const fields =
    form === undefined ? 0 : (isPerApi ? form.apis.length : 0) + form.inputs.length + (form.hasInbox ? 1 : 0)
  // The fields show the same choice.
  const hasMenu = form !== undefined && !(isShown && isPerApi)
  return (
    <form
      ref={element}
      className="run-bar"
      aria-label="Run"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape") close()
      }}
    >
      <div className="run-bar-line">
        {hasMenu ? (
          <EnvironmentMenu
            apis={form.apis}
            subject={workflow}
            of={isSuite ? "this suite" : "this workflow"}
            onPerApi={form.apis.length > 1 ? choosePerApi : undefined}
          />
        ) : null}
        {fields === 0 || showsFields ? null : (
          <FieldsButton isShown={isShown} onClick={isShown ? close : open} />
        )}
        {form?.hasSnapshots === true ? <SnapshotButton /> : null}
        {running === undefined ? null : <StopButton run={running} />}
        <RunButton isBusy={isBusy}>
          {running !== undefined ? "Running…" : isSuite ? "Run suite" : "Run"}
        </RunButton>
      </div>
      <StartFailure failure={failure} error={error} onClose={close} />
      {form === undefined || !isShown ? null : (
        <RunFields
          form={form}
          faults={faults}
          showsEnvironments={isPerApi}
          isOver={!isOpen && !showsFields}
        />
      )}
    </form>
  )
}

interface FailureProps {
  /** The reason why the run couldn't start. */
  readonly failure: Fault | undefined
  /** The reason why the form couldn't be read. */
  readonly error: unknown
  readonly onClose: () => void
}

/**
 * The failure of a start covers what is below on a workflow's page until it is closed, so that nothing moves under the
 * pointer. A form that can't be read covers nothing.
 */
function StartFailure({ failure, error, onClose }: FailureProps) {
  const shown = failure ?? (error === null ? undefined : { message: readFaultOf(error) })
  const place = failure === undefined ? "" : "run-failure-over"
  return (
    <div className={shown === undefined ? "only-read" : `run-failure ${place}`}>
      <FailureLine failure={shown} />
      {failure === undefined ? null : (
        <button type="button" className="quiet-button" aria-label="Close the message" onClick={onClose}>
          ✕
        </button>
      )}
    </div>
  )
}

/** Opens and closes the fields. Fields with faults are open until the user closes them or runs the workflow. */
function useFields(workflow: string, form: RefObject<HTMLFormElement | null>) {
  const { faults, failure } = useStart(workflow)
  const [isOpen, setOpen] = useState(false)
  const isFaulty = Object.keys(faults).length > 0
  useEffect(() => {
    if (isFaulty) form.current?.querySelector<HTMLElement>(".run-fields [aria-invalid=true]")?.focus()
  }, [form, isFaulty, faults])
  const close = (): void => {
    setOpen(false)
    if (isFaulty || failure !== undefined) setStart(workflow, { faults: {}, isStarting: false })
  }
  return { isOpen, isFaulty, open: () => setOpen(true), close }
}

/**
 * Returns whether each API has a field for its environment: if one is missing, or if the user asked for it. The fields
 * then stay, so that nothing moves after a choice.
 */
function usePerApi(form: RunForm | undefined, faults: FieldFaults, open: () => void) {
  const { workflow = "", apis = [] } = form ?? {}
  const [asked, setAsked] = useState("")
  const isFaulty = apis.some(({ api }) => ownOf(faults, environmentField(api)) !== undefined)
  return {
    isPerApi: useOnceTrue(form !== undefined && (isFaulty || asked === workflow), workflow),
    choosePerApi: (): void => {
      setAsked(workflow)
      open()
    },
  }
}

interface RunButtonProps {
  readonly isBusy: boolean
  readonly children: ReactNode
}

const RunButton = ({ isBusy, children }: RunButtonProps) => (
  <button
    type="submit"
    className="button button-main run-button"
    aria-disabled={isBusy}
    title="Run (Ctrl Enter)"
  >
    <Play aria-hidden="true" />
    {children}
  </button>
)

const FieldsButton = ({ isShown, onClick }: { readonly isShown: boolean; readonly onClick: () => void }) => (
  <WordButton
    className="button-quiet"
    word="Inputs"
    icon={<SlidersHorizontal aria-hidden="true" />}
    aria-expanded={isShown}
    onClick={onClick}
  />
)

function SnapshotButton() {
  const { isOn } = useSnapshotChoice()
  return (
    <WordButton
      className="button-quiet"
      word="Snapshots"
      title={isOn ? "Responses are compared with their snapshots" : "Compare responses with their snapshots"}
      icon={<Camera aria-hidden="true" />}
      aria-pressed={isOn}
      onClick={() => chooseSnapshots(!isOn)}
    />
  )
}

const StopButton = ({ run }: { readonly run: string }) => (
  <button type="button" className="button" onClick={() => void stopRun(run)}>
    <Square aria-hidden="true" />
    Stop
  </button>
)

/** Returns the run that is going on. A run that this page has started counts before the server reports it. */
function useRunning(workflow: string): string | undefined {
  const going = useLatestRuns()?.going.find((run) => run.workflow === workflow)?.run
  const kept = useKeptRuns(workflow)
  const chosen = useChosenRun(workflow)
  const known = useRuns((runs) => (chosen === undefined ? undefined : ownOf(runs, chosen.run)))
  if (chosen?.isOwn !== true) return going
  const isDone = known === undefined ? kept?.some(({ run }) => run === chosen.run) === true : known.isDone
  return isDone ? going : chosen.run
}
