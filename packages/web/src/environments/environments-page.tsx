// The environments of an API: variables, their values, and actions on both.

import { useEffect, useMemo, useState, type ReactNode } from "react"
import type { ApiView, EnvironmentColumn, EnvironmentsView } from "@callsheet/server/calls"
import { EmptyState } from "../ui/empty-state.tsx"
import { LevelBadge } from "../ui/level-badge.tsx"
import { RouteLink } from "../routes/route-link.tsx"
import { LongText } from "../ui/long-text.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { Missing } from "../shell/pages/missing.tsx"
import { ViewHead } from "../shell/pages/view-head.tsx"
import { warnOfDrafts } from "./cell-drafts.ts"
import { Dialogs } from "./dialogs.tsx"
import { readFaultOf } from "../connection/fault-of.ts"
import { FileProblems, hasBrokenSchema } from "./file-problems.tsx"
import { NewEnvironmentButton, NewVariableButton } from "./new-buttons.tsx"
import { Orphans } from "./orphans.tsx"
import { countMissing, tableModel } from "./table-model.ts"
import { TablePart } from "./table-part.tsx"
import { Toolbar } from "./toolbar.tsx"
import { useEnvironments } from "./use-environments.ts"

interface Props {
  readonly api: ApiView
  /** The environment in the route. Its column gets the focus. */
  readonly environment: string | undefined
}

export function EnvironmentsPage({ api, environment }: Props) {
  const { data: view, error } = useEnvironments(api.name)
  useEffect(warnOfDrafts, [])
  if (view === undefined) {
    return (
      <Frame api={api.name}>
        <p className="section-words" role="status">
          {error === null ? "Loading the environments…" : <LongText text={readFaultOf(error)} />}
        </p>
      </Frame>
    )
  }
  const column = view.environments.find(({ name }) => name === environment)
  if (environment !== undefined && column === undefined)
    return <Missing what="environment" name={environment} />
  return (
    <Frame api={api.name} environment={column}>
      <Orphans view={view} />
      <Shown view={view} environment={environment} />
      <Dialogs view={view} />
    </Frame>
  )
}

interface FrameProps {
  readonly api: string
  readonly environment?: EnvironmentColumn | undefined
  readonly children: ReactNode
}

function Frame({ api, environment, children }: FrameProps) {
  const what =
    environment === undefined ? (
      <>
        API{" "}
        <RouteLink to={{ kind: "api", api }}>
          <ShownText text={api} />
        </RouteLink>
      </>
    ) : (
      <>
        One of the{" "}
        <RouteLink to={{ kind: "environments", api }}>
          environments of <ShownText text={api} />
        </RouteLink>
      </>
    )
  return (
    <div className="view view-environments">
      <ViewHead
        what={what}
        name={environment?.name ?? "Environments"}
        badge={environment === undefined ? undefined : <LevelBadge level={environment.effectiveLevel} />}
      />
      {children}
    </div>
  )
}

function Shown({
  view,
  environment,
}: {
  readonly view: EnvironmentsView
  readonly environment: string | undefined
}) {
  const [query, setQuery] = useState("")
  const [wantsMissing, setWantsMissing] = useState(false)
  const missing = useMemo(() => countMissing(view), [view])
  const onlyMissing = wantsMissing && missing > 0
  const model = useMemo(() => tableModel(view, { query, onlyMissing }), [view, query, onlyMissing])
  const { api } = view
  const isBroken = hasBrokenSchema(view)
  if (view.variables.length === 0)
    return isBroken ? <FileProblems view={view} /> : <NoVariables view={view} />
  return (
    <>
      <Toolbar {...{ api, query, onlyMissing, missing }} onQuery={setQuery} onOnlyMissing={setWantsMissing} />
      <FileProblems view={view} />
      {view.environments.length === 0 ? <NoEnvironments api={api} /> : null}
      {model.rows.length === 0 || (model.columns.length === 0 && view.environments.length > 0) ? (
        <p className="section-words" role="status">
          No matches.
        </p>
      ) : (
        <TablePart key={`${api} ${environment ?? ""}`} api={api} model={model} shown={environment} />
      )}
    </>
  )
}

function NoVariables({ view }: { readonly view: EnvironmentsView }) {
  const { api, schema, environments } = view
  return (
    <>
      <EmptyState title="Declare the first variable">
        <p>
          A variable is a value that differs between environments: a base URL, a user, a key. Declare it once,
          in <code className="wrap">{schema.path.slice(0, 300)}</code>, and give it a value in each
          environment.
        </p>
        <p className="env-empty-actions">
          <NewVariableButton api={api} isMain />
          <NewEnvironmentButton api={api} />
        </p>
      </EmptyState>
      {environments.length === 0 ? null : (
        <ul className="names">
          {environments.map(({ name }) => (
            <li key={name} className="tag">
              <ShownText text={name} />
            </li>
          ))}
        </ul>
      )}
      <FileProblems view={view} />
    </>
  )
}

function NoEnvironments({ api }: { readonly api: string }) {
  return (
    <EmptyState title="Create the first environment">
      <p>
        An environment is one set of values, such as local, staging or production. Its file is next to
        schema.json.
      </p>
      <p className="env-empty-actions">
        <NewEnvironmentButton api={api} isMain />
      </p>
    </EmptyState>
  )
}
