// The workflows and APIs of a project, as tables.

import type { ApiView, WorkflowView } from "@callsheet/server/calls"
import { LevelBadge } from "../parts/level-badge.tsx"
import { Table } from "../parts/table.tsx"
import { RouteLink } from "../routes/route-link.tsx"
import { StatusMark } from "../run/status-mark.tsx"
import { useOutcomes, type Outcome } from "../run/use-outcomes.ts"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"

interface WorkflowsProps {
  readonly workflows: readonly WorkflowView[]
  /** The selected workflows. */
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

export function OverviewWorkflows({ workflows, chosen, onChoose }: WorkflowsProps) {
  const outcomes = useOutcomes()
  const toggle = (name: string): void => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    onChoose(next)
  }
  return (
    <Table columns={["Workflow", "APIs", "Last run", "Blocks"]} endsInNumbers>
      {workflows.map((workflow) => (
        <WorkflowRow
          key={workflow.name}
          workflow={workflow}
          outcome={outcomes.get(workflow.name)}
          isChosen={chosen.has(workflow.name)}
          onToggle={() => toggle(workflow.name)}
        />
      ))}
    </Table>
  )
}

interface WorkflowRowProps {
  readonly workflow: WorkflowView
  readonly outcome: Outcome | undefined
  readonly isChosen: boolean
  readonly onToggle: () => void
}

function WorkflowRow({ workflow, outcome, isChosen, onToggle }: WorkflowRowProps) {
  const { name, apis, blocks } = workflow
  return (
    <tr>
      <td>
        {blocks === undefined ? null : (
          <input
            type="checkbox"
            className="row-check"
            aria-label={`Select ${visibleText(name)}`}
            checked={isChosen}
            onChange={onToggle}
          />
        )}
        <RouteLink to={{ kind: "workflow", workflow: name }}>
          <ShownText text={name} />
        </RouteLink>
      </td>
      <td>
        <ShownText text={apis.join(", ")} />
      </td>
      <td>{outcome === undefined ? <span className="faint">none</span> : <StatusMark status={outcome} />}</td>
      <td>{blocks?.toLocaleString("en") ?? "can't be read"}</td>
    </tr>
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
                {name === level && level !== "local" ? null : <ShownText text={name} />}
                {level === "local" ? null : <LevelBadge level={level} />}
              </RouteLink>
            </li>
          ))}
        </ul>
      </td>
      <td>{requests.length.toLocaleString("en")}</td>
    </tr>
  )
}
