// Sends a single operation from its page, and shows the response. Saves nothing.

import { useMemo, useEffect, useState, type ReactNode } from "react"
import { isJsonObject, parseJson, type JsonObject, type Problem } from "@callsheet/format"
import { filePath, type ApiView, type OperationDetail, type FileName } from "@callsheet/server/calls"
import { useStore, create } from "zustand"
import { ReadingContext } from "../forms/completion/roots.ts"
import { useLocatedProblems } from "../files/text/field-problems.ts"
import { FormProvider, useOwnProblems, type EditedText } from "../forms/context/form-context.tsx"
import { FieldProblems } from "../forms/form-field.tsx"
import { ParamsPart } from "../forms/params-part.tsx"
import { useOperation } from "../forms/completion/known-sources.ts"
import { call } from "../connection/call.ts"
import { EditArea, useUndoKeys } from "../files/edit-area.tsx"
import { noHistory, redoStep, undoStep, withStep, type EditHistory } from "../files/edit-history.ts"
import { fileKey } from "../files/file-key.ts"
import { createProblemTracker } from "../files/problem-tracker.ts"
import { changeBetween } from "../files/text/text-change.ts"
import { GenerateButton } from "../runs/generate/generate-button.tsx"
import { AddToWorkflow } from "../runs/response/add-to-workflow.tsx"
import { UsedBy } from "../search/used-by.tsx"
import { blockSnippet, type SnippetTarget } from "./block-snippet.ts"
import { SnippetSection } from "./snippet-section.tsx"
import { useEnvironment } from "../environments/use-environment.ts"
import { AuthenticationPart } from "../forms/authentication/authentication-part.tsx"
import { bodyTab } from "./body-part.tsx"
import { blockRequestOf, nameForOperation } from "../forms/request/operation-request.ts"
import { OperationDocs, preloadDocs } from "../forms/operation-docs.tsx"
import { RequestBench } from "./request-bench.tsx"
import { newRequestText } from "@callsheet/language"
import { requestFileName } from "../forms/request/request-files.ts"
import { nameOfOperation } from "../forms/request/request-names.ts"
import { useRequestReading } from "./use-request-reading.ts"
import { Tabs, type Tab } from "../ui/tabs.tsx"
import { SaveAsRequest } from "../runs/save/name-dialog.tsx"
import { firstBody } from "../forms/request/body-types.ts"

interface Props {
  readonly api: ApiView
  /** The operation's names in a saved request. */
  readonly names: { readonly operation: string; readonly resource: string | undefined }
  readonly head: (actions: ReactNode) => ReactNode
  /** The block that a tab beside the form shows, without the values of the form. */
  readonly target: SnippetTarget
}

/** The key of the sent input. No saved request can have this name. */
const keyOf = (api: string, operation: string): string => `operation ${api} ${operation}`

export function OperationSender({ api, names, head, target }: Props) {
  const { operation, resource } = names
  const key = keyOf(api.name, operation)
  const detail = useOperation(api.name, operation, resource)
  const first = newRequestText({ operation, ...firstBody(detail?.body) })
  const text = useOperationDraft(key, first)
  const edited = useMemo(() => operationDraft(key, first), [key, first])
  useUndoKeys(key, edited)
  useEffect(() => void preloadDocs(), [])
  const named = nameForOperation({ operation, resource }, api.requests)
  const file = requestFileName(api.name, named)
  const request = blockRequestOf(api.name, { operation, resource }, text)
  const added = { name: nameOfOperation(operation), request }
  const overrides = isJsonObject(request?.["overrides"]) ? request["overrides"] : undefined
  const tabs = [
    {
      name: "Form",
      render: () => <OperationForm named={names} file={file} text={text} edited={edited} detail={detail} />,
    },
    {
      name: "Docs",
      render: () => (detail === undefined ? null : <OperationDocs detail={detail} />),
    },
    {
      name: "Use in a workflow",
      render: () => <SnippetSection snippet={blockSnippet({ ...target, overrides })} />,
    },
    ...(detail === undefined ? [] : [usesTab(api.name, detail)]),
  ]
  return (
    <RequestBench
      sent={{ api: api.name, ...named, text, keptAs: key, added }}
      method={detail?.method}
      path={detail?.path ?? ""}
      params={objectIn(text)["params"]}
      head={head(
        <>
          <AddToWorkflow added={added} />
          <GenerateButton choice={{ api: api.name, operation: target.operation }} />
          <SaveAsRequest api={api} words="Save as request…" first={named} text={text} />
        </>,
      )}
    >
      <EditArea name={key} className="pane-area">
        <Tabs label="Operation" tabs={tabs} />
      </EditArea>
    </RequestBench>
  )
}

const usesTab = (api: string, { method, path }: OperationDetail): Tab => ({
  name: "Used by",
  render: () => <UsedBy of={{ kind: "operation", api, method, path }} />,
})

function objectIn(text: string): JsonObject {
  const parsed = parseJson(text)
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
}

interface FormProps {
  readonly named: Props["names"]
  readonly file: ReturnType<typeof requestFileName>
  readonly text: string
  readonly edited: EditedText
  readonly detail: OperationDetail | undefined
}

function OperationForm({ named, file, text, edited, detail }: FormProps) {
  const problems = useLocatedProblems(text, useTextProblems(file, text))
  const reading = useRequestReading(file.api)
  return (
    <ReadingContext value={reading}>
      <FormProvider file={file} base={root} text={text} problems={problems} skips={root} edited={edited}>
        <Fields api={file.api} named={named} request={objectIn(text)} detail={detail} />
      </FormProvider>
    </ReadingContext>
  )
}

const root: [] = []

interface FieldsProps extends Pick<FormProps, "named" | "detail"> {
  readonly api: string
  readonly request: JsonObject
}

function Fields({ api, named, request, detail }: FieldsProps) {
  return (
    <div className="request-form">
      <FieldProblems problems={useOwnProblems()} />
      <AuthenticationPart
        api={api}
        named={named}
        detail={detail}
        environment={useEnvironment(api, undefined)}
        params={request["params"]}
        pointer={["params"]}
        upTo={["params"]}
      />
      <ParamsPart
        pointer={["params"]}
        upTo={["params"]}
        params={request["params"]}
        documented={detail?.parameters ?? []}
        showsRequired
        tabs={[bodyTab(request, detail?.body)]}
      />
    </div>
  )
}

/**
 * Returns the problems of unsaved text. Those of the format appear at once, those of `validate` later. `name` is the
 * name that its file would have.
 */
function useTextProblems(name: FileName, text: string): readonly Problem[] {
  const [tracker] = useState(() => createProblemTracker(call))
  const key = fileKey(name)
  useEffect(() => tracker.note({ name, path: filePath(name), text }), [tracker, key, text])
  useEffect(() => () => tracker.forget(key), [tracker, key])
  return useStore(tracker.store, (known) => known.get(key)) ?? none
}

const none: readonly Problem[] = []

/** The input on an operation's page: the text of an unsaved request. Kept while the page is open. */
interface Draft {
  readonly text: string
  readonly history: EditHistory
}

const useDrafts = create<{ readonly drafts: ReadonlyMap<string, Draft> }>(() => ({ drafts: new Map() }))

/** `first` is the text to start with. */
const useOperationDraft = (key: string, first: string): string =>
  useDrafts(({ drafts }) => drafts.get(key)?.text ?? first)

function operationDraft(key: string, first: string): EditedText {
  const now = (): Draft => useDrafts.getState().drafts.get(key) ?? { text: first, history: noHistory }
  const put = (draft: Draft | undefined): void => {
    if (draft !== undefined) useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(key, draft) }))
  }
  return {
    now: () => now().text,
    edit: (edit, merge) => {
      const { text, history } = now()
      const next = edit(text)
      const change = changeBetween(text, next)
      if (change !== undefined)
        put({ text: next, history: withStep(history, change, { merge, now: Date.now() }) })
    },
    undo: () => put(undoStep(now().history, now().text)),
    redo: () => put(redoStep(now().history, now().text)),
  }
}
