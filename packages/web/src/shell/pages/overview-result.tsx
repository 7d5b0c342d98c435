// The results beside the project's contents: the current runs, or the last failures.

import { useQuery } from "@tanstack/react-query"
import { suiteOf } from "@callsheet/server/calls"
import { useConnection } from "../../connection/connection.ts"
import { reportQuery } from "../../connection/queries.ts"
import { RouteLink } from "../../routes/route-link.tsx"
import { routeOfSubject, useBatch, type BatchRun, sumOf } from "../../runs/bar/batch.ts"
import { FailureList } from "../../runs/report/failure-list.tsx"
import { failuresIn, type RunFailure } from "../../runs/report/failures.ts"
import { countWords } from "../../runs/report/run-summary.tsx"
import { StatusMark } from "../../runs/marks/status-mark.tsx"
import { useLatestRuns } from "../../runs/state/use-run-queries.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { clock } from "../../ui/formats.ts"
import { Section } from "../../files/page-parts.tsx"

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
  const totals = sumOf(runs.map((run) => run.totals))
  return (
    <>
      <p className="batch-totals" role="status">
        {isGoing ? `${done} of ${runs.length}` : `Ran ${done} of ${runs.length}`}:{" "}
        <span className="batch-passed">{of("passed")} passed</span>,{" "}
        <span className={of("failed") === 0 ? "" : "batch-failed"}>{of("failed")} failed</span>
      </p>
      <dl className="batch-counts">
        {Object.entries(totals).map(([kind, { passed, failed }]) => (
          <div key={kind}>
            <dt>{kind}</dt>
            <dd>{countWords({ passed, failed, skipped: 0 })}</dd>
          </div>
        ))}
      </dl>
      <ul className="batch-runs">
        {runs.map(({ subject, status }) => (
          <li key={subject}>
            <StatusMark status={status === "waiting" ? "skipped" : status} word={status} />
            <SubjectLink subject={subject} className="quiet-link" />
          </li>
        ))}
      </ul>
      {of("failed") === 0 ? null : (
        <Section title="Failures">
          {runs
            .filter(({ failures }) => failures.length > 0)
            .map(({ subject, failures }) => (
              <Failures key={subject} subject={subject} failures={failures} />
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
      subject={workflow}
      failures={data === undefined ? [] : failuresIn(data)}
      note={clock(startedAt)}
    />
  )
}

function SubjectLink({
  subject,
  className = "link",
}: {
  readonly subject: string
  readonly className?: string
}) {
  const route = routeOfSubject(subject)
  return (
    <RouteLink to={route} className={className}>
      <ShownText text={nameOf(subject)} />
    </RouteLink>
  )
}

const nameOf = (subject: string): string => suiteOf(subject) ?? subject

interface FailuresProps {
  readonly subject: string
  readonly failures: readonly RunFailure[]
  readonly note?: string
}

function Failures({ subject, failures, note }: FailuresProps) {
  return (
    <article className="failure" aria-label={`Failures of ${nameOf(subject)}`.slice(0, 200)}>
      <p className="failure-head">
        <StatusMark status="failed" />
        <SubjectLink subject={subject} />
        <span className="faint">{note}</span>
      </p>
      <FailureList failures={failures} />
    </article>
  )
}
