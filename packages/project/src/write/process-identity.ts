// Identifies this process, and checks if another one still runs. Only this file of `project` uses `process`.

import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { errorCode } from "../read/reason.ts"

export interface ProcessIdentity {
  readonly pid: number
  /** Start in clock ticks since boot; absent if the system has no `/proc`. */
  readonly startTime?: string | undefined
  /** The namespace of the process id; absent if the system has no namespaces. Containers of one host have their own. */
  readonly space?: string | undefined
  readonly host: string
}

export function ownIdentity(): ProcessIdentity {
  const { pid } = process
  return { pid, host: hostname(), startTime: readProcess(pid)?.startTime, space: ownSpace() }
}

/** Returns the namespace of process ids (pid_namespaces(7)). */
function ownSpace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    return undefined
  }
}

/** Returns the user's id; undefined on Windows. */
export const ownUserId = (): number | undefined => process.getuid?.()

/** Returns true only if it is certain. Processes on another host or in another container can't be checked. */
export function isDead({ pid, startTime, space, host }: ProcessIdentity): boolean {
  if (host !== hostname() || (space !== undefined && space !== ownSpace())) return false
  // No process has such an id, and a signal to it would go to whole groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that it exists and belongs to another user.
    if (errorCode(error) === "ESRCH") return true
  }
  const found = readProcess(pid)
  if (found === undefined) return false
  // A zombie, which has ended but was not collected by its parent, still has a pid.
  if (found.state === "Z" || found.state === "X") return true
  return startTime !== undefined && found.startTime !== startTime
}

/** Reads fields 3 and 22 of `/proc/<pid>/stat` (proc_pid_stat(5)). */
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
