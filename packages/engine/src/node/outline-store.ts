// Stores the outlines of large documents between runs in the user's own directory, one file per document text.

import { attempt, memo } from "@callsheet/format"
import type { StoredOutline, OutlineKey, OutlineStore } from "@callsheet/openapi"
import { readFileSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { cacheFolder, removeOldest, writeCacheEntry } from "./cache-folder.ts"

interface OutlineStoreOptions {
  /** By default, the user's cache directory. */
  readonly folder?: string | undefined
  /** The maximum number of entries, and the maximum size of all of them in bytes. */
  readonly maxEntries?: number
  readonly maxBytes?: number
}

// Loading `node:crypto` takes several milliseconds, and most runs read only small documents.
const crypto = () => process.getBuiltinModule("node:crypto")

/** Increase this if the format of an entry or the meaning of an outline changes. */
const VERSION = 3

/** The length of a SHA-256 digest, in bytes. */
const DIGEST_LENGTH = 32
/** The length of the header: a digest of the rest, flags, the size of the rows, and the size of the JSON after them. */
const HEADER_LENGTH = DIGEST_LENGTH + 12

/** Creates a store keyed by content. If its directory can't be used, the store stays empty, which costs only time. */
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

function readEntry(file: string, dialect: OutlineKey["dialect"]): StoredOutline | undefined {
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

/** Updates an entry's time at most once a day, so that an entry in use isn't removed as the oldest one. */
function noteUse(file: string): void {
  const now = Date.now() / 1000
  if (statSync(file).mtimeMs / 1000 < now - 24 * 60 * 60) utimesSync(file, now, now)
}

function entryOf({ outline, json = new Uint8Array() }: StoredOutline): Buffer {
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
