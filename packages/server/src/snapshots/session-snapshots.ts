// Reads the snapshots of what a session runs, and compares its responses with them.

import { forEachRun, type Ports } from "@callsheet/engine"
import { CallsheetError, createSnapshotNames, entryOfFolder, type Project } from "@callsheet/format"
import { entriesIn, type Suite } from "@callsheet/language"
import { readSnapshots, type Snapshots } from "@callsheet/project"

interface Session {
  readonly workflows: readonly string[]
  /** The suite that runs. */
  readonly schedule: Suite | undefined
}

/** Throws the problems of snapshots that can't be read. */
export function readSessionSnapshots({ root }: Project, { workflows, schedule }: Session): Snapshots {
  const names = new Set(schedule === undefined ? workflows : [...entriesIn(schedule)].map(({ name }) => name))
  const snapshots = readSnapshots(root, (folder) => names.has(entryOfFolder(folder)))
  const [first] = snapshots.problems
  if (first !== undefined) throw new CallsheetError(first, { problems: snapshots.problems })
  return snapshots
}

/** Returns ports whose runs compare responses. */
export const compareWithSnapshots = (ports: Ports, { files }: Snapshots, ignore: readonly string[]): Ports =>
  forEachRun(ports, (place) => {
    const nameOf = createSnapshotNames(place)
    const open = (id: string) => {
      const file = nameOf(id)
      return { file, stored: files.get(file) }
    }
    return { snapshots: { open, ignore } }
  })
