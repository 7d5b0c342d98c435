// A saved request: its form, its text, and a block that sends it.

import type { ReactNode } from "react"
import { isJsonObject } from "@callsheet/format"
import type { ApiView } from "@callsheet/server/calls"
import { useOperation, useOperationReading } from "../forms/completion/known-sources.ts"
import { EditArea } from "../files/edit-area.tsx"
import { FileEditor } from "../forms/file-editor.tsx"
import { useOpenFile } from "../files/open-files.ts"
import { useOperations } from "../connection/queries.ts"
import { SaveBar } from "../files/save-bar.tsx"
import { useOnceTrue } from "../ui/use-once-true.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { RequestBench } from "./request-bench.tsx"
import { requestItems } from "./request-items.ts"
import { requestFileName } from "../forms/request/request-files.ts"
import { RequestForm } from "./request-form.tsx"
import type { RequestName } from "../forms/request/request-names.ts"
import { AddToWorkflow } from "../runs/response/add-to-workflow.tsx"
import { useEnvironments } from "../environments/use-environments.ts"
import { useSendForm } from "../runs/state/use-run-queries.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { UsedBy } from "../search/used-by.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { BenchHead } from "../ui/bench-head.tsx"
import { blockSnippet } from "./block-snippet.ts"
import { SnippetSection } from "./snippet-section.tsx"
import { Tabs } from "../ui/tabs.tsx"
import { MenuButton } from "../ui/menu.tsx"
import { Missing } from "../files/page-parts.tsx"
import { targetOf } from "../forms/request/operation-request.ts"
import type { OpenFile } from "../files/file-state.ts"

interface Props {
  readonly api: ApiView
  readonly resource: string
  readonly name: string
}

export function RequestPage({ api, resource, name }: Props) {
  const file = requestFileName(api.name, { resource, request: name })
  const open = useOpenFile(file)
  const isWhole = useIsWhole(api.name, { resource, request: name }, open)
  if (open.state === "missing") return <Missing what="saved request" name={`${resource}/${name}`} />
  const isBroken = open.state === "ready" && open.value === undefined
  if (!isWhole) return <p className="waiting">Loading the request…</p>
  const form = {
    name: "Form",
    render: () => (open.state === "ready" ? <RequestForm name={file} file={open} /> : null),
  }
  const json = {
    name: "JSON",
    render: () => <FileEditor name={file} label={`Text of ${visibleText(open.path)}`} />,
  }
  const snippet = {
    name: "Use in a workflow",
    render: () => <SnippetSection snippet={blockSnippet({ api: api.name, resource, instance: name })} />,
  }
  const uses = {
    name: "Used by",
    render: () => <UsedBy of={{ kind: "request", api: api.name, resource, request: name }} />,
  }
  return (
    <WholeRequest api={api} name={{ resource, request: name }} open={open}>
      <EditArea name={file} className="pane-area">
        <Tabs
          key={String(isBroken)}
          label="Saved request"
          tabs={isBroken ? [json, snippet, uses] : [form, json, snippet, uses]}
        />
      </EditArea>
    </WholeRequest>
  )
}

interface WholeProps {
  readonly api: ApiView
  readonly name: RequestName
  readonly open: OpenFile
  readonly children: ReactNode
}

function WholeRequest({ api, name, open, children }: WholeProps) {
  const { resource, request } = name
  const value = open.value !== undefined && isJsonObject(open.value) ? open.value : {}
  const detail = useOperation(api.name, targetOf(value))
  const { method = detail?.method, path = detail?.path } = value
  const added = {
    name: request,
    request: { api: api.name, resource, instance: request },
    file: requestFileName(api.name, name),
  }
  return (
    <RequestBench
      key={`${resource}/${request}`}
      sent={{ api: api.name, resource, request, text: open.text, added }}
      method={typeof method === "string" ? method : undefined}
      path={typeof path === "string" ? path : ""}
      params={value["params"]}
      edited={
        open.state === "ready" && open.value !== undefined
          ? { file: requestFileName(api.name, name), request: value, detail }
          : undefined
      }
      head={
        <BenchHead
          parents={[
            <RouteLink to={{ kind: "api", api: api.name }} className="quiet-link">
              <ShownText text={api.name} />
            </RouteLink>,
            <ShownText text={resource} />,
          ]}
          name={request}
        >
          <SaveBar name={requestFileName(api.name, name)} />
          <AddToWorkflow added={added} />
          {open.state === "ready" ? <MenuButton name={request} items={requestItems(api.name, name)} /> : null}
        </BenchHead>
      }
    >
      {children}
    </RequestBench>
  )
}

/**
 * Returns whether the file and its operation's document are loaded, so that nothing is inserted between visible
 * content.
 */
function useIsWhole(api: string, name: RequestName, { state, value }: OpenFile): boolean {
  const target = state === "ready" && isJsonObject(value) ? targetOf(value) : undefined
  const { isReading } = useOperationReading(api, target)
  const { data, error } = useSendForm(api)
  // A typed URL is compared with the operations.
  const [operations] = useOperations([api])
  const isListed = operations?.view !== undefined || operations?.hasFailed === true
  const variables = useEnvironments(api)
  const isFormRead = (data !== undefined || error !== null) && !variables.isPending
  const isRead = state === "ready" ? !isReading && isFormRead && isListed : state !== "loading"
  return useOnceTrue(isRead, `${api} ${name.resource}/${name.request}`)
}
