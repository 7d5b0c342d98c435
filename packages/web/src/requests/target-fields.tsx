// The target of a saved request: an operation of the document, or a method and path.

import type { JsonObject } from "@callsheet/format"
import type { OperationDetail } from "@callsheet/server/calls"
import { PairField } from "../forms/choice-field.tsx"
import { useForm } from "../forms/context/form-context.tsx"
import { OperationField } from "../forms/operation-field.tsx"
import { formatValue } from "../forms/value-text.ts"
import { readOperation } from "../forms/completion/known-sources.ts"
import { useProject } from "../connection/queries.ts"
import { targetOf } from "../forms/request/operation-request.ts"

interface Props {
  readonly api: string
  readonly request: JsonObject
  readonly detail: OperationDetail | undefined
}

/** The method and the path themselves are in the bar above the form. */
export function TargetFields({ api, request, detail }: Props) {
  const form = useForm()
  const isPath = request["path"] !== undefined || request["method"] !== undefined
  const choose = async (toPath: boolean): Promise<void> => {
    // Fill in the document's fields when it is loaded, even after an edit.
    const target = targetOf(request)
    const known = detail ?? (target === undefined ? undefined : await readOperation(api, target, undefined))
    form.change((text) => {
      if (toPath) {
        text.unset(["operation"])
        text.set(["method"], known?.method ?? "GET").set(["path"], known?.path ?? "/")
      } else {
        text.unset(["method"]).unset(["path"])
        text.set(["operation"], known?.name ?? "")
      }
    })
  }
  return (
    <>
      <PairField
        label="Sends"
        words={["an operation", "a method and a path"]}
        isSecond={isPath}
        onChoose={(toPath) => void choose(toPath)}
      />
      {isPath ? null : <NamedOperation api={api} request={request} detail={detail} />}
    </>
  )
}

function NamedOperation({ api, request, detail }: Props) {
  const form = useForm()
  const { data: project } = useProject()
  const { operation } = request
  return (
    <OperationField
      api={project?.apis.find(({ name }) => name === api)}
      pointer={["operation"]}
      value={operation === undefined ? "" : formatValue(operation)}
      detail={detail}
      onPick={(names) => form.set(["operation"], names.operation)}
    />
  )
}
