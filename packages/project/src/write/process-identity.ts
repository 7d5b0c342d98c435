// Identifies this process, and checks if another one still runs. Only this file of `project` uses `process`.

import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { errorCode } from "../read/reason.ts"

export interface ProcessIdentity {
  readonly pid: number
  /** Start in clock ticks since boot; absent if the system has no `/proc`. */
  readonly startTime?: string | undefined
  /** The namespace of the number; absent if the system has no namespaces. Containers of one host have their own. */
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

/** The number of the user; absent on Windows. */
export const ownUserId = (): number | undefined => process.getuid?.()

/** True only if it is certain. Processes on another host or in another container cannot be checked. */
export function isDead({ pid, startTime, space, host }: ProcessIdentity): boolean {
  if (host !== hostname() || (space !== undefined && space !== ownSpace())) return false
  // No process has such a number, and a signal to it would go to whole groups.
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
    // Field 2 is the program's name in parentheses, and may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const [state, startTime] = [fields[0], fields[19]]
    return state === undefined || startTime === undefined ? undefined : { state, startTime }
  } catch {
    return undefined
  }
}
