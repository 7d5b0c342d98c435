// Identifies this process, and checks whether another process is still running. In `project`, only this file uses
// `process`.

import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { attempt } from "@callsheet/format"
import { errorCode } from "../read/reason.ts"

export interface ProcessIdentity {
  readonly pid: number
  /** The start time in clock ticks since boot. Absent on systems without `/proc`. */
  readonly startTime?: string | undefined
  /** The namespace of the process id, which differs between containers. Absent on systems without namespaces. */
  readonly space?: string | undefined
  readonly host: string
}

export function currentIdentity(): ProcessIdentity {
  const { pid } = process
  return { pid, host: hostname(), startTime: readProcess(pid)?.startTime, space: currentSpace() }
}

/** Returns the namespace of process ids (pid_namespaces(7)). */
const currentSpace = (): string | undefined => attempt(() => readlinkSync("/proc/self/ns/pid"))

/** Returns the user's id, or undefined on Windows. */
export const currentUserId = (): number | undefined => process.getuid?.()

/**
 * Returns true if a process has certainly ended. False for a process on another host or in another container, which
 * can't be checked.
 */
export function isDead({ pid, startTime, space, host }: ProcessIdentity): boolean {
  if (host !== hostname() || (space !== undefined && space !== currentSpace())) return false
  // A signal to an invalid id would reach whole process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if (errorCode(error) === "ESRCH") return true
  }
  const found = readProcess(pid)
  if (found === undefined) return false
  // A zombie has ended, but keeps its pid until the parent collects it.
  if (found.state === "Z" || found.state === "X") return true
  return startTime !== undefined && found.startTime !== startTime
}

/** Reads fields 3 and 22 of `/proc/<pid>/stat` (proc_pid_stat(5)). */
function readProcess(pid: number) {
  // In Wine, programs of Windows see this directory of Linux, but have other process ids.
  if (process.platform !== "linux") return undefined
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
