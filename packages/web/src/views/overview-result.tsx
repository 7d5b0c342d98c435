// The results beside the project's contents: the current runs, or the last failures.

import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../connection/connection.ts"
import { reportQuery } from "../data/queries.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { failuresIn, useBatch, type BatchFailure, type BatchRun } from "../run/batch.ts"
import { StatusMark } from "../run/status-mark.tsx"
import { useLatestRuns } from "../run/use-run-queries.ts"
import { clock } from "../run/durations.ts"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { Section } from "./section.tsx"

export function OverviewResult() {
  const { runs, isGoing } = useBatch()
  return (
    <section className="result" aria-label="Results" tabIndex={0}>
      {runs.length === 0 ? <RecentFailures /> : <BatchResult runs={runs} isGoing={isGoing} />}
    </section>
  )
}

function BatchResult({ runs, isGoing }: { readonly runs: readonly BatchRun[]; readonly isGoing: boolean }) {
  const of = (status: BatchRun["status"]): number => runs.filter((run) => run.status === status).length
  const done = of("passed") + of("failed")
  return (
    <>
      <p className="batch-totals" role="status">
        {isGoing ? `${done} of ${runs.length}` : `Ran ${done} of ${runs.length}`}:{" "}
        <span className="batch-passed">{of("passed")} passed</span>,{" "}
        <span className={of("failed") === 0 ? "" : "batch-failed"}>{of("failed")} failed</span>
      </p>
      <ul className="batch-runs">
        {runs.map(({ workflow, status }) => (
          <li key={workflow}>
            <StatusMark status={status === "waiting" ? "skipped" : status} word={status} />
            <RouteLink to={{ kind: "workflow", workflow }} className="quiet-link">
              <ShownText text={workflow} />
            </RouteLink>
          </li>
        ))}
      </ul>
      {of("failed") === 0 ? null : (
        <Section title="Failures">
          {runs
            .filter(({ failures }) => failures.length > 0)
            .map(({ workflow, failures }) => (
              <Failures key={workflow} workflow={workflow} failures={failures} />
            ))}
        </Section>
      )}
    </>
  )
}

/** The failures of at most this many workflows are shown. */
const MAX_RECENT = 5

function RecentFailures() {
  const latest = useLatestRuns()
  const failed = (latest?.runs ?? []).filter(
    ({ status, isStopped, workflow }) => status !== "passed" && isStopped !== true && !workflow.includes("/"),
  )
  return (
    <Section title="Recent failures">
      {failed.length === 0 ? (
        <p className="faint">
          {latest === undefined ? "Loading the last runs…" : "No workflow failed in its last run."}
        </p>
      ) : (
        failed
          .slice(0, MAX_RECENT)
          .map(({ run, workflow, startedAt }) => (
            <RecentFailure key={run} run={run} workflow={workflow} startedAt={startedAt} />
          ))
      )}
    </Section>
  )
}

interface RecentProps {
  readonly run: string
  readonly workflow: string
  readonly startedAt: string
}

function RecentFailure({ run, workflow, startedAt }: RecentProps) {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data } = useQuery({ ...reportQuery(run), enabled: isOpen })
  return (
    <Failures
      workflow={workflow}
      failures={data === undefined ? [] : failuresIn(data)}
      note={clock(startedAt)}
    />
  )
}

interface FailuresProps {
  readonly workflow: string
  readonly failures: readonly BatchFailure[]
  readonly note?: string
}

function Failures({ workflow, failures, note }: FailuresProps) {
  return (
    <article className="failure" aria-label={`Failures of ${workflow}`.slice(0, 200)}>
      <p className="failure-head">
        <StatusMark status="failed" />
        <RouteLink to={{ kind: "workflow", workflow }}>
          <ShownText text={workflow} />
        </RouteLink>
        <span className="faint">{note}</span>
      </p>
      <ul>
        {failures.map(({ block, message }, index) => (
          <li key={index} className="failure-line">
            {block === undefined ? null : (
              <code>
                <ShownText text={block} />
              </code>
            )}{" "}
            <LongText text={message} />
          </li>
        ))}
      </ul>
    </article>
  )
}
