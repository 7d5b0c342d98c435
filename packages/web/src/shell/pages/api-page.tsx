// An API: its document, environments and saved requests.

import type { ApiView } from "@callsheet/server/calls"
import { useOperations } from "../../connection/use-operations.ts"
import { useProblemsOf } from "../../connection/use-problems.ts"
import { nameForOperation } from "../../requests/operation-request.ts"
import { newRequestText } from "../../requests/request-files.ts"
import { SaveAsRequest } from "../../requests/save-as-request.tsx"
import { count } from "../../ui/count.ts"
import { ApiEnvironments, ApiRequests } from "./api-tables.tsx"
import { Facts } from "./facts.tsx"
import { FileName } from "./file-name.tsx"
import { OwnProblems } from "./own-problems.tsx"
import { Section } from "./section.tsx"
import { ViewHead } from "./view-head.tsx"

export function ApiPage({ api }: { readonly api: ApiView }) {
  const [operations] = useOperations(api.document === undefined ? [] : [api.name])
  const view = operations?.view
  const problems = useProblemsOf((path) => path.startsWith(`apis/${api.name}/`))
  return (
    <div className="view">
      <ViewHead
        what="API"
        name={api.name}
        description={view?.title}
        isReading={operations !== undefined && operations.view === undefined && !operations.hasFailed}
      />
      <Facts
        facts={[
          [
            "Document",
            api.document === undefined ? (
              <NoDocument api={api.name} />
            ) : (
              <FileName path={api.document.file} />
            ),
          ],
          api.document === undefined
            ? undefined
            : ["OpenAPI", view?.version ?? (view === undefined ? "…" : "can't be read")],
          api.document === undefined
            ? undefined
            : ["Operations", view === undefined ? "…" : count(view.operations.length, "operation")],
        ]}
      />
      <Section title="Environments">
        <ApiEnvironments api={api} />
      </Section>
      <Section title="Saved requests">
        <ApiRequests api={api} />
        <SaveAsRequest
          api={api}
          words="New saved request…"
          first={nameForOperation({ operation: "request", resource: undefined }, api.requests)}
          text={newRequestText({ method: "GET", path: "/" })}
        />
      </Section>
      {/* Last, because problems arrive later and must not move other content. */}
      <OwnProblems problems={problems} showsFiles />
    </div>
  )
}

function NoDocument({ api }: { readonly api: string }) {
  return (
    <>
      none. To list its operations here, add its OpenAPI file as{" "}
      <code className="wrap">apis/{api.slice(0, 100)}/openapi.json</code> or <code>openapi.yaml</code>.
    </>
  )
}
