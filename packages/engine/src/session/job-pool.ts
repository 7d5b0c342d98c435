// Runs jobs from several sources, at most a given number at once.

export interface JobSource {
  /** While a job runs, no source with one of the same locks starts another. */
  readonly locks: readonly string[]
  /** The jobs, created one by one as they can start. */
  readonly jobs: AsyncIterator<() => Promise<void>, void>
}

/** Runs all jobs. Starts them in the order of their sources, except that a source waits for its locks. */
export async function runJobs(sources: readonly JobSource[], limit: number): Promise<void> {
  const left = [...sources]
  const held = new Set<string>()
  // Not a `Set`, because V8 keeps removed members of one that changes constantly in old hash tables.
  const running: Promise<void>[] = []
  for (;;) {
    const isFree = ({ locks }: JobSource): boolean => !locks.some((lock) => held.has(lock))
    const at = running.length < limit ? left.findIndex(isFree) : -1
    const source = left[at]
    if (source === undefined) {
      if (running.length === 0) return
      await Promise.race(running)
      continue
    }
    const next = await source.jobs.next()
    if (next.done === true) {
      left.splice(at, 1)
      continue
    }
    for (const lock of source.locks) held.add(lock)
    const job = next.value().finally(() => {
      void running.splice(running.indexOf(job), 1)
      for (const lock of source.locks) held.delete(lock)
    })
    // Reported by the race, unless another job fails first.
    job.catch(() => undefined)
    running.push(job)
  }
}
