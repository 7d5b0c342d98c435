// Keeps the outlines of large documents between runs, one file for each content, in a folder of the user's own.

import { memo } from "@callsheet/format"
import type { KeptOutline, OutlineKey, OutlineStore } from "@callsheet/openapi"
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { cacheFolder, writeCacheEntry } from "./cache-folder.ts"

interface OutlineStoreOptions {
  /** Default: the user's cache folder. */
  readonly folder?: string | undefined
  /** How many entries are kept, and how many bytes all of them may take. */
  readonly maxEntries?: number
  readonly maxBytes?: number
}

// Loading it takes several milliseconds, and most runs read small documents alone.
const crypto = () => process.getBuiltinModule("node:crypto")

/** Raise it when what an entry holds, or what an outline means, changes. */
const VERSION = 3

/** SHA-256, in bytes. */
const DIGEST_LENGTH = 32
/** The digest of what follows; what was seen, a bit for each; how many bytes of rows follow, and of JSON behind them. */
const HEADER_LENGTH = DIGEST_LENGTH + 12

/**
 * Makes the store. Entries are found by the content of the document alone, whole or not at all, and can be deleted at any
 * time. Where there is no folder, or it cannot be written, nothing is kept and nothing fails.
 */
export function createOutlineStore(options: OutlineStoreOptions = {}): OutlineStore {
  const { folder = cacheFolder("documents"), maxEntries = 64, maxBytes = 512 * 1024 * 1024 } = options
  if (folder === undefined) return { read: () => undefined, write: () => undefined }
  const digest = memo((bytes: Uint8Array) => digestOf([bytes]).toString("hex"))
  const fileOf = ({ bytes, dialect }: OutlineKey): string =>
    join(folder, `${digest(bytes)}.${dialect}.${VERSION}`)
  return {
    read: (key) => attempt(() => readEntry(fileOf(key), key.dialect)),
    write: (key, kept) => {
      attempt(() => {
        writeCacheEntry(fileOf(key), entryOf(kept))
        removeOldest(folder, { maxEntries, maxBytes })
      })
    },
  }
}

/** A cache that cannot be used costs time, nothing else. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

function readEntry(file: string, dialect: OutlineKey["dialect"]): KeptOutline | undefined {
  const entry = readFileSync(file)
  const body = entry.subarray(DIGEST_LENGTH)
  if (!digestOf([body]).equals(entry.subarray(0, DIGEST_LENGTH))) return undefined
  const rowsEnd = HEADER_LENGTH + entry.readUInt32LE(DIGEST_LENGTH + 4)
  const jsonEnd = rowsEnd + entry.readUInt32LE(DIGEST_LENGTH + 8)
  if (jsonEnd !== entry.length) return undefined
  const rows = new Int32Array(
    entry.buffer.slice(entry.byteOffset + HEADER_LENGTH, entry.byteOffset + rowsEnd),
  )
  const outline = { rows, seen: entry.readInt32LE(DIGEST_LENGTH) }
  noteUse(file)
  return dialect === "json" ? { outline } : { outline, json: entry.subarray(rowsEnd) }
}

/** The oldest entries go first: one in use is made young again, once a day. */
function noteUse(file: string): void {
  const now = Date.now() / 1000
  if (statSync(file).mtimeMs / 1000 < now - 24 * 60 * 60) utimesSync(file, now, now)
}

function entryOf({ outline, json = new Uint8Array() }: KeptOutline): Buffer {
  const { rows, seen } = outline
  const header = Buffer.alloc(12)
  header.writeInt32LE(seen, 0)
  header.writeUInt32LE(rows.byteLength, 4)
  header.writeUInt32LE(json.byteLength, 8)
  const parts = [header, Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength), json]
  return Buffer.concat([digestOf(parts), ...parts])
}

function digestOf(parts: readonly Uint8Array[]): Buffer {
  const hash = crypto().createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Left-over temporary files are entries like others: they are the oldest one day. */
function removeOldest(
  folder: string,
  { maxEntries, maxBytes }: { readonly maxEntries: number; readonly maxBytes: number },
): void {
  const entries = readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((file) => attempt(() => ({ file, status: statSync(file) })) ?? [])
    .sort((a, b) => b.status.mtimeMs - a.status.mtimeMs)
  let total = 0
  for (const [index, { file, status }] of entries.entries()) {
    total += status.size
    if (index >= maxEntries || (index > 0 && total > maxBytes)) rmSync(file, { force: true })
  }
}
