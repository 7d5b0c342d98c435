// Decides which requests are in which workflow. Requests that pass variables to each other stay in one workflow, in the
// order of the source. A large workflow becomes a suite with a workflow for each folder.

import { getOrCreate } from "@callsheet/format"
import type { Folder, Item, Request } from "../model.ts"
import type { FlatRequest } from "./flatten.ts"
import { workflowNames } from "./names.ts"
import type { Names } from "./read-names.ts"

/** The maximum number of blocks in a workflow. In a longer one, nobody finds a block. */
export const MAX_BLOCKS = 60

export interface PlannedWorkflow {
  readonly name: string
  readonly items: readonly Item[]
  /** The collection and the folders around the items. Their scripts run first. */
  readonly folders: readonly Folder[]
  /** The suite whose part the workflow is, if it was too large. */
  readonly suite?: { readonly name: string; /** The name of the folder or collection. */ readonly of: string }
}

/** The number of blocks by item. */
export type Sizes = ReadonlyMap<Item, number>

export const requestsIn = (items: readonly Item[]): readonly Request[] =>
  items.flatMap((item) => (item.kind === "folder" ? requestsIn(item.items) : [item]))

/** Plans the workflows. Without sizes, each of them may have any number of blocks. */
export function planWorkflows(names: Names, sizes: Sizes = new Map()): readonly PlannedWorkflow[] {
  const { collection, secrets } = names
  const { root } = collection
  const unique = workflowNames()
  const suites = workflowNames()
  const nameOf = (folders: readonly Folder[]): string => {
    const [, ...inner] = folders
    const { where } = folders.at(-1) ?? root
    const written = inner.length === 0 ? root.name : inner.map((folder) => folder.name).join(" ")
    return unique.add(secrets.slug(written, "workflow", { where, what: "name" }))
  }
  return groupsOf(names).flatMap((group) => {
    const parts = splitGroup(group, sizes)
    const [whole] = parts
    if (whole !== undefined && parts.length === 1) return [{ ...whole, name: nameOf(whole.folders) }]
    const named = parts.map((part) => ({ ...part, name: nameOf(part.folders) }))
    const { name, where } = group.folders.at(-1) ?? root
    const suite = { name: suites.add(secrets.slug(name, "suite", { where, what: "name" })), of: name }
    return named.map((part) => ({ ...part, suite }))
  })
}

type Group = Pick<PlannedWorkflow, "items" | "folders">

/**
 * Returns the requests of each workflow: a folder that neither gets values from other requests nor passes some to them,
 * and all other requests together.
 */
function groupsOf({ collection: { root }, flows }: Names): readonly Group[] {
  const items = root.items.filter((item) => item.kind !== "folder" || hasRequests(item.items))
  const unitOf = (one: FlatRequest): Folder => one.folders[0] ?? root
  const joined = new Set(
    flows.flatMap(({ from, to }) => (unitOf(from) === unitOf(to) ? [] : [unitOf(from), unitOf(to)])),
  )
  const groups = new Map<Folder, Item[]>()
  for (const item of items) {
    const owner = item.kind === "folder" && !joined.has(item) ? item : root
    getOrCreate(groups, owner, () => []).push(item)
  }
  return [...groups].map(([owner, own]) =>
    owner === root ? { items: own, folders: [root] } : { items: owner.items, folders: [root, owner] },
  )
}

export const hasRequests = (items: readonly Item[]): boolean =>
  items.some((item) => item.kind !== "folder" || hasRequests(item.items))

/** Splits a group with too many blocks at its folders, and requests without a folder between them. */
function splitGroup(group: Group, sizes: Sizes): readonly Group[] {
  const size = (items: readonly Item[]): number =>
    items.reduce((sum, item) => sum + (sizes.get(item) ?? 0), 0)
  // Each folder with scripts may add a block before and one after the others, and a group may have the name.
  const added = group.folders.flatMap(({ scripts }) => [...new Set(scripts.map(({ when }) => when))])
  const max = MAX_BLOCKS - 1 - added.length
  if (size(group.items) <= max) return [group]
  const parts: Group[] = []
  let loose: Request[] = []
  const end = (): void => {
    if (loose.length > 0) parts.push({ ...group, items: loose })
    loose = []
  }
  for (const item of group.items) {
    if (item.kind === "folder") {
      end()
      if (hasRequests(item.items))
        parts.push(...splitGroup({ items: item.items, folders: [...group.folders, item] }, sizes))
      continue
    }
    if (loose.length > 0 && size([...loose, item]) > max) end()
    loose.push(item)
  }
  end()
  return parts
}
