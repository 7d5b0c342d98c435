// The target of a saved request: an operation of the document, or a method and path.

import type { JsonObject } from "@callsheet/format"
import type { OperationDetail } from "@callsheet/server/calls"
import { PairField } from "../forms/choice-field.tsx"
import { LiveInput } from "../forms/live-input.tsx"
import { useForm } from "../forms/form-context.tsx"
import { FormField } from "../forms/form-field.tsx"
import { OperationField, OperationNote } from "../forms/operation-field.tsx"
import { TextField } from "../forms/text-field.tsx"
import { formatValue } from "../forms/value-text.ts"
import { readOperation } from "../forms/completion/known-sources.ts"
import { useProject } from "../connection/queries.ts"
import { targetOf } from "./operation-request.ts"

interface Props {
  readonly api: string
  readonly request: JsonObject
  readonly detail: OperationDetail | undefined
}

const methods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

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
      {isPath ? (
        <PathFields request={request} detail={detail} />
      ) : (
        <NamedOperation api={api} request={request} detail={detail} />
      )}
    </>
  )
}

function PathFields({ request, detail }: Pick<Props, "request" | "detail">) {
  const form = useForm()
  const { method, path } = request
  return (
    <>
      <FormField label="Method" pointer={["method"]}>
        {(props) => (
          <LiveInput
            pointer={["method"]}
            {...props}
            value={method === undefined ? "" : formatValue(method)}
            reads="none"
            values={methods}
            onChange={(text) => form.set(["method"], text)}
          />
        )}
      </FormField>
      <TextField
        label="Path"
        pointer={["path"]}
        value={path}
        reads="text"
        placeholder="/orders/{id}"
        isRequired
        note={detail === undefined ? undefined : <OperationNote detail={detail} />}
      />
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
