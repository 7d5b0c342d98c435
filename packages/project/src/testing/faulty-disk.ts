// For tests: a disk that throws, returns a wrong result or stops working at a chosen call.

import { nodeDisk, type Disk } from "../write/write-scope.ts"

interface DiskCall {
  readonly name: keyof Disk
  readonly args: readonly unknown[]
  /** The number of the call, from 1. */
  readonly number: number
}

/** Creates a disk that calls `meet` before each call. If `meet` returns a number or throws, that becomes the result. */
export function faultyDisk(meet: (call: DiskCall) => number | void): Disk {
  let number = 0
  return new Proxy(nodeDisk, {
    get(disk, property) {
      const name = property as keyof Disk
      const call = disk[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        number++
        const result = meet({ name, args, number })
        // Skip slow syncs: tests don't simulate power failures.
        return name === "fsyncSync" ? undefined : (result ?? call(...args))
      }
    },
  })
}

export const diskError = (code: string): Error =>
  Object.assign(new Error(`${code}: /absolute/path`), { code })

/**
 * Simulates a process that is killed before call number `last`. Later calls do nothing, except that files are closed.
 */
export const dyingDisk = (last: number): Disk =>
  faultyDisk(({ name, number }) => {
    if (number >= last && name !== "closeSync") throw new Error("killed")
  })

export async function countCalls(task: (disk: Disk) => Promise<unknown>): Promise<number> {
  let calls = 0
  await task(faultyDisk(({ number }) => void (calls = number)))
  return calls
}
