// Private files of this user, outside all projects.

import * as fs from "node:fs"
import { platform } from "node:os"
import { isAbsolute, join } from "node:path"
import { attempt, parseJson, readShape, type Shape } from "@callsheet/format"
import { isOwnedByUser, makeFolder, removeOldest } from "./cache-folder.ts"
import { homeFolder } from "./home-folder.ts"
import { moveFile } from "./move-file.ts"

/** Returns the state directory, which might not exist. `environment` contains the process variables. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const isWindows = platform() === "win32"
  const named = environment[isWindows ? "LOCALAPPDATA" : "XDG_STATE_HOME"]
  const below = isWindows ? "AppData/Local" : ".local/state"
  const base = named !== undefined && isAbsolute(named) ? named : join(homeFolder(), below)
  return join(base, "callsheet")
}

export interface ProjectState {
  readonly state: string
  readonly root: string
}

/** Returns the name of a project in the state directory. It is the same for all links to the project, and all its spellings. */
export function projectKey(root: string): string {
  // Loading `node:crypto` takes several milliseconds, and most commands need no key.
  const { createHash } = process.getBuiltinModule("node:crypto")
  return createHash("sha256").update(fs.realpathSync.native(root)).digest("hex").slice(0, 32)
}

const MAX_HEADER_BYTES = 64 * 1024
const ABANDONED_MS = 60 * 60 * 1000

/**
 * A private directory. The first write creates it. Each call reads the disk, because other processes may write to it.
 */
export class PrivateFolder {
  readonly #path: string
  readonly #parents: readonly string[]

  /** `names` is the path from the state directory. Neither directory has to exist. */
  constructor(state: string, ...names: readonly string[]) {
    this.#parents = [state, ...names.slice(1).map((_, index) => join(state, ...names.slice(0, index + 1)))]
    this.#path = join(state, ...names)
  }

  names(): readonly string[] {
    return attempt(() => fs.readdirSync(this.#path)) ?? []
  }

  sizeOf(name: string): number | undefined {
    return this.#statsOf(name)?.size
  }

  /** Reads a file. Undefined if it doesn't exist, is a link, or can't be read. */
  read(name: string): string | undefined {
    return this.#open(name, (descriptor) => fs.readFileSync(descriptor, "utf8"))
  }

  readJson<T>(name: string, shape: Shape<T>): T | undefined {
    return readJson(this.read(name) ?? "", shape)
  }

  readWithHeader<T>(name: string, shape: Shape<T>) {
    return splitHeader(this.read(name) ?? "", shape)
  }

  readHeader<T>(name: string, shape: Shape<T>): T | undefined {
    const text = this.#open(name, (descriptor) => {
      const bytes = Buffer.alloc(MAX_HEADER_BYTES)
      return bytes.toString("utf8", 0, fs.readSync(descriptor, bytes, 0, MAX_HEADER_BYTES, 0))
    })
    return text === undefined ? undefined : splitHeader(text, shape)?.header
  }

  write(name: string, text: string): boolean {
    const unique = Math.random().toString(16).slice(2).padEnd(16, "0")
    const temporary = `.${name.replace(/\.json$/, "")}-${unique.slice(0, 16)}.tmp`
    try {
      if (![...this.#parents, this.#path].every(makePrivate)) return false
      writeWhole(join(this.#path, name), join(this.#path, temporary), text)
      return true
    } catch {
      return false
    }
  }

  remove(name: string): void {
    fs.rmSync(join(this.#path, name), { force: true })
  }

  /** Removes the files that were written first, so that at most `maxFiles` stay. */
  keepNewest(maxFiles: number): void {
    removeOldest(this.#path, { maxEntries: maxFiles, maxBytes: Infinity })
  }

  removeAbandoned(isCandidate: (name: string) => boolean): void {
    for (const name of this.names().filter(isCandidate)) {
      const stats = this.#statsOf(name)
      if (stats !== undefined && stats.mtimeMs < Date.now() - ABANDONED_MS) this.remove(name)
    }
  }

  #statsOf(name: string) {
    return fs.lstatSync(join(this.#path, name), { throwIfNoEntry: false })
  }

  #open<T>(name: string, use: (descriptor: number) => T): T | undefined {
    let descriptor: number | undefined
    try {
      // Without `O_NONBLOCK`, opening a pipe would block.
      const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)
      descriptor = fs.openSync(join(this.#path, name), flags)
      return use(descriptor)
    } catch {
      return undefined
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor)
    }
  }
}

function writeWhole(file: string, temporary: string, text: string): void {
  try {
    fs.writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush: true })
    moveFile(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}

/** Puts a header on the first line of a file. Listing files then doesn't read the rest. */
export const joinHeader = (header: object, text: string): string => `${JSON.stringify(header)}\n${text}`

function splitHeader<T>(content: string, shape: Shape<T>) {
  const end = content.indexOf("\n")
  const header = end === -1 ? undefined : readJson(content.slice(0, end), shape)
  return header === undefined ? undefined : { header, text: content.slice(end + 1) }
}

function readJson<T>(text: string, shape: Shape<T>): T | undefined {
  const parsed = parseJson(text)
  return parsed.ok ? readShape(shape, parsed.value).value : undefined
}

/** Makes the directory private. Returns false if it is something else, such as a link or another user's directory. */
function makePrivate(folder: string): boolean {
  makeFolder(folder, 0o700)
  const stats = fs.lstatSync(folder)
  if (!stats.isDirectory() || !isOwnedByUser(stats, 0)) return false
  if (!isOwnedByUser(stats, 0o077)) fs.chmodSync(folder, 0o700)
  return true
}
