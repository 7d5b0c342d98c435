// The workflows and APIs of a project, as tables.

import { useEffect, useState } from "react"
import { suiteSubject, type ApiView, type WorkflowView } from "@callsheet/server/calls"
import { Table } from "../../ui/table.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { LastMark } from "../../runs/marks/status-mark.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { EnvironmentName } from "../../ui/badges.tsx"
import { age, clock, duration } from "../../ui/formats.ts"
import { useOutcomes, type Outcome } from "../../runs/state/use-run-queries.ts"

interface Selection {
  /** The selected workflows, and the `suiteSubject` of selected suites. */
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

interface WorkflowsProps extends Selection {
  readonly workflows: readonly WorkflowView[]
}

export function OverviewWorkflows({ workflows, ...selection }: WorkflowsProps) {
  const outcomes = useOutcomes()
  return (
    <Table columns={["Workflow", "APIs", "Last run", "Blocks"]} endsInNumbers>
      {workflows.map((workflow) => (
        <WorkflowRow
          key={workflow.name}
          workflow={workflow}
          outcome={outcomes.get(workflow.name)}
          selection={selection}
        />
      ))}
    </Table>
  )
}

interface WorkflowRowProps {
  readonly workflow: WorkflowView
  readonly outcome: Outcome | undefined
  readonly selection: Selection
}

function WorkflowRow({ workflow, outcome, selection }: WorkflowRowProps) {
  const { name, apis, blocks } = workflow
  return (
    <tr>
      <td>
        {blocks === undefined ? (
          <span className="row-check" />
        ) : (
          <RowCheck name={name} subject={name} {...selection} />
        )}
        <RouteLink to={{ kind: "workflow", workflow: name }}>
          <ShownText text={name} />
        </RouteLink>
      </td>
      <td>
        <ShownText text={apis.join(", ")} />
      </td>
      <td>
        <LastRun outcome={outcome} />
      </td>
      <td>{blocks?.toLocaleString("en") ?? "can't be read"}</td>
    </tr>
  )
}

/** The result of the last run, when it began and how long it took. */
function LastRun({ outcome }: { readonly outcome: Outcome | undefined }) {
  const now = useMinute()
  if (outcome === undefined) return <span className="last-run faint">none</span>
  const { startedAt, durationMs } = outcome
  return (
    <span className="last-run">
      <LastMark outcome={outcome} />
      <time dateTime={startedAt} title={clock(startedAt)}>
        {age(startedAt, now)}
      </time>
      {durationMs === undefined ? null : <span className="faint">{duration(durationMs)}</span>}
    </span>
  )
}

const MINUTE = 60_000

/** Returns the time in milliseconds, again each minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  // A run may have begun after the last minute.
  return Math.max(now, Date.now())
}

interface CheckProps extends Selection {
  readonly name: string
  readonly subject: string
}

function RowCheck({ name, subject, chosen, onChoose }: CheckProps) {
  const toggle = (): void => {
    const next = new Set(chosen)
    if (!next.delete(subject)) next.add(subject)
    onChoose(next)
  }
  return (
    <input
      type="checkbox"
      className="row-check"
      aria-label={`Select ${visibleText(name)}`}
      checked={chosen.has(subject)}
      onChange={toggle}
    />
  )
}

export function OverviewSuites({ suites, ...selection }: Selection & { readonly suites: readonly string[] }) {
  const outcomes = useOutcomes()
  return (
    <Table columns={["Suite", "Last run"]}>
      {suites.map((suite) => (
        <tr key={suite}>
          <td>
            <RowCheck name={suite} subject={suiteSubject(suite)} {...selection} />
            <RouteLink to={{ kind: "suite", suite }}>
              <ShownText text={suite} />
            </RouteLink>
          </td>
          <td>
            <LastRun outcome={outcomes.get(suiteSubject(suite))} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function OverviewApis({ apis }: { readonly apis: readonly ApiView[] }) {
  return (
    <Table columns={["API", "Document", "Environments", "Saved requests"]} endsInNumbers>
      {apis.map((api) => (
        <ApiRow key={api.name} api={api} />
      ))}
    </Table>
  )
}

function ApiRow({ api: { name: api, document, environments, requests } }: { readonly api: ApiView }) {
  return (
    <tr>
      <td>
        <RouteLink to={{ kind: "api", api }}>
          <ShownText text={api} />
        </RouteLink>
      </td>
      <td>
        {document === undefined ? (
          <span className="faint">none</span>
        ) : (
          <code>
            <ShownText text={document.file} />
          </code>
        )}
      </td>
      <td>
        <ul className="names">
          {environments.slice(0, 30).map(({ name, level }) => (
            <li key={name}>
              <RouteLink to={{ kind: "environment", api, environment: name }} className="environment-link">
                <EnvironmentName name={name} level={level} />
              </RouteLink>
            </li>
          ))}
        </ul>
      </td>
      <td>{requests.length.toLocaleString("en")}</td>
    </tr>
  )
}
