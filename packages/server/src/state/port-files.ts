// Port files: by which a second command finds the application of a project that is running, and shows that it is its user's.

import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isJsonObject, parseJson } from "@callsheet/format"
import { isDead, ownIdentity, type ProcessIdentity } from "@callsheet/project"
import { makePrivateFolder, projectKey } from "./state-folder.ts"

/** What one running application says of itself. */
export interface PortFile {
  /** The address that it listens at. */
  readonly address: string
  readonly port: number
  /** What `POST /link` wants to see. */
  readonly owner: string
}

export interface PortFilePlace {
  /** The user's state folder; it need not be there. */
  readonly state: string
  /** The project's folder. */
  readonly root: string
}

/**
 * Writes the file of this process, for its user alone to read. Returns what removes it again; undefined where it cannot be
 * written, so that no other command will find this one.
 */
export function writePortFile(
  { state, root }: PortFilePlace,
  { address, port, owner }: PortFile,
): (() => void) | undefined {
  const folder = join(state, "app")
  // Containers may share the folder, and have the same numbers of processes.
  const file = join(folder, `${projectKey(root)}-${randomUUID()}.json`)
  try {
    if (!makePrivateFolder(state) || !makePrivateFolder(folder)) return undefined
    clearDead(folder)
    writeFileSync(file, JSON.stringify({ ...ownIdentity(), address, port, owner }), {
      flag: "wx",
      mode: 0o600,
    })
    return () => rmSync(file, { force: true })
  } catch {
    return undefined
  }
}

/** The applications of the project that are running. */
export function readPortFiles({ state, root }: PortFilePlace): readonly PortFile[] {
  const folder = join(state, "app")
  const prefix = `${projectKey(root)}-`
  try {
    clearDead(folder)
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => read(join(folder, name))?.content ?? [])
  } catch {
    return []
  }
}

/** Removes the files of processes that have ended without doing so. */
function clearDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const owner = read(file)?.identity
    if (owner !== undefined && isDead(owner)) rmSync(file, { force: true })
  }
}

interface ReadPortFile {
  readonly identity: ProcessIdentity
  readonly content: PortFile
}

/** Undefined where it is none: others may be about to write or to remove theirs. */
function read(file: string): ReadPortFile | undefined {
  const parsed = parseJson(readText(file))
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const { pid, host, startTime, space, address, port, owner } = parsed.value
  if (typeof pid !== "number" || typeof host !== "string") return undefined
  if (typeof address !== "string" || typeof port !== "number" || typeof owner !== "string") return undefined
  const identity = {
    pid,
    host,
    ...(typeof startTime === "string" ? { startTime } : {}),
    ...(typeof space === "string" ? { space } : {}),
  }
  return { identity, content: { address, port, owner } }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
