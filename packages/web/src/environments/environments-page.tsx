// The environments of an API: a toolbar, the table of variables and their values, and drafts whose cells are gone.

import { useEffect, useMemo, useRef, useState, type ReactNode } from "react"
import type { ApiView, EnvironmentColumn, EnvironmentsView } from "@callsheet/server/calls"
import { Redo2, Undo2 } from "lucide-react"
import { EmptyState } from "../ui/empty-state.tsx"
import { LevelBadge } from "../ui/badges.tsx"
import { RouteLink } from "../routes/route-link.tsx"
import { LongText, ShownText } from "../ui/shown-text.tsx"
import { Missing, ViewHead } from "../files/page-parts.tsx"
import { readFaultOf } from "../connection/fault-of.ts"
import { BarButton } from "../files/save-bar.tsx"
import { useUndoKeys } from "../files/edit-area.tsx"
import { count } from "../ui/formats.ts"
import { CopyButton } from "../ui/copy-button.tsx"
import { warnOfDrafts, dropDraft, useDraftsOf } from "./cell-drafts.ts"
import { Dialogs } from "./dialogs.tsx"
import { FileProblems, hasBrokenSchema } from "./file-problems.tsx"
import { countMissing, tableModel, cellOf } from "./table-model.ts"
import { TablePart } from "./table-part.tsx"
import { useEnvironments } from "./use-environments.ts"
import { showEnvironmentDialog } from "./environment-commands.ts"
import { useCellHistory } from "./cell-history.ts"
import { redoCell, undoCell } from "./save-cell.ts"

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
        <RouteLink to={{ kind: "environments", api }}>
          Environments of <ShownText text={api} />
        </RouteLink>
      </>
    )
  return (
    <div className="view view-environments">
      <ViewHead
        what={what}
        name={environment?.name ?? "Environments"}
        badge={
          // A name that says the level needs no badge.
          environment === undefined || environment.effectiveLevel === environment.name ? undefined : (
            <LevelBadge level={environment.effectiveLevel} />
          )
        }
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
  useFocusAfterFirst(view.variables.length > 0)
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

/** The first variable replaces the button that created it. The one of the toolbar then has the focus. */
function useFocusAfterFirst(hasVariables: boolean): void {
  const had = useRef(hasVariables)
  useEffect(() => {
    if (hasVariables && !had.current && document.activeElement === document.body)
      document.querySelector<HTMLElement>(".env-toolbar .button-main")?.focus()
    had.current = hasVariables
  }, [hasVariables])
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

interface NewProps {
  readonly api: string
  readonly isMain?: boolean
}

function NewVariableButton({ api, isMain = false }: NewProps) {
  return (
    <button
      type="button"
      className={isMain ? "button button-main" : "button"}
      onClick={() => showEnvironmentDialog({ kind: "new-variable", api })}
    >
      New variable
    </button>
  )
}

function NewEnvironmentButton({ api, isMain = false }: NewProps) {
  return (
    <button
      type="button"
      className={isMain ? "button button-main" : "button"}
      onClick={() => showEnvironmentDialog({ kind: "new-environment", api })}
    >
      New environment
    </button>
  )
}

interface ToolbarProps {
  readonly api: string
  readonly query: string
  readonly onlyMissing: boolean
  readonly missing: number
  readonly onQuery: (query: string) => void
  readonly onOnlyMissing: (onlyMissing: boolean) => void
}

function Toolbar({ api, query, onlyMissing, missing, onQuery, onOnlyMissing }: ToolbarProps) {
  return (
    <div className="env-toolbar" role="toolbar" aria-label="Environments">
      <input
        type="search"
        className="form-input env-filter"
        aria-label="Filter variables and environments"
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || query === "") return
          event.preventDefault()
          onQuery("")
        }}
      />
      {missing === 0 ? null : (
        <button
          type="button"
          className="button env-missing-button"
          aria-pressed={onlyMissing}
          onClick={() => onOnlyMissing(!onlyMissing)}
        >
          {count(missing, "required value")} missing
        </button>
      )}
      <span className="env-toolbar-space" />
      <UndoButtons api={api} />
      <NewEnvironmentButton api={api} />
      <NewVariableButton api={api} isMain />
    </div>
  )
}

function UndoButtons({ api }: { readonly api: string }) {
  const { past, future } = useCellHistory(api)
  const [undo, redo] = useMemo(() => [() => undoCell(api), () => redoCell(api)] as const, [api])
  useUndoKeys(`environments ${api}`, { undo, redo })
  return (
    <>
      <BarButton
        label="Undo"
        icon={<Undo2 aria-hidden="true" />}
        keys="Ctrl Z"
        onPress={undo}
        not={past.length === 0 && "Nothing to undo"}
      />
      <BarButton
        label="Redo"
        icon={<Redo2 aria-hidden="true" />}
        keys="Ctrl Shift Z"
        onPress={redo}
        not={future.length === 0 && "Nothing to redo"}
      />
    </>
  )
}

function Orphans({ view }: { readonly view: EnvironmentsView }) {
  const drafts = useDraftsOf(view.api).filter(
    ([{ environment, variable }]) => cellOf(view, environment, variable) === undefined,
  )
  if (drafts.length === 0) return null
  return (
    <div role="alert" className="env-orphans">
      <p>Unsaved values of variables or environments that no longer exist:</p>
      <ul>
        {drafts.map(([place, { intent }]) => (
          <li key={`${place.environment} ${place.variable}`}>
            <span>
              <ShownText text={place.variable} /> in <ShownText text={place.environment} />
              {intent.does === "set" ? (
                <>
                  :{" "}
                  <code>
                    <ShownText text={intent.text} />
                  </code>
                </>
              ) : null}
            </span>
            {intent.does === "set" ? <CopyButton text={intent.text} what="the unsaved value" /> : null}
            <button type="button" className="copy-button" onClick={() => dropDraft(place)}>
              Discard
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
