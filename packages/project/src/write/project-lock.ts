// Allows one writer per project. A lock file names the owner. If the owner is dead, the next process takes the lock at
// once.

import { createHash, randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { basename, dirname, join, sep } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { attempt, CallsheetError, isJsonObject, nameKey, O_TEMPORARY, parseJson } from "@callsheet/format"
import { messages } from "../messages.ts"
import { errorCode } from "../read/reason.ts"
import { isDead, currentIdentity, currentUserId, type ProcessIdentity } from "./process-identity.ts"
import { reasonFor } from "./write-failed.ts"
import { patiently } from "./write-scope.ts"

export interface LockOptions {
  /** The maximum wait for one live owner, in milliseconds. By default, 10,000. */
  readonly waitMs?: number | undefined
  /** The directory of lock files. By default, this user's own directory in the system's temporary directory. */
  readonly folder?: string
  /** Ends the wait. The task then doesn't start, and the signal's reason is thrown. */
  readonly signal?: AbortSignal
  /** By default, whether this is Windows. */
  readonly isWindows?: boolean
}

interface Owner extends ProcessIdentity {
  /** Distinguishes two locks of one process. */
  readonly token: string
  /**
   * On Windows, the owner has a file open that the system deletes when the process ends. Process ids say little there:
   * they are soon in use again, and Node can't ask when a process started.
   */
  readonly hasSign?: boolean | undefined
}

const signOf = (path: string, { token }: Owner): string => `${path}.${token}.sign`

/** The open signs of this process, by their paths. */
const signs = new Map<string, number>()

/**
 * Runs `task` while no other callsheet process of this user changes the project. Throws `locked`, which names the
 * owner, if a live process doesn't release the lock in time.
 *
 * The lock file is in the system's temporary directory, because `git status` would list it in the project. A process
 * with another temporary directory doesn't see the lock. Each change therefore also compares a file with its expected
 * contents right before it replaces the file. Reading needs no lock.
 */
export async function withProjectLock<T>(
  realRoot: string,
  task: () => T | Promise<T>,
  { waitMs = 10_000, folder = lockFolder(), signal, isWindows = sep === "\\" }: LockOptions = {},
): Promise<T> {
  const path = join(
    folder,
    `${createHash("sha256").update(lockKey(realRoot)).digest("hex").slice(0, 32)}.lock`,
  )
  const owner = await acquire({ path, isWindows }, waitMs, signal)
  try {
    clearLeftovers({ path, isWindows })
    return await task()
  } finally {
    release(path, owner)
  }
}

/**
 * Returns the same key for all spellings of a path. The system knows which spellings are one directory: short names and
 * drives of Windows, for example. The path itself may not exist yet.
 */
const lockKey = (path: string): string => nameKey(attempt(() => realpathSync.native(path)) ?? path)

/** The maximum total wait if processes take turns, as a multiple of `waitMs`. */
const MAX_WAITS = 6

interface Lock {
  readonly path: string
  readonly isWindows: boolean
}

async function acquire(lock: Lock, waitMs: number, signal: AbortSignal | undefined): Promise<Owner> {
  const start = performance.now()
  let holder: string | undefined
  let lockedSince = start
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    signal?.throwIfAborted()
    const taken = tryAcquire(lock)
    if (!("lockedBy" in taken)) return taken
    const now = performance.now()
    if (taken.lockedBy?.token !== holder) {
      holder = taken.lockedBy?.token
      lockedSince = now
    }
    if (now - lockedSince >= waitMs || now - start >= waitMs * MAX_WAITS)
      throw new CallsheetError(messages.locked.locked(lock.path, taken.lockedBy))
    // A random pause keeps waiting processes from colliding again and again.
    await wait(pauseMs * (0.5 + Math.random()))
  }
}

function tryAcquire(lock: Lock): Owner | { readonly lockedBy: Owner | undefined } {
  const { path, isWindows } = lock
  const lockedBy = readOwner(path)
  if (lockedBy !== undefined) {
    if (!isDead(lockedBy) && !lacksSign(path, lockedBy)) return { lockedBy }
    clearDead(lock, lockedBy)
  }
  const token = randomBytes(8).toString("hex")
  const owner: Owner = { ...currentIdentity(), token, ...(isWindows ? { hasSign: true } : {}) }
  return create(path, owner) ? owner : { lockedBy: readOwner(path) }
}

const lacksSign = (path: string, owner: Owner): boolean =>
  owner.hasSign === true && owner.host === hostname() && !existsSync(signOf(path, owner))

/** Creates the lock file together with its contents. Returns false if it exists. */
function create(path: string, owner: Owner): boolean {
  const own = `${path}.${owner.token}`
  let isCreated = false
  try {
    if (owner.hasSign === true) openSign(path, owner)
    writeFileSync(own, JSON.stringify(owner), { flag: "wx", mode: 0o600 })
    try {
      patiently(() => linkSync(own, path))
      return (isCreated = true)
    } finally {
      remove(own)
    }
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false
    throw cannotLock(error)
  } finally {
    if (!isCreated) closeSign(path, owner)
  }
}

function openSign(path: string, owner: Owner): void {
  const sign = signOf(path, owner)
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const descriptor = openSync(sign, O_WRONLY | O_CREAT | O_EXCL | O_TEMPORARY, 0o600)
  signs.set(sign, descriptor)
  // If a power failure leaves the file, this says when to remove it.
  writeSync(descriptor, JSON.stringify(owner))
}

function closeSign(path: string, owner: Owner): void {
  const sign = signOf(path, owner)
  const descriptor = signs.get(sign)
  if (descriptor === undefined) return
  signs.delete(sign)
  closeSync(descriptor)
  rmSync(sign, { force: true })
}

/** Removes the lock of a dead owner, unless it has changed. If several processes try this, only one succeeds. */
function clearDead({ path, isWindows }: Lock, dead: Owner): void {
  const claimPath = `${path}.takeover`
  const claim = tryAcquire({ path: claimPath, isWindows })
  if ("lockedBy" in claim) return
  try {
    if (readOwner(path)?.token === dead.token) remove(path)
  } finally {
    release(claimPath, claim)
  }
}

/** The maximum time in milliseconds between the creation of a file and the write of its contents. */
const SETTLING_MS = 60_000

/** Removes the files of processes that were killed while they took the lock. Callers must have the lock. */
function clearLeftovers({ path, isWindows }: Lock): void {
  const prefix = `${basename(path)}.`
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(prefix)) clearLeftover({ path: join(dirname(path), name), isWindows })
    }
  } catch {
    // The files do no harm, and the next change tries again.
  }
}

function clearLeftover(lock: Lock): void {
  const { path: file } = lock
  const owner = readOwner(file)
  if (owner === undefined || !isDead(owner)) return
  // Another process may be about to write a new empty file.
  if (owner.token === "" && Date.now() - lstatSync(file).mtimeMs < SETTLING_MS) return
  if (!file.endsWith(".takeover")) {
    remove(file)
    return
  }
  // Claim the file first: other processes may try to remove it too.
  const claim = tryAcquire(lock)
  if (!("lockedBy" in claim)) release(file, claim)
}

function release(path: string, owner: Owner): void {
  try {
    if (readOwner(path)?.token === owner.token) remove(path)
  } finally {
    closeSign(path, owner)
  }
}

const remove = (path: string): void => patiently(() => unlinkSync(path))

/**
 * Returns a dead owner for an empty lock file. Lock files are created with contents, so only a power failure leaves an
 * empty one.
 */
const nobody = (): Owner => ({ pid: 0, host: hostname(), token: "" })

function readOwner(path: string): Owner | undefined {
  try {
    return parseOwner(patiently(() => readFileSync(path, "utf8"))) ?? nobody()
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined
    throw new CallsheetError(messages.locked.unreadable(path, reasonFor(error)), { cause: error })
  }
}

function parseOwner(text: string): Owner | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const { pid, startTime, space, host, token, hasSign } = parsed.value
  if (typeof pid !== "number" || typeof host !== "string" || typeof token !== "string") return undefined
  return {
    pid,
    host,
    token,
    ...(typeof startTime === "string" ? { startTime } : {}),
    ...(typeof space === "string" ? { space } : {}),
    ...(hasSign === true ? { hasSign } : {}),
  }
}

const cannotLock = (error: unknown): CallsheetError =>
  new CallsheetError(messages["write-failed"].lock(reasonFor(error)), { cause: error })

/** Returns a directory that only this user can write to. In a shared directory, anybody could block everyone. */
function lockFolder(): string {
  const uid = currentUserId()
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
