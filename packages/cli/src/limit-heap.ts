// Keeps V8's heap small in a long run. V8 doubles the space for new objects up to 32 MiB, and lets the old ones grow
// fourfold before it collects them. That doesn't save time here, because a run keeps few objects.

/** The maximum size of the space for new objects: twice 4 MiB, because V8 copies objects from one half to the other. */
const MAX_YOUNG_BYTES = 8 * 1024 * 1024
const EVENTS_BETWEEN_CHECKS = 1024

let events = 0
let isLimited = false

/** Checks the heap after every so many events. */
export function limitHeapWithEvents(): void {
  if (++events % EVENTS_BETWEEN_CHECKS === 0) limitHeap()
}

/** Limits the heap once the space for new objects is large enough. Call it repeatedly, because V8 doesn't report growth. */
function limitHeap(): void {
  if (isLimited) return
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule("node:v8")
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")
  isLimited = (young?.space_size ?? 0) >= MAX_YOUNG_BYTES
  if (!isLimited) return
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString("--heap-growing-percent=10")
}
