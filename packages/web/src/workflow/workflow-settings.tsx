// The settings of a workflow: behavior after a failure, contract validation, and inputs.

import type { JsonObject, JsonValue } from "@callsheet/format"
import type { LocatedProblem } from "../forms/field-problems.ts"
import { FieldProblems, ProblemField } from "../forms/form-field.tsx"
import { editFile } from "../files/open-files.ts"
import { setValue } from "./block-edits.ts"
import type { WorkflowFile } from "./block-commands.ts"
import { WorkflowInputs } from "./workflow-inputs.tsx"

interface Props {
  readonly file: WorkflowFile
  readonly value: JsonObject
  readonly problems: readonly LocatedProblem[]
}

export function WorkflowSettings({ file, value, problems }: Props) {
  const of = (field: string) =>
    problems.filter(({ pointer }) => pointer[0] === field).map(({ problem }) => problem)
  const others = problems
    .filter(({ pointer }) => !["onFailure", "validateContracts", "inputs"].includes(String(pointer[0])))
    .map(({ problem }) => problem)
  const set = (field: string, next: JsonValue | undefined): void =>
    editFile(file, (text) => setValue(text, [field], next))
  return (
    <>
      <h2 className="wf-panel-title">Settings and inputs</h2>
      <FieldProblems problems={others} />
      <div className="block-form">
        <FailureField value={value["onFailure"]} set={set} problems={of("onFailure")} />
        <ContractsField value={value["validateContracts"]} set={set} problems={of("validateContracts")} />
      </div>
      <WorkflowInputs
        file={file}
        inputs={value["inputs"]}
        problems={problems.filter(({ pointer }) => pointer[0] === "inputs")}
      />
    </>
  )
}

interface FieldProps {
  readonly value: JsonValue | undefined
  readonly set: (field: string, value: JsonValue | undefined) => void
  readonly problems: Parameters<typeof FieldProblems>[0]["problems"]
}

function FailureField({ value, set, problems }: FieldProps) {
  const isKnown = value === undefined || value === "halt" || value === "continue"
  return (
    <ProblemField label="When a block fails" problems={problems}>
      {(props) => (
        <select
          {...props}
          data-first-field
          className="form-input wf-short"
          value={value === undefined ? "" : isKnown ? value : "other"}
          onChange={({ target }) => set("onFailure", target.value === "" ? undefined : target.value)}
        >
          <option value="">stop the run (default)</option>
          <option value="halt">stop the run</option>
          <option value="continue">continue, and report the failure</option>
          {isKnown ? null : <option value="other">another value</option>}
        </select>
      )}
    </ProblemField>
  )
}

function ContractsField({ value, set, problems }: FieldProps) {
  return (
    <ProblemField label="Contracts" problems={problems}>
      {(props) => (
        <span className="wf-check">
          <input
            {...props}
            type="checkbox"
            // The label of the field would repeat its name, so use only the one next to it.
            aria-labelledby={`${props.id}-does`}
            checked={value === true}
            onChange={({ target }) => set("validateContracts", target.checked ? true : undefined)}
          />
          <label id={`${props.id}-does`} htmlFor={props.id}>
            check each response against its operation&rsquo;s schema
          </label>
        </span>
      )}
    </ProblemField>
  )
}
