// For tests: a disk that refuses, lies or dies at a chosen call.

import { nodeDisk, type Disk } from "../write/disk.ts"

interface DiskCall {
  readonly name: keyof Disk
  readonly args: readonly unknown[]
  /** Starts at 1. */
  readonly number: number
}

/** Calls `meet` before each call. If it throws, the call throws; if it returns a number, that is the call's result. */
export function faultyDisk(meet: (call: DiskCall) => number | void): Disk {
  let number = 0
  return new Proxy(nodeDisk, {
    get(disk, property) {
      const name = property as keyof Disk
      const call = disk[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        number++
        const result = meet({ name, args, number })
        // No test cuts the power, and a sync takes longer than everything else combined.
        return name === "fsyncSync" ? undefined : (result ?? call(...args))
      }
    },
  })
}

export const diskError = (code: string): Error =>
  Object.assign(new Error(`${code}: /absolute/path`), { code })

/**
 * A disk of a process that is killed before call number `last`: later calls do nothing. Closing still works, as it does when a
 * process ends.
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
