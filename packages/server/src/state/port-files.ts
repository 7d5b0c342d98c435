// Port files: by which a second command finds the application of a project that is running, and shows that it is its user's.

import { randomUUID } from "node:crypto"
import { shapes } from "@callsheet/format"
import { isDead, ownIdentity } from "@callsheet/project"
import { PrivateFolder } from "./private-folder.ts"
import { projectKey, type ProjectState } from "./state-folder.ts"

const { number, object, optional, required, string } = shapes

/** What one running application says of itself, and which process it is. */
const portFile = object({
  address: required(string(), "The address that it listens at."),
  port: required(number(), "The port that it listens at."),
  owner: required(string(), "What `POST /link` expects."),
  pid: required(number(), "The process."),
  host: required(string(), "The machine of the process."),
  startTime: optional(string(), "When the process started."),
  space: optional(string(), "The namespace of the process."),
})
export type PortFile = Pick<shapes.TypeOf<typeof portFile>, "address" | "port" | "owner">

/**
 * Writes the file of this process, for its user alone to read. Returns what removes it again; undefined if it can't be
 * written, so that no other command will find this one.
 */
export function writePortFile(
  { state, root }: ProjectState,
  { address, port, owner }: PortFile,
): (() => void) | undefined {
  const folder = new PrivateFolder(state, "app")
  clearDead(folder)
  // Containers may share the folder, and number their processes alike.
  const name = `${projectKey(root)}-${randomUUID()}.json`
  const isWritten = folder.write(name, JSON.stringify({ ...ownIdentity(), address, port, owner }))
  return isWritten ? () => folder.remove(name) : undefined
}

/** The applications of the project that are running. */
export function readPortFiles({ state, root }: ProjectState): readonly PortFile[] {
  const folder = new PrivateFolder(state, "app")
  clearDead(folder)
  return folder
    .names()
    .filter((name) => name.startsWith(`${projectKey(root)}-`))
    .flatMap((name) => folder.readJson(name, portFile) ?? [])
    .map(({ address, port, owner }) => ({ address, port, owner }))
}

/** Removes the files of processes that ended without doing so. Others may be about to write or to remove theirs. */
function clearDead(folder: PrivateFolder): void {
  for (const name of folder.names()) {
    const file = folder.readJson(name, portFile)
    if (file !== undefined && isDead(file)) folder.remove(name)
  }
}
