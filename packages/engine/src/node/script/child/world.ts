// The world of a recorded or repeated call: its clock and its random numbers. A repeated one has no network and no processes.

import childProcess from "node:child_process"
import dgram from "node:dgram"
import net from "node:net"
import { createSeededRandom } from "../../../run/dynamic-values.ts"
import type { ScriptOutcome, ScriptWorld } from "../../../ports.ts"
import { childMessages } from "./messages.ts"

export interface World {
  /** Moves the clock of a repeated call. Returns false for a recorded one, whose clock moves itself. */
  readonly skip: (ms: number) => boolean
  /** Watches what a script reads of a value. Returns the value. */
  readonly watch: <T>(value: T) => T
  /** Copies a result without counting what the copy reads. */
  readonly unwatched: <T>(copy: () => T) => T
  /** Restores the real world. Returns the outcome with what the script has read. */
  readonly leave: (outcome: ScriptOutcome) => ScriptOutcome
}

const MAX_TIMES = 1000
const RealDate = Date

/** Replaces the clock and the random numbers of this process until `leave`. */
export function enterWorld({ seed, startedAt, earlier }: ScriptWorld): World {
  const times: number[] = []
  let last = startedAt
  let ticks = 0
  let readsUnknown = false
  let isWatching = true
  const now = (): number => {
    // Without recorded times, the clock moves with each read, so that no script waits forever.
    last = earlier === undefined ? RealDate.now() : (earlier.times[times.length] ?? last + 1)
    if (times.length < MAX_TIMES) times.push(last)
    return last
  }
  const { integer } = createSeededRandom(0, seed)
  const restore = [
    replaced(globalThis, "Date", dateWith(now)),
    replaced(Math, "random", () => integer(2 ** 32) / 2 ** 32),
    ...(earlier === undefined
      ? []
      : [replaced(performance, "now", () => last - startedAt + ++ticks / 1000), ...shutOut()]),
  ]
  return {
    skip: (ms) => {
      last += ms
      return earlier !== undefined
    },
    watch: (value) => {
      if (earlier === undefined) return value
      return watched(value, earlier.unknown, () => (readsUnknown ||= isWatching))
    },
    unwatched: (copy) => {
      isWatching = false
      try {
        return copy()
      } finally {
        isWatching = true
      }
    },
    leave: (outcome) => {
      for (const undo of restore) undo()
      return { ...outcome, times, readsUnknown }
    },
  }
}

/** Replaces a member. Returns a function that restores it. */
function replaced<T extends object, K extends keyof T>(object: T, key: K, value: T[K]): () => void {
  const before = Object.getOwnPropertyDescriptor(object, key)
  Object.defineProperty(object, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? false,
  })
  return () => {
    if (before === undefined) Reflect.deleteProperty(object, key)
    else Object.defineProperty(object, key, before)
  }
}

function dateWith(now: () => number): DateConstructor {
  const date: DateConstructor = new Proxy(RealDate, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made === date ? target : made) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === "now" ? now : (Reflect.get(target, key) as unknown)),
  })
  return date
}

/** Refuses connections and processes, which packages may open without the script's own imports. */
function shutOut(): (() => void)[] {
  const refuse = (what: "the network" | "processes") => (): never => {
    throw new Error(childMessages["script-error"].shutOut(what))
  }
  return [
    replaced(net.Socket.prototype, "connect", refuse("the network")),
    replaced(dgram.Socket.prototype, "send", refuse("the network")),
    replaced(dgram.Socket.prototype, "bind", refuse("the network")),
    replaced(childProcess, "spawnSync", refuse("processes")),
    replaced(
      childProcess.ChildProcess.prototype as object & { spawn?: unknown },
      "spawn",
      refuse("processes"),
    ),
  ]
}

/** Calls `onRead` as soon as a part of a value is read that contains `unknown`. */
function watched<T>(value: T, unknown: string, onRead: () => void): T {
  if (typeof value === "string" && value.includes(unknown)) onRead()
  const work: unknown[] = [value]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (typeof item !== "object" || item === null) continue
    for (const [key, child] of Object.entries(item)) {
      if (key.includes(unknown)) onRead()
      if (typeof child !== "string") work.push(child ?? 0)
      else if (child.includes(unknown)) watchMember(item, key, { value: child, onRead })
    }
  }
  return value
}

/** Calls `onRead` as soon as one of these members is read. Returns the object. */
export function watchMembers<T>(object: T, names: readonly string[], onRead: () => void): T {
  if (typeof object !== "object" || object === null) return object
  for (const [key, value] of Object.entries(object))
    if (names.includes(key)) watchMember(object, key, { value: value as unknown, onRead })
  return object
}

function watchMember(
  object: object,
  key: string,
  { value: own, onRead }: { readonly value: unknown; readonly onRead: () => void },
): void {
  Object.defineProperty(object, key, {
    get: () => {
      onRead()
      return own
    },
    set: (value: unknown) => {
      Object.defineProperty(object, key, { value, writable: true, configurable: true, enumerable: true })
    },
    configurable: true,
    enumerable: true,
  })
}
