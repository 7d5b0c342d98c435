// Whether a file is still the one that it was: what the journal can say of it without saying what it holds.

import type { Stats } from "node:fs"

export interface FileIdentity {
  readonly inode: string
  readonly size: number
  readonly modifiedMs: number
}

export const identityOf = ({ ino, size, mtimeMs }: Stats): FileIdentity => ({
  inode: String(ino),
  size,
  modifiedMs: mtimeMs,
})

/** `null` is the identity of no file. */
export function isSameFile(stats: Stats | undefined, identity: FileIdentity | null): boolean {
  if (stats === undefined || identity === null) return stats === undefined && identity === null
  const found = identityOf(stats)
  return (
    found.inode === identity.inode && found.size === identity.size && found.modifiedMs === identity.modifiedMs
  )
}
