// `--shard`: the part of a session that one of several machines runs. Every machine computes the same parts.

import { createHash } from "node:crypto"
import { CallsheetError, type RunEvent } from "@callsheet/format"
import type { Suite } from "@callsheet/language"
import type { ShardChoice } from "../commands/read-run-options.ts"
import type { NamedEntry } from "../session/last-session.ts"
import { listRecords, openRecord, type ReadRecord } from "../record/read-record.ts"

/** Milliseconds by the name of a workflow or an entry. */
type Timings = ReadonlyMap<string, number>

export interface Shard extends Pick<ShardChoice, "index" | "count"> {
  /** Selects the entries of this shard. Keeps their order. */
  readonly select: <T extends NamedEntry>(entries: readonly T[]) => readonly T[]
  /** Returns the entries of all shards, which the last `select` received. */
  readonly all: () => readonly NamedEntry[]
  /** Returns a digest of what each shard runs. Shards of the same session have the same. */
  readonly plan: () => string
}

/** Creates the shard. Reads the records of an earlier run, if they are given. Throws `record-invalid`. */
export async function createShard({ index, count, timings: place }: ShardChoice): Promise<Shard> {
  const timings = await readTimings(place)
  let all: readonly NamedEntry[] = []
  let shards: readonly number[] = []
  return {
    index,
    count,
    all: () => all,
    plan: () =>
      digestOf(
        all.map(({ name }) => name),
        shards,
      ),
    select: (entries) => {
      all = entries
      shards = assignShards(
        entries.map(({ name }) => name),
        count,
        timings,
      )
      return entries.filter((_, at) => shards[at] === index)
    },
  }
}

/** Returns the shard of each project: one plan for the entries of all of them. Throws `record-invalid`. */
export async function planShards(
  { index, count, timings: place }: ShardChoice,
  projects: readonly (readonly [project: string, names: readonly string[]])[],
): Promise<ReadonlyMap<string, Shard>> {
  const timings = await readTimings(place)
  const keys = projects.flatMap(([project, names]) => names.map((name) => timingKey(project, name)))
  const assigned = assignShards(keys, count, timings)
  const own = new Set(keys.filter((_, at) => assigned[at] === index))
  const plan = digestOf(keys, assigned)
  return new Map(
    projects.map(([project]) => {
      let all: readonly NamedEntry[] = []
      return [
        project,
        {
          index,
          count,
          all: () => all,
          plan: () => plan,
          select: (entries) => {
            all = entries
            return entries.filter(({ name }) => own.has(timingKey(project, name)))
          },
        },
      ]
    }),
  )
}

/** Returns the digest of a plan: the names in order, each with its shard. */
function digestOf(names: readonly string[], shards: readonly number[]): string {
  const plan = names.map((name, at) => [name, shards[at]])
  return `sha256:${createHash("sha256").update(JSON.stringify(plan)).digest("hex")}`
}

const timingKey = (project: string | undefined, name: string): string =>
  project === undefined ? name : JSON.stringify([project, name])

/**
 * Returns the shard of each name, from 1. The longest comes first, and each goes to the shard with the least time so
 * far, so that the slowest shard takes at most a third longer than necessary (Graham, 1969).
 */
export function assignShards(names: readonly string[], count: number, timings: Timings): readonly number[] {
  const typical = median(names.flatMap((name) => timings.get(name) ?? [])) ?? 1
  const order = names
    .map((name, at) => ({ at, time: timings.get(name) ?? typical }))
    .sort((one, other) => other.time - one.time || one.at - other.at)
  const loads = Array.from({ length: count }, () => 0)
  const shards: number[] = []
  for (const { at, time } of order) {
    const least = loads.indexOf(Math.min(...loads))
    loads[least] = (loads[least] ?? 0) + time
    shards[at] = least + 1
  }
  return shards
}

function median(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Adds up the durations of each main entry in a record, or in those of a directory. Empty without a place. */
async function readTimings(place: ShardChoice["timings"]): Promise<Timings> {
  const timings = new Map<string, number>()
  for (const { path, shown } of place === undefined ? [] : listRecords(place))
    await addTimings(timings, await openRecord(path, shown))
  return timings
}

/** Adds the durations of a record: of each main entry, with its attempts, rows and cleanup. */
async function addTimings(timings: Map<string, number>, record: ReadRecord): Promise<void> {
  let name: string | undefined
  try {
    for (let line = await record.next(); line !== undefined; line = await record.next()) {
      const { event } = line
      if (event.type === "run.started" && isMain(event))
        name = timingKey(event.project, event.entry ?? event.workflow)
      else if (event.type === "run.finished" && name !== undefined)
        timings.set(name, (timings.get(name) ?? 0) + event.durationMs)
    }
    const damage = record.damage()
    if (damage !== undefined) throw new CallsheetError(damage, { problems: [damage] })
  } finally {
    await record.close()
  }
}

const isMain = ({ role }: { readonly role?: string }): boolean => role === undefined || role === "main"

/**
 * Returns a function that finds the position of a run in the whole session: `first` for `before`, then one for each
 * main entry with its cleanup, then that of the suite's cleanup.
 */
export function createPositions(
  all: readonly NamedEntry[],
  schedule: Suite | undefined,
  first = 0,
): (event: Extract<RunEvent, { type: "run.started" }>) => number {
  const positions = new Map(all.map(({ name }, at) => [name, first + at + 1]))
  const last = new Set(
    [...(schedule?.finally ?? []), ...(schedule?.before.flatMap((entry) => entry.finally) ?? [])].map(
      ({ name }) => name,
    ),
  )
  let position = first
  return (event) => {
    const { entry = event.workflow } = event
    if (isMain(event)) position = positions.get(entry) ?? position
    else if (event.role === "finally" && last.has(entry)) position = first + all.length + 1
    return position
  }
}
