// An operation of an API's document, and a block that sends it.

import type { ApiView, OperationView } from "@callsheet/server/calls"
import { namesOf } from "../forms/operation-search.ts"
import { useOperationReading } from "../forms/completion/known-sources.ts"
import { isOfDocument, useChanges, useImpact, useOperations } from "../connection/queries.ts"
import { useOnceTrue } from "../ui/use-once-true.ts"
import { RouteLink } from "../routes/route-link.tsx"
import type { Route } from "../routes/route.ts"
import { OperationSender } from "./operation-sender.tsx"
import { useEnvironments } from "../environments/use-environments.ts"
import { useSendForm } from "../runs/state/use-run-queries.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { BenchHead } from "../ui/bench-head.tsx"
import { Missing } from "../files/page-parts.tsx"

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
  const { name, method, path, resources, deprecated } = operation
  const isWhole = useIsWhole(api.name, names)
  if (!isWhole) return <p className="waiting">Loading the document…</p>
  return (
    <OperationSender
      key={`${api.name} ${method} ${path}`}
      api={api}
      names={names}
      target={{ api: api.name, resource: resources[0], operation: name, path }}
      head={(actions) => (
        <BenchHead
          parents={[
            <RouteLink to={{ kind: "api", api: api.name }} className="quiet-link">
              <ShownText text={api.name} />
            </RouteLink>,
            ...(resources[0] === undefined ? [] : [<ShownText text={resources[0]} />]),
          ]}
          name={name}
          badge={
            <>
              {deprecated === true ? <span className="tag">deprecated</span> : null}
              <ChangedTag api={api.name} method={method} path={path} />
            </>
          }
        >
          {actions}
        </BenchHead>
      )}
    />
  )
}

interface ChangedProps {
  readonly api: string
  readonly method: string
  readonly path: string
}

/** Says that the operation has changed since the last commit, and whether that breaks something here. */
function ChangedTag({ api, method, path }: ChangedProps) {
  const files = useChanges()?.files ?? []
  const { data } = useImpact(
    api,
    files.some(({ file }) => isOfDocument(api, file)),
  )
  const own =
    data?.is === "compared"
      ? data.changes.filter(({ target }) => target?.method === method && target.path === path)
      : []
  if (own.length === 0) return null
  const isBroken = own.some((change) => change.class === "breaks")
  return (
    <RouteLink to={{ kind: "impact", api }} className={isBroken ? "tag tag-link tag-breaks" : "tag tag-link"}>
      {isBroken ? "changed, breaks a workflow" : "changed"}
    </RouteLink>
  )
}

/** Returns whether all data of the form is loaded, so that nothing is inserted between visible content. */
function useIsWhole(api: string, { operation, resource }: OperationProps["names"]): boolean {
  const { isReading } = useOperationReading(api, operation, resource)
  const { data, error } = useSendForm(api)
  const variables = useEnvironments(api)
  const isRead = !isReading && (data !== undefined || error !== null) && !variables.isPending
  return useOnceTrue(isRead, `${api} ${operation} ${resource ?? ""}`)
}
