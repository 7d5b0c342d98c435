// Asks before a run against production. A confirmation is valid once, for one order and one state of the files.

import { createHash, hash, randomBytes } from "node:crypto"
import type { Dirent } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import type { ProductionBinding } from "@callsheet/engine"
import { CallsheetError, PROJECT_FILE, stringifyJson, type Project } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { ProductionQuestion, RunOrder } from "../calls/index.ts"

interface ProductionGateOptions {
  readonly root: string
  readonly order: RunOrder
  /** Other values on which the confirmation depends, always in the same order. */
  readonly choices: readonly unknown[]
  readonly isRemote: boolean
  readonly confirmations: Confirmations
  readonly read: () => Project
}

export async function createProductionGate(options: ProductionGateOptions) {
  const { root, order, choices, confirmations, read } = options
  const first = read()
  if (!hasProduction(first)) return { project: first, ask: noQuestion }
  const bodies = [PROJECT_FILE, ...bodyFilesOf(first)]
  const files = await fingerprintFiles(root, bodies)
  const project = read()
  return {
    project,
    /**
     * Returns the question. Undefined if the order contains the answer. Throws `confirm-required` if nobody may answer.
     */
    ask: async (production: readonly ProductionBinding[]): Promise<ProductionQuestion | undefined> => {
      if (options.isRemote) throw new CallsheetError(messages["confirm-required"].remote())
      const subject = stringifyJson([...choices, production, files])
      const isGiven = order.confirmation !== undefined && confirmations.take(order.confirmation, subject)
      // A file may have changed while others were read, so compare again.
      if (isGiven && (await fingerprintFiles(root, bodies)) === files) return undefined
      return { confirmation: confirmations.issue(subject), production }
    },
  }
}

/** Used if no environment is a production environment. */
const noQuestion = (): Promise<never> => Promise.reject(new Error("unexpected run against production"))

const hasProduction = ({ apis }: Project): boolean =>
  [...apis.values()].some(({ environments }) =>
    [...environments.environments.values()].some(({ level }) => level === "production"),
  )

export const choicesOf = (order: RunOrder): readonly unknown[] => [
  order.workflow,
  sortedEntries(order.environments),
  sortedEntries(order.inputs),
  order.until ?? null,
  order.only ?? null,
  order.onFailure ?? null,
  order.validatesContracts ?? false,
  order.inboxPort ?? null,
  order.inboxUrl ?? null,
]

export const sortedEntries = (members: Readonly<Record<string, unknown>>) =>
  Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Returns files of bodies and rows. Any string under `body`, `file` or `data` may be a path. */
function bodyFilesOf({ workflows, apis, settingsFile }: Project): readonly string[] {
  const found = new Set<string>()
  const open: unknown[] = [settingsFile?.settings, ...[...workflows.values()].map(({ workflow }) => workflow)]
  for (const { instances } of apis.values()) for (const { request } of instances.values()) open.push(request)
  // This loop also visits the values that it adds.
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== "string") open.push(member)
      else if (name === "body" || name === "file" || name === "data") found.add(member)
    }
  }
  return [...found].toSorted()
}

/** Hashes each file in `apis/` and in `others`. Includes the ctime, which programs can't set. */
async function fingerprintFiles(root: string, others: readonly string[]): Promise<string> {
  const states = createHash("sha256")
  for (const path of others) states.update(`${path}\0${await stateOf(join(root, path))}\0`)
  const folders = ["apis"]
  const seen = new Set<string>()
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // Follow links, but visit each real directory once, because links may form a cycle.
    const real = await realpath(join(root, folder)).catch(() => folder)
    states.update(`${folder}\0${real}\0`)
    if (seen.has(real)) continue
    seen.add(real)
    for (const entry of await list(join(root, folder))) {
      const path = `${folder}/${entry.name}`
      if (await isFolder(entry, join(root, path))) folders.push(path)
      else states.update(`${path}\0${await stateOf(join(root, path))}\0`)
    }
  }
  return states.digest("hex")
}

async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

async function list(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Returns the state of a file. Follows links, because a run does so too. */
async function stateOf(path: string): Promise<string> {
  const status = await stat(path, { bigint: true }).catch(() => undefined)
  return status === undefined ? "gone" : [status.ino, status.size, status.mtimeNs, status.ctimeNs].join(" ")
}

export type Confirmations = ReturnType<typeof createConfirmations>

const MAX_OPEN = 100

/** Creates confirmations. `now` returns monotonic milliseconds. `validMs` is the time limit for an answer. */
export function createConfirmations(now: () => number, validMs: number) {
  // The keys are hashes, so that the time of a lookup reveals nothing about a confirmation.
  const open = new Map<string, { readonly subject: string; readonly until: number }>()
  return {
    issue: (subject: string): string => {
      const confirmation = randomBytes(32).toString("base64url")
      open.set(hash("sha256", confirmation), { subject: hash("sha256", subject), until: now() + validMs })
      for (const oldest of open.keys()) {
        if (open.size <= MAX_OPEN) break
        open.delete(oldest)
      }
      return confirmation
    },
    /** Returns whether a confirmation of exactly this subject is still valid. Uses up the confirmation in any case. */
    take: (confirmation: string, subject: string): boolean => {
      const key = hash("sha256", confirmation)
      const issued = open.get(key)
      open.delete(key)
      return issued !== undefined && now() < issued.until && issued.subject === hash("sha256", subject)
    },
  }
}
