// Loads the chunks of the command, from V8's code cache if possible.

import { cacheFolder, isPrivateFolder, readOwnEntry, removeOldest, writeCacheEntry } from "@callsheet/engine"
import { join } from "node:path"
import { Script } from "node:vm"
import { version } from "./version.ts"

/** The minimum age of a cache entry before code that later runs compiled is added to it. */
const KEPT_MS = 24 * 60 * 60 * 1000
const MAX_ENTRIES = 200
const MAX_BYTES = 32 * 1024 * 1024

type Body = (exports: object, require: unknown, module: object, filename: string, directory: string) => void

type Entry = ReturnType<typeof readOwnEntry>

interface CodeCache {
  readonly read: (chunk: string) => Entry
  /** At the end of the process, writes the code that V8 has compiled for a script. */
  readonly writeAtExit: (chunk: string, script: Script) => void
}

/** The chunks, which are all in one directory. */
export interface Chunks {
  readonly folder: string
  readonly read: (file: string) => string
}

// Commands share chunks but use different functions in them.
const use = ["run", "validate"].find((command) => process.argv.includes(command)) ?? "other"

/** Runs the command that the arguments of the process name. */
export const loadCommand = (chunks: Chunks): unknown => createLoader(chunks, openCodeCache())("./main.js")

/** Creates the `require` for chunks. It works like Node's but uses the code cache. */
export function createLoader(chunks: Chunks, cache?: CodeCache): (id: string) => unknown {
  const modules = new Map<string, { exports: object }>()
  const load = (id: string): unknown => {
    if (!id.startsWith("./")) return require(id)
    const known = modules.get(id)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(id, module)
    const filename = join(chunks.folder, id)
    const text = chunks.read(filename)
    compile({ filename, text, chunk: id.slice(2), cache })(
      module.exports,
      load,
      module,
      filename,
      chunks.folder,
    )
    return module.exports
  }
  return load
}

interface Compilation {
  readonly filename: string
  readonly text: string
  readonly chunk: string
  readonly cache: CodeCache | undefined
}

function compile({ filename, text, chunk, cache }: Compilation): Body {
  const entry = cache?.read(chunk)
  // V8 checks that the entry is from the same V8. It doesn't check that the entry is complete, and checks only the
  // length of the source.
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename,
    cachedData: entry?.content,
  })
  if (script.cachedDataRejected !== false || Date.now() - (entry?.writtenAtMs ?? 0) > KEPT_MS)
    cache?.writeAtExit(chunk, script)
  return script.runInThisContext() as Body
}

/** Opens the cache. Undefined if no directory is private to this user. */
function openCodeCache(): CodeCache | undefined {
  const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: disabled } = process.env
  const folder = named === undefined ? cacheFolder("code") : join(named, "callsheet")
  if (disabled !== undefined) return undefined
  if (folder === undefined || !isPrivateFolder(folder)) return undefined
  const fileOf = (chunk: string): string =>
    join(folder, [version, process.version, process.arch, use, chunk].join("-"))
  const scripts = new Map<string, Script>()
  process.once("exit", (code) => {
    // A command that couldn't start has compiled only part of what it needs.
    if (scripts.size === 0 || code > 1) return
    for (const [chunk, script] of scripts) writeCacheEntry(fileOf(chunk), seal(script.createCachedData()))
    removeOldest(folder, { maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES })
  })
  return {
    // Only a name with a hash identifies the content of a chunk.
    read: (chunk) => (isHashed(chunk) ? unseal(readOwnEntry(fileOf(chunk))) : undefined),
    writeAtExit: (chunk, script) => {
      if (isHashed(chunk)) scripts.set(chunk, script)
    },
  }
}

function isHashed(chunk: string): boolean {
  return /-[\w-]{8}\.js$/.test(chunk)
}

function seal(content: Buffer): Buffer {
  const seal = Buffer.alloc(4)
  seal.writeInt32LE(checksumOf(content))
  return Buffer.concat([content, seal])
}

function unseal(entry: Entry): Entry {
  if (entry === undefined || entry.content.length < 4) return undefined
  const content = entry.content.subarray(0, -4)
  return entry.content.readInt32LE(content.length) === checksumOf(content) ? { ...entry, content } : undefined
}

/**
 * Adds up parts of each disk sector of 512 bytes. Disks lose whole sectors, and a complete sum would take as long as the
 * cache saves.
 */
function checksumOf(content: Buffer): number {
  const view = new DataView(content.buffer, content.byteOffset, content.length)
  let sum = content.length
  for (let at = 0; at + 4 <= content.length; at += 64) sum = (Math.imul(sum, 31) + view.getInt32(at)) | 0
  return sum
}
