// Sends an operation alone from its page: what it is given, its response, and what can be made of it. Nothing is saved by it.

import { useMemo } from "react"
import { isJsonObject, parseJson, type JsonObject } from "@callsheet/format"
import type { ApiView, OperationDetail } from "@callsheet/server/calls"
import { ReadingContext } from "../blocks/completion/use-suggest.ts"
import { useLocatedProblems } from "../blocks/field-problems.ts"
import { FormProvider, useOwnProblems, type EditedText } from "../blocks/form-context.tsx"
import { FieldProblems } from "../blocks/form-field.tsx"
import { ParamsPart } from "../blocks/params-part.tsx"
import { useOperation } from "../blocks/use-operation.ts"
import { EditArea } from "../editing/edit-area.tsx"
import { useUndoKeys } from "../editing/use-edit-keys.ts"
import { AddToWorkflow } from "../run/add-to-workflow.tsx"
import { SendPart } from "../run/send-part.tsx"
import { BodyPart } from "./body-part.tsx"
import { firstBody } from "./first-body.ts"
import { operationDraft, useOperationDraft } from "./operation-drafts.ts"
import { blockRequestOf, nameForOperation } from "./operation-request.ts"
import { nameOfOperation } from "./request-names.ts"
import { newRequestText, requestFileName } from "./request-files.ts"
import { SaveAsRequest } from "./save-as-request.tsx"
import { useRequestReading } from "./use-request-reading.ts"
import { useTextProblems } from "./use-text-problems.ts"

interface Props {
  readonly api: ApiView
  /** As a saved request names it. */
  readonly operation: string
  readonly resource: string | undefined
}

/** What was sent is kept by it: no saved request has such a name. */
const keyOf = (api: string, operation: string): string => `operation ${api} ${operation}`

export function OperationSender({ api, operation, resource }: Props) {
  const key = keyOf(api.name, operation)
  const detail = useOperation(api.name, operation, resource)
  const first = newRequestText({ operation, ...firstBody(detail?.body) })
  const text = useOperationDraft(key, first)
  const edited = useMemo(() => operationDraft(key, first), [key, first])
  useUndoKeys(key, edited)
  const named = nameForOperation({ operation, resource }, api.requests)
  return (
    <SendPart
      api={api.name}
      {...named}
      text={text}
      keptAs={key}
      actions={
        <>
          <AddToWorkflow
            name={nameOfOperation(operation)}
            request={blockRequestOf(api.name, { operation, resource }, text)}
          />
          <SaveAsRequest api={api} words="Save as request…" first={named} text={text} />
        </>
      }
    >
      <EditArea name={key}>
        <OperationForm file={requestFileName(api.name, named)} text={text} edited={edited} detail={detail} />
      </EditArea>
    </SendPart>
  )
}

interface FormProps {
  readonly file: ReturnType<typeof requestFileName>
  readonly text: string
  readonly edited: EditedText
  readonly detail: OperationDetail | undefined
}

function OperationForm({ file, text, edited, detail }: FormProps) {
  const problems = useLocatedProblems(text, useTextProblems(file, text))
  const reading = useRequestReading(file.api)
  const parsed = parseJson(text)
  const value = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  return (
    <ReadingContext value={reading}>
      <FormProvider file={file} base={root} text={text} problems={problems} skips={root} edited={edited}>
        <Fields request={value} detail={detail} />
      </FormProvider>
    </ReadingContext>
  )
}

const root: [] = []

function Fields({ request, detail }: { readonly request: JsonObject; readonly detail: FormProps["detail"] }) {
  return (
    <div className="request-form operation-form">
      <FieldProblems problems={useOwnProblems()} />
      <ParamsPart
        pointer={["params"]}
        upTo={["params"]}
        params={request["params"]}
        documented={detail?.parameters ?? []}
        showsRequired
      />
      <BodyPart request={request} documented={detail?.body} />
    </div>
  )
}
