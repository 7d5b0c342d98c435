// The environment that makes the disk of the command under test fail.

import { fileURLToPath } from "node:url"

export interface DiskFault {
  /** A call of `node:fs` that callsheet uses to change files. */
  readonly call:
    | "mkdirSync"
    | "openSync"
    | "readFileSync"
    | "writeSync"
    | "fsyncSync"
    | "renameSync"
    | "unlinkSync"
  /** Matches the path, or the path of the descriptor. */
  readonly on: string
  /** Affects only the nth such call. By default, every one. */
  readonly nth?: number
  /** The code of the error that the call throws. */
  readonly error?: string
  /** The call returns this and does nothing else. */
  readonly result?: number
  /** The signal that the process sends to itself before the call. */
  readonly signal?: NodeJS.Signals
  /** Before the call, the path becomes a link to this. */
  readonly plant?: string
  /** Prints `mode 600`, the mode of the descriptor, to standard error. */
  readonly mode?: boolean
  /** Printed to standard error before the call. */
  readonly tell?: string
  /** The time in milliseconds for which the call blocks the process. */
  readonly waitMs?: number
}

/** Temporary files, whatever their names. */
export const TEMPORARY = String.raw`\.callsheet-[0-9a-f]+\.secrets\.env$`

export const faultyDisk = (faults: readonly DiskFault[], umask?: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${JSON.stringify(fileURLToPath(new URL("faulty-disk.cjs", import.meta.url)))}`,
  CALLSHEET_TEST_DISK: JSON.stringify({ faults, umask }),
})
