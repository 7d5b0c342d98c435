// Runs two tasks at a time, because the machine may have only two cores and others use it too.

/** Calls `work` for each item, two at a time, in order. */
export async function twoAtATime<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value)
  }
  await Promise.all([worker(), worker()])
}

/** At most `limit` integers from 1 to `last`, evenly spread, including the first and the last. */
export function spread(last: number, limit: number): readonly number[] {
  if (limit >= last) return Array.from({ length: last }, (_, at) => at + 1)
  if (limit <= 1) return [Math.ceil(last / 2)]
  return Array.from({ length: limit }, (_, at) => 1 + Math.round((at * (last - 1)) / (limit - 1)))
}
