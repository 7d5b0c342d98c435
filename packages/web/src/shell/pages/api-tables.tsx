// The environments and saved requests of an API, as tables.

import type { ApiView } from "@callsheet/server/calls"
import { LevelBadge } from "../../ui/level-badge.tsx"
import { Table } from "../../ui/table.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { ShownText } from "../../ui/shown-text.tsx"

export function ApiEnvironments({ api: { name: api, environments } }: { readonly api: ApiView }) {
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

export function ApiRequests({ api: { name: api, requests } }: { readonly api: ApiView }) {
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
