// Asks before a run against production starts. The confirmation works once, for one order and one state of the files.

import { createHash, hash, randomBytes } from "node:crypto"
import type { Dirent } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import type { ProductionBinding } from "@callsheet/engine"
import { CallsheetError, stringifyJson, type Project } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { ProductionQuestion, RunOrder } from "../calls/index.ts"

interface ProductionGateOptions {
  readonly root: string
  readonly order: RunOrder
  /** What the confirmation is bound to, beside what is sent and the files; the same values in the same order. */
  readonly choices: readonly unknown[]
  readonly isRemote: boolean
  readonly confirmations: Confirmations
  readonly read: () => Project
}

export interface ProductionGate {
  readonly project: Project
  /** What to ask the person; undefined where the order brings the answer. Throws `confirm-required` where nobody may answer. */
  readonly ask: (production: readonly ProductionBinding[]) => Promise<ProductionQuestion | undefined>
}

export async function createProductionGate(options: ProductionGateOptions): Promise<ProductionGate> {
  const { root, order, choices, confirmations, read } = options
  const first = read()
  if (!hasProduction(first)) return { project: first, ask: noQuestion }
  const bodies = bodyFilesOf(first)
  const files = await fingerprintFiles(root, bodies)
  const project = read()
  return {
    project,
    ask: async (production) => {
      if (options.isRemote) throw refusal()
      const subject = stringifyJson([...choices, production, files])
      const isGiven = order.confirmation !== undefined && confirmations.take(order.confirmation, subject)
      // A file that was saved while the others were read may be in the project or not.
      if (isGiven && (await fingerprintFiles(root, bodies)) === files) return undefined
      return { confirmation: confirmations.issue(subject), production }
    },
  }
}

/** No environment that a run can be bound to is of that level. */
const noQuestion = (): Promise<never> =>
  Promise.reject(new Error("a run against production was not foreseen"))

const hasProduction = ({ apis }: Project): boolean =>
  [...apis.values()].some(({ environments }) =>
    [...environments.environments.values()].some(({ level }) => level === "production"),
  )

const refusal = (): CallsheetError => new CallsheetError(messages["confirm-required"].remote())

export const choicesOf = ({ workflow, environments, inputs, until, only }: RunOrder): readonly unknown[] => [
  workflow,
  sortedEntries(environments),
  sortedEntries(inputs),
  until ?? null,
  only ?? null,
]

export const sortedEntries = (members: Readonly<Record<string, unknown>>) =>
  Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Files that requests may send, wherever in the project: any text at `body` or `file` may be the path of one. */
function bodyFilesOf({ workflows, apis }: Project): readonly string[] {
  const found = new Set<string>()
  const open: unknown[] = [...workflows.values()].map(({ workflow }) => workflow)
  for (const { instances } of apis.values()) for (const { request } of instances.values()) open.push(request)
  // It grows while it is walked.
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== "string") open.push(member)
      else if (name === "body" || name === "file") found.add(member)
    }
  }
  return [...found].toSorted()
}

/**
 * Changes with any file below `apis/` and any of `others`, by size, times and place: no program can set the time of the last
 * change back.
 */
async function fingerprintFiles(root: string, others: readonly string[]): Promise<string> {
  const states = createHash("sha256")
  for (const path of others) states.update(`${path}\0${await stateOf(join(root, path))}\0`)
  const folders = ["apis"]
  const seen = new Set<string>()
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // What a link leads to is read too; a circle of links is walked once.
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
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  )
}

async function list(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Follows links: what they lead to is what is read. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(" ")
  } catch {
    return "gone"
  }
}

export type Confirmations = ReturnType<typeof createConfirmations>

const MAX_OPEN = 100

/** `now` gives milliseconds that never go back; `validMs` is how long a person may take to answer. */
export function createConfirmations(now: () => number, validMs: number) {
  // By their hashes: what a look-up takes longer for says nothing of a confirmation.
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
    /** Returns whether it was issued for this very subject, and in time. Whatever the answer, it works no more. */
    take: (confirmation: string, subject: string): boolean => {
      const key = hash("sha256", confirmation)
      const issued = open.get(key)
      open.delete(key)
      return issued !== undefined && now() < issued.until && issued.subject === hash("sha256", subject)
    },
  }
}
