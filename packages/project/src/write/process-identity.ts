// Which process this is, and whether another one still is what it was. Only this file of `project` asks `process`.

import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { errorCode } from "../read/reason.ts"

export interface ProcessIdentity {
  readonly pid: number
  /** Start in clock ticks since boot; absent where the system has no `/proc`. */
  readonly startTime?: string | undefined
  /** Which processes the number is one of; absent where the system has no such spaces. Containers of one host have their own. */
  readonly space?: string | undefined
  readonly host: string
}

export function ownIdentity(): ProcessIdentity {
  const { pid } = process
  return { pid, host: hostname(), startTime: readProcess(pid)?.startTime, space: ownSpace() }
}

/** The namespace of process numbers (pid_namespaces(7)). */
function ownSpace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    return undefined
  }
}

/** The user as the system numbers it; absent on Windows. */
export const ownUserId = (): number | undefined => process.getuid?.()

/** True only where it is certain: of a process on another host, or in another container, nothing can be known. */
export function isDead({ pid, startTime, space, host }: ProcessIdentity): boolean {
  if (host !== hostname() || (space !== undefined && space !== ownSpace())) return false
  // No process has such a number, and to ask for it would ask for whole groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there, and belongs to another user.
    if (errorCode(error) === "ESRCH") return true
  }
  const found = readProcess(pid)
  if (found === undefined) return false
  // A process that has ended and that its parent has not collected yet still has a pid.
  if (found.state === "Z" || found.state === "X") return true
  return startTime !== undefined && found.startTime !== startTime
}

/** Fields 3 and 22 of `/proc/<pid>/stat` (proc_pid_stat(5)). */
function readProcess(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    // Field 2 is the program's name in parentheses, and may hold blanks and parentheses of its own.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const [state, startTime] = [fields[0], fields[19]]
    return state === undefined || startTime === undefined ? undefined : { state, startTime }
  } catch {
    return undefined
  }
}
