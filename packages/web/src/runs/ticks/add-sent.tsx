// Chooses the workflow that receives a sent request and the assertions on its response.

import { useState } from "react"
import { useProject } from "../../connection/queries.ts"
import { useDirtyFiles } from "../../files/open-files.ts"
import { fileKey } from "../../files/file-key.ts"
import { useOpenTabs } from "../../routes/open-tabs.ts"
import { count } from "../../ui/formats.ts"
import { LongText } from "../../ui/shown-text.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { visibleText } from "../../ui/visible-text.ts"
import {
  addToNewWorkflow,
  addToWorkflow,
  noBlockWords,
  useLastTarget,
  type AddedRequest,
  type Addition,
} from "./add-request.ts"
import { ChooseWorkflow, OpenTarget } from "./choose-workflow.tsx"

interface Props {
  readonly addition: Addition
  /** True if an expected value is not valid JSON. */
  readonly isInvalid: boolean
}

/** The values of the options that aren't workflows. No workflow can have these names. */
const NEW = ""
const CHOOSE = "/"

export function AddSent({ addition, isInvalid }: Props) {
  const { added, assertions } = addition
  const { target, setTarget, open, hasOthers, names } = useTarget()
  const [isChoosing, setChoosing] = useState(false)
  const submit = useSubmit()
  const isUnsaved = useIsUnsaved(added)
  const add = (): void => {
    if (isInvalid) return
    submit.run(() => (target === NEW ? addToNewWorkflow(addition, names) : addToWorkflow(addition, target)))
  }
  if (added.request === undefined) return <p className="faint">{noBlockWords}</p>
  return (
    <span className="tick-add">
      <button type="button" className="button" aria-disabled={isInvalid || submit.isBusy} onClick={add}>
        {isUnsaved ? "Save and add" : "Add"} {count(assertions.length, "assertion")}
      </button>
      to
      <select
        className="form-input"
        aria-label="Workflow"
        value={target}
        onChange={({ target: { value } }) => (value === CHOOSE ? setChoosing(true) : setTarget(value))}
      >
        <option value={NEW}>new workflow</option>
        {open.map((name) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
        {hasOthers ? <option value={CHOOSE}>choose…</option> : null}
      </select>
      {target === NEW ? null : <OpenTarget workflow={target} />}
      {submit.fault === undefined ? null : (
        <span role="alert" className="field-error">
          <LongText text={submit.fault.message} />
        </span>
      )}
      {isChoosing ? <ChooseWorkflow addition={addition} onClose={() => setChoosing(false)} /> : null}
    </span>
  )
}

/** The chosen workflow, and those in tabs. Starts with the one that received a request last, if it is still open. */
function useTarget() {
  const names = (useProject().data?.workflows ?? []).map(({ name }) => name)
  const tabs = useOpenTabs(({ tabs }) => tabs)
  const open = tabs.flatMap(({ route }) =>
    route.kind === "workflow" && names.includes(route.workflow) ? [route.workflow] : [],
  )
  const last = useLastTarget(({ workflow }) => workflow)
  const [chosen, setTarget] = useState<string>()
  const wanted = chosen ?? last ?? NEW
  return {
    names,
    open,
    hasOthers: names.length > open.length,
    target: open.includes(wanted) ? wanted : NEW,
    setTarget,
  }
}

function useIsUnsaved({ file }: AddedRequest): boolean {
  const unsaved = useDirtyFiles()
  return file !== undefined && unsaved.some((one) => fileKey(one) === fileKey(file))
}
