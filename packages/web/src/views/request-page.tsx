// A saved request: its form, its text, and a block that sends it.

import { isJsonObject } from "@callsheet/format"
import type { ApiView } from "@callsheet/server/calls"
import { useOperationReading } from "../blocks/use-operation.ts"
import { EditArea } from "../editing/edit-area.tsx"
import { FileEditor } from "../editing/file-editor.tsx"
import type { OpenFile } from "../editing/open-file.ts"
import { useOpenFile } from "../editing/open-files.ts"
import { SaveBar } from "../editing/save-bar.tsx"
import { useOnceTrue } from "../parts/use-once-true.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { RequestActions } from "../requests/request-actions.tsx"
import { requestFileName } from "../requests/request-files.ts"
import { RequestForm } from "../requests/request-form.tsx"
import type { RequestName } from "../requests/request-names.ts"
import { targetOf } from "../requests/target-of.ts"
import { AddToWorkflow } from "../run/add-to-workflow.tsx"
import { SendPart } from "../run/send-part.tsx"
import { Tabs } from "../run/tabs.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"
import { blockSnippet } from "./block-snippet.ts"
import { Missing } from "./missing.tsx"
import { SnippetSection } from "./snippet-section.tsx"
import { ViewHead } from "./view-head.tsx"

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
  return (
    <div className="view view-request">
      <div className="view-top">
        <ViewHead what={<Origin api={api.name} resource={resource} />} name={name} />
        <RequestActions api={api} name={{ resource, request: name }} file={open} />
      </div>
      <SaveBar name={file} />
      {isWhole ? (
        <>
          <EditArea name={file} className="request-area">
            <Tabs
              key={String(isBroken)}
              label="Saved request"
              tabs={isBroken ? [json, snippet] : [form, json, snippet]}
            />
          </EditArea>
          {open.state === "ready" ? (
            <SendPart
              key={`${resource}/${name}`}
              api={api.name}
              resource={resource}
              request={name}
              text={open.text}
              actions={<AddToWorkflow name={name} request={{ api: api.name, resource, instance: name }} />}
            />
          ) : null}
        </>
      ) : (
        <p className="faint">Loading the request…</p>
      )}
    </div>
  )
}

function Origin({ api, resource }: { readonly api: string; readonly resource: string }) {
  return (
    <>
      Saved request of{" "}
      <RouteLink to={{ kind: "api", api }}>
        <ShownText text={api} />
      </RouteLink>
      {" · "}
      <ShownText text={resource} />
    </>
  )
}

/**
 * Returns whether the file and its operation's document are loaded, so that nothing is inserted between visible
 * content.
 */
function useIsWhole(api: string, name: RequestName, { state, value }: OpenFile): boolean {
  const target = state === "ready" && isJsonObject(value) ? targetOf(value) : undefined
  const { isReading } = useOperationReading(api, target)
  const isRead = state === "ready" ? !isReading : state !== "loading"
  return useOnceTrue(isRead, `${api} ${name.resource}/${name.request}`)
}
