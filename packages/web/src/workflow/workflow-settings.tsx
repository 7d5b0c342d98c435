// The settings of a workflow: behavior after a failure, contract validation, and inputs.

import { workflowShape, type JsonObject } from "@callsheet/format"
import type { LocatedProblem } from "../forms/field-problems.ts"
import { FormProvider } from "../forms/form-context.tsx"
import { OwnProblems } from "../forms/form-field.tsx"
import { ShapeField } from "../forms/shape-field.tsx"
import type { WorkflowFile } from "./block-commands.ts"
import { WorkflowInputs } from "./workflow-inputs.tsx"

interface Props {
  readonly file: WorkflowFile
  readonly text: string
  readonly value: JsonObject
  readonly problems: readonly LocatedProblem[]
}

const skips: readonly string[] = ["inputs"]
const onFailure = {
  "": "stop the run (default)",
  halt: "stop the run",
  continue: "continue, and report the failure",
}

export function WorkflowSettings({ file, text, value, problems }: Props) {
  const field = { of: value, shape: workflowShape }
  return (
    <>
      <h2 className="wf-panel-title">Settings and inputs</h2>
      <FormProvider file={file} base={[]} text={text} problems={problems} skips={skips}>
        <div className="block-form">
          <OwnProblems />
          <ShapeField {...field} name="onFailure" label="When a block fails" words={onFailure} />
          <ShapeField
            {...field}
            name="validateContracts"
            label="Contracts"
            unit="check each response against its operation’s schema"
          />
        </div>
      </FormProvider>
      <WorkflowInputs
        file={file}
        inputs={value["inputs"]}
        problems={problems.filter(({ pointer }) => pointer[0] === "inputs")}
      />
    </>
  )
}
