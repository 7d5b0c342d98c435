// One writer at a time per project: a lock file that names its owner, taken over immediately if the owner is dead.

import { createHash, randomBytes } from "node:crypto"
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { CallsheetError, isJsonObject, parseJson } from "@callsheet/format"
import { messages } from "../messages.ts"
import { errorCode } from "../read/reason.ts"
import { isDead, ownIdentity, ownUserId, type ProcessIdentity } from "./process-identity.ts"
import { reasonFor } from "./write-failed.ts"

export interface LockOptions {
  /** Maximum wait for one living owner, in milliseconds; default: 10,000. */
  readonly waitMs?: number | undefined
  /** The directory of lock files; default: one of this user in the system's temporary directory. */
  readonly folder?: string
  /** Stops waiting: the task doesn't start, and the reason is thrown. */
  readonly signal?: AbortSignal
}

interface Owner extends ProcessIdentity {
  /** Distinguishes two locks of one process. */
  readonly token: string
}

/**
 * Runs `task` while no other callsheet process of this user changes the project. Throws `locked`, naming the owner, if a
 * living one does not release the lock in time.
 *
 * The lock file is in the system's temporary directory, because in the project it would show up in `git status`. Processes
 * with another one are not kept out: for them, each change compares the files with what it has read just before it
 * replaces them. Reading takes no lock.
 */
export async function withProjectLock<T>(
  realRoot: string,
  task: () => T | Promise<T>,
  { waitMs = 10_000, folder = lockFolder(), signal }: LockOptions = {},
): Promise<T> {
  const path = join(folder, `${createHash("sha256").update(realRoot).digest("hex").slice(0, 32)}.lock`)
  const owner = await acquire(path, waitMs, signal)
  try {
    clearLeftovers(path)
    return await task()
  } finally {
    release(path, owner)
  }
}

/** While other processes take turns, a waiter keeps waiting, up to this many times `waitMs`. */
const MAX_WAITS = 6

async function acquire(path: string, waitMs: number, signal: AbortSignal | undefined): Promise<Owner> {
  const start = performance.now()
  let holder: string | undefined
  let lockedSince = start
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    signal?.throwIfAborted()
    const taken = tryAcquire(path)
    if (!("lockedBy" in taken)) return taken
    const now = performance.now()
    if (taken.lockedBy?.token !== holder) {
      holder = taken.lockedBy?.token
      lockedSince = now
    }
    if (now - lockedSince >= waitMs || now - start >= waitMs * MAX_WAITS)
      throw new CallsheetError(messages.locked.locked(path, taken.lockedBy))
    // Random pauses keep waiters from colliding repeatedly.
    await wait(pauseMs * (0.5 + Math.random()))
  }
}

function tryAcquire(path: string): Owner | { readonly lockedBy: Owner | undefined } {
  const lockedBy = readOwner(path)
  if (lockedBy !== undefined) {
    if (!isDead(lockedBy)) return { lockedBy }
    clearDead(path, lockedBy)
  }
  const owner: Owner = { ...ownIdentity(), token: randomBytes(8).toString("hex") }
  return create(path, owner) ? owner : { lockedBy: readOwner(path) }
}

/** Creates the lock file with its whole content in one step. Returns false if it exists. */
function create(path: string, owner: Owner): boolean {
  const own = `${path}.${owner.token}`
  try {
    writeFileSync(own, JSON.stringify(owner), { flag: "wx", mode: 0o600 })
    try {
      linkSync(own, path)
      return true
    } finally {
      unlinkSync(own)
    }
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false
    throw cannotLock(error)
  }
}

/** Removes a dead owner's lock. Of several processes only one does, and only if it is still the same lock. */
function clearDead(path: string, dead: Owner): void {
  const claimPath = `${path}.takeover`
  const claim = tryAcquire(claimPath)
  if ("lockedBy" in claim) return
  try {
    if (readOwner(path)?.token === dead.token) unlinkSync(path)
  } finally {
    release(claimPath, claim)
  }
}

/** The time that a process may take between creating a file and writing it, in milliseconds. */
const SETTLING_MS = 60_000

/** Removes the files of processes that were killed while they took the lock. The caller holds the lock. */
function clearLeftovers(path: string): void {
  const prefix = `${basename(path)}.`
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(prefix)) clearLeftover(join(dirname(path), name))
    }
  } catch {
    // They are harmless; the next change tries again.
  }
}

function clearLeftover(file: string): void {
  const owner = readOwner(file)
  if (owner === undefined || !isDead(owner)) return
  // An empty file may be from a process that is about to write it.
  if (owner.token === "" && Date.now() - lstatSync(file).mtimeMs < SETTLING_MS) return
  if (!file.endsWith(".takeover")) {
    unlinkSync(file)
    return
  }
  // Others may try too: only the process that has claimed it removes it.
  const claim = tryAcquire(file)
  if (!("lockedBy" in claim)) release(file, claim)
}

function release(path: string, owner: Owner): void {
  if (readOwner(path)?.token === owner.token) unlinkSync(path)
}

/** The owner of a lock file that a power failure has emptied. Lock files are created whole, so the owner is gone. */
const nobody = (): Owner => ({ pid: 0, host: hostname(), token: "" })

function readOwner(path: string): Owner | undefined {
  try {
    return parseOwner(readFileSync(path, "utf8")) ?? nobody()
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined
    throw new CallsheetError(messages.locked.unreadable(path, reasonFor(error)), { cause: error })
  }
}

function parseOwner(text: string): Owner | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const { pid, startTime, space, host, token } = parsed.value
  if (typeof pid !== "number" || typeof host !== "string" || typeof token !== "string") return undefined
  return {
    pid,
    host,
    token,
    ...(typeof startTime === "string" ? { startTime } : {}),
    ...(typeof space === "string" ? { space } : {}),
  }
}

const cannotLock = (error: unknown): CallsheetError =>
  new CallsheetError(messages["write-failed"].lock(reasonFor(error)), { cause: error })

/** Returns a directory that only this user can write to. In a shared one, a stranger could lock everybody out. */
function lockFolder(): string {
  const uid = ownUserId()
  const folder = join(tmpdir(), uid === undefined ? "callsheet-locks" : `callsheet-locks-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    const stats = lstatSync(folder)
    if (stats.isDirectory() && (uid === undefined || (stats.uid === uid && (stats.mode & 0o022) === 0))) {
      return folder
    }
  } catch (error) {
    throw cannotLock(error)
  }
  throw new CallsheetError(messages["write-failed"].lockDirectory(folder))
}
