// An API: its document, environments and saved requests.

import type { ApiView } from "@callsheet/server/calls"
import { nameForOperation } from "../../forms/request/operation-request.ts"
import { newRequestText } from "@callsheet/language"
import { count } from "../../ui/formats.ts"
import { useProblemsOf, useOperations } from "../../connection/queries.ts"
import { SaveAsRequest } from "../../runs/save/name-dialog.tsx"
import { ViewHead, Section, Facts, FileName, OwnProblems } from "../../files/page-parts.tsx"
import { Table } from "../../ui/table.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { GenerateButton } from "../../runs/generate/generate-button.tsx"
import { DocumentSource } from "../imports/document-source.tsx"
import { DocumentChanges } from "./document-changes.tsx"
import { LevelBadge } from "../../ui/badges.tsx"
import { later } from "../../ui/later.tsx"

const [MockPart] = later(
  async () => (await import("./mock-part.tsx")).MockPart,
  () => <p className="section-words">…</p>,
)

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
          api.document === undefined ? undefined : ["Tests", <GenerateButton choice={{ api: api.name }} />],
          ["Changes", <DocumentChanges api={api.name} />],
          api.source === undefined
            ? undefined
            : ["Source", <DocumentSource api={api.name} source={api.source} />],
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
      {api.document === undefined ? null : (
        <Section title="Mock">
          <MockPart key={api.name} api={api.name} />
        </Section>
      )}
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

function ApiEnvironments({ api: { name: api, environments } }: { readonly api: ApiView }) {
  if (environments.length === 0) {
    return (
      <p className="section-words">
        No environments yet.{" "}
        <RouteLink to={{ kind: "environments", api }}>Declare variables and create one</RouteLink>, or add a
        file to <code>environments/</code>.
      </p>
    )
  }
  return (
    <>
      <p className="section-words">
        <RouteLink to={{ kind: "environments", api }}>All values in one table</RouteLink>
      </p>
      <Table columns={["Environment", "Level", "Inherits from"]}>
        {environments.map(({ name, level, extends: parent }) => (
          <tr key={name}>
            <td>
              <RouteLink to={{ kind: "environment", api, environment: name }}>
                <ShownText text={name} />
              </RouteLink>
            </td>
            <td>
              <LevelBadge level={level} />
            </td>
            <td>
              {parent === undefined ? <span className="faint">nothing</span> : <ShownText text={parent} />}
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}

function ApiRequests({ api: { name: api, requests } }: { readonly api: ApiView }) {
  if (requests.length === 0) {
    return (
      <p className="section-words">
        No saved requests yet. A saved request is a file{" "}
        <code>requests/&lt;resource&gt;/&lt;name&gt;.json</code> next to the document.
      </p>
    )
  }
  return (
    <Table columns={["Saved request", "Resource", "Sends"]}>
      {requests.map(({ resource, name, target }) => (
        <tr key={`${resource}/${name}`}>
          <td>
            <RouteLink to={{ kind: "request", api, resource, request: name }}>
              <ShownText text={name} />
            </RouteLink>
          </td>
          <td>
            <ShownText text={resource} />
          </td>
          <td>
            <code className="wrap">
              <ShownText text={target ?? "can't be read"} />
            </code>
          </td>
        </tr>
      ))}
    </Table>
  )
}
