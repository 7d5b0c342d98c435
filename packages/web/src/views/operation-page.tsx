// An operation of an API's document, and a block that sends it.

import type { ApiView, OperationView } from "@callsheet/server/calls"
import { namesOf } from "../blocks/operation-search.ts"
import { useOperationReading } from "../blocks/use-operation.ts"
import { useOperations } from "../data/use-operations.ts"
import { MethodBadge } from "../parts/method-badge.tsx"
import { useOnceTrue } from "../parts/use-once-true.ts"
import { RouteLink } from "../routes/route-link.tsx"
import type { Route } from "../routes/route.ts"
import { OperationSender } from "../requests/operation-sender.tsx"
import { useSendForm } from "../run/use-run-queries.ts"
import { ShownText } from "../text/shown-text.tsx"
import { blockSnippet } from "./block-snippet.ts"
import { Facts } from "./facts.tsx"
import { FileName } from "./file-name.tsx"
import { Missing } from "./missing.tsx"
import { SnippetSection } from "./snippet-section.tsx"
import { ViewHead } from "./view-head.tsx"

interface Props {
  readonly api: ApiView
  readonly route: Route & { readonly kind: "operation" }
}

export function OperationPage({ api, route }: Props) {
  const [operations] = useOperations([api.name])
  const operation = operations?.view?.operations.find(
    ({ method, path }) => method === route.method && path === route.path,
  )
  if (operation !== undefined)
    return <Operation api={api} operation={operation} names={namesOf(operation, operations?.view)} />
  if (operations?.view !== undefined || (operations?.hasFailed ?? false)) {
    return <Missing what="operation" name={`${route.method} ${route.path}`} />
  }
  return <p className="waiting">Loading the document…</p>
}

interface OperationProps {
  readonly api: ApiView
  readonly operation: OperationView
  /** The operation's names in a block or a saved request. */
  readonly names: ReturnType<typeof namesOf>
}

function Operation({ api, operation, names }: OperationProps) {
  const { name, method, path, resources, summary, deprecated } = operation
  const isWhole = useIsWhole(api.name, names)
  return (
    <div className="view">
      <ViewHead
        what={
          <>
            Operation of{" "}
            {
              <RouteLink to={{ kind: "api", api: api.name }}>
                <ShownText text={api.name} />
              </RouteLink>
            }
          </>
        }
        name={path}
        isCode
        badge={
          <>
            <MethodBadge method={method} />
            {deprecated === true ? <span className="tag">deprecated</span> : null}
          </>
        }
        description={summary}
      />
      <Facts
        facts={[
          [
            "Name",
            <code className="wrap">
              <ShownText text={name} />
            </code>,
          ],
          resources.length === 0
            ? undefined
            : [resources.length === 1 ? "Resource" : "Resources", <Names names={resources} />],
          api.document === undefined ? undefined : ["Document", <FileName path={api.document.file} />],
        ]}
      />
      {isWhole ? (
        <>
          <OperationSender key={`${api.name} ${method} ${path}`} api={api} {...names} />
          <SnippetSection
            snippet={blockSnippet({ api: api.name, resource: resources[0], operation: name, path })}
          />
        </>
      ) : null}
    </div>
  )
}

/** Returns whether all data of the form is loaded, so that nothing is inserted between visible content. */
function useIsWhole(api: string, { operation, resource }: OperationProps["names"]): boolean {
  const { isReading } = useOperationReading(api, operation, resource)
  const { data, error } = useSendForm(api)
  const isRead = !isReading && (data !== undefined || error !== null)
  return useOnceTrue(isRead, `${api} ${operation} ${resource ?? ""}`)
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="names">
      {names.slice(0, 50).map((name) => (
        <li key={name} className="tag">
          <ShownText text={name} />
        </li>
      ))}
    </ul>
  )
}
