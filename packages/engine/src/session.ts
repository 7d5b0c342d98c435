// Runs workflows or a suite for the CLI, the app and `run()`.

import { callsScripts, knownSecrets, type Problem, type SessionStatus } from "@callsheet/format"
import type { AttemptRecorder } from "./attempts.ts"
import { refuseUnknownInputs } from "./bind.ts"
import { createDocuments } from "./documents.ts"
import { createOutlet, type CompleteListeners, type LiveListener, type Outlet } from "./outlet.ts"
import {
  createBinder,
  createPlanner,
  hasProblems,
  secretsOf,
  type Prepared,
  type PreparedSession,
} from "./prepare.ts"
import { runSchedule } from "./run-schedule.ts"
import { entriesOf, scheduleOf, type Entry, type Schedule } from "./schedule.ts"
import type { RunSecret } from "./session-options.ts"
import { readsExchanges } from "./settings.ts"

interface Session extends PreparedSession {
  /** Receives one run after the other, in the order of the schedule. */
  readonly listen?: LiveListener
  /** Receives one run after the other, in the order in which they end. */
  readonly listenEnded?: LiveListener
  /** Receives every event at once, also if runs are concurrent. */
  readonly watch?: LiveListener | undefined
  /** Listeners that receive all events after the session. */
  readonly complete?: CompleteListeners | undefined
}

/** Plans every entry, then runs those that can start. Returns the worst status. Throws misuse before any event. */
export async function runSession(session: Session): Promise<SessionStatus> {
  const { project, options, schedule = scheduleOf(session.workflows, session.options.data) } = session
  if (project.settingsFile !== undefined)
    await (
      await import("./require-settings.ts")
    ).requireSettings(project, project.settingsFile, schedule.name)
  const bound = [...entriesOf(schedule)].map(createBinder(session))
  const secrets = [
    ...secretsOf(bound),
    ...(bound.some(hasProblems) ? secretsInFiles(session) : []),
    ...(options.results?.secrets ?? []),
  ]
  options.onSecrets?.(secrets)
  const found: RunSecret[] = []
  const recorders = new Map<number, AttemptRecorder>()
  const leftovers =
    options.leftovers === true ? (await import("./leftovers.ts")).createLeftoverWatch() : undefined
  const outlet = createOutlet(
    secrets.map(({ value }) => value),
    {
      exchanges: readsExchanges(options),
      isConcurrent: (options.jobs ?? 1) > 1,
      watch: (event, latest) => {
        recorders.get(event.run)?.hear(event)
        leftovers?.listen(event)
        session.watch?.(event, latest)
      },
      listen: session.listen,
      listenEnded: session.listenEnded,
      complete: session.complete,
      onSecret: (secret) => {
        if (options.onResults !== undefined) found.push(secret)
        options.onSecrets?.([secret])
      },
    },
  )
  try {
    refuseMisuse(session, schedule)
    const plan = createPlanner(session, createDocuments(session.ports.outlines))
    const prepared: Prepared[] = []
    for (const entry of bound) prepared.push(await plan(entry))
    if (!bound.some(hasProblems) && prepared.some(({ problems }) => problems.length > 0))
      for (const { name, value } of secretsInFiles(session)) outlet.keepSecret(value, name)
    const status = await runSchedule({
      schedule,
      prepared: await confirmed(session, prepared, outlet.secrets),
      ports: session.ports,
      options,
      outlet,
      found,
      recorders,
    })
    if (leftovers !== undefined)
      outlet.emit({ type: "leftovers.found", run: 0, leftovers: leftovers.found() })
    outlet.end()
    return status
  } catch (error) {
    throw outlet.errorOf(error)
  }
}

function refuseMisuse({ project, options }: Session, { main }: Schedule): void {
  const files = main.flatMap(({ workflow }) => project.workflows.get(workflow)?.workflow ?? [])
  // An unreadable workflow may declare the input.
  if (files.length === main.length) refuseUnknownInputs(files, options.inputs ?? {})
}

/** Asks whether the entries may send to production, and prepares scripts. Returns the entries that can run. */
async function confirmed(
  session: Session,
  prepared: readonly Prepared[],
  secrets: Outlet["secrets"],
): Promise<ReadonlyMap<Entry, Prepared>> {
  const refusals = await refusalsOf(prepared, session, secrets)
  const prepareScripts = session.ports.scripts.prepare
  const starting = prepared.flatMap((item) => (refusals.has(item) ? [] : (item.plan?.workflow.blocks ?? [])))
  if (callsScripts(starting)) await prepareScripts?.(session.options.signal)
  return new Map(
    prepared.map((item) => {
      const refusal = refusals.get(item)
      return [item.entry, refusal === undefined ? item : refused(item, refusal)]
    }),
  )
}

/** Returns all secrets in the environment files, because a problem may quote any of them. */
const secretsInFiles = ({
  readAllEnvironments,
  options,
}: Session): readonly { name: string; value: string }[] =>
  readAllEnvironments().flatMap((files) =>
    knownSecrets(files, options.processEnvironment ?? {}).map(({ name, value }) => ({
      name: `${files.api}.${name}`,
      value,
    })),
  )

/** Returns the reasons why runs must not send to production. */
async function refusalsOf(
  prepared: readonly Prepared[],
  session: Session,
  secrets: Outlet["secrets"],
): Promise<ReadonlyMap<Prepared, Problem>> {
  const isAsking = prepared.some(
    ({ plan, environments }) =>
      plan !== undefined && [...environments.values()].some(({ level }) => level === "production"),
  )
  if (!isAsking || session.options.confirm === true) return new Map()
  const { confirmProduction } = await import("./confirm-production.ts")
  return confirmProduction(prepared, session, secrets)
}

function refused({ plan: _, ...item }: Prepared, problem: Problem): Prepared {
  return { ...item, problems: [...item.problems, problem] }
}
