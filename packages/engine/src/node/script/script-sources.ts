// Reads the files of scripts as one run sees them. The first read of a file counts for the whole run, in every process.

import { realpathSync } from "node:fs"
import * as system from "node:path"
import { dirname, resolve } from "node:path"
import { getOrCreate, isWithin, wayInside } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { Answer, SourceQuestion } from "./protocol.ts"
import { parseScript, readScript, type ReadScript } from "./read-script.ts"

/**
 * File contents, under every absolute path that leads to the file. If a run has contents, it loads no other project
 * file.
 */
export type ScriptContents = ReadonlyMap<string, Uint8Array>

export type ScriptSources = ReturnType<typeof createScriptSources>

type FoundQuestion = Extract<SourceQuestion, { readonly type: "found" }>

/** Creates the sources of a run. If `confirmed` is given, only its files are loaded, without reading the disk. */
export function createScriptSources(root: string, confirmed?: ScriptContents) {
  const contents: ScriptContents = confirmed ?? new Map()
  /** The files read so far, by requested path and by real path, because a link may change later. */
  const kept = new Map<string, ReadScript>()
  /** The file that each import referred to first. */
  const found = new Map<string, string>()

  const realRoot = realOf(root)
  const inRealRoot = (file: string): string =>
    realRoot !== root && isWithin(root, file, system) ? realRoot + file.slice(root.length) : file
  const keep = (file: string, look: () => ReadScript): ReadScript => {
    // A link may have replaced the file on disk, so known contents come first.
    const before = contents.get(file)
    return getOrCreate(kept, file, () => (before === undefined ? look() : parseScript(before)))
  }
  const isUnconfirmed = (real: string): boolean => {
    const path = wayInside(system, realRoot, real)
    const isOwn = path !== undefined && !/(?:^|\/)node_modules\//.test(path)
    return confirmed !== undefined && isOwn && !contents.has(real)
  }
  const readOther = (real: string): ReadScript => (isUnconfirmed(real) ? unconfirmed : readScript(real))
  const read = (file: string): ReadScript => {
    const asked = inRealRoot(file)
    return keep(asked, () => {
      const real = realOf(asked)
      if (real !== asked) return keep(real, () => readOther(real))
      return readOther(real)
    })
  }
  const readSource = (file: string): Answer => {
    const source = read(file)
    if (source.ok) return { ok: true, value: source.text }
    // An imported file may contain invalid UTF-8, for example in a comment. A block's own script must not.
    if (source.bytes !== undefined) return { ok: true, value: Buffer.from(source.bytes).toString("utf8") }
    return { ok: false, message: says.importedFile(file, source.finding.message).message }
  }
  const resolveImport = ({ importer, specifier, found: own }: FoundQuestion): Answer => {
    const key = JSON.stringify([importer, specifier])
    const before = found.get(key)
    if (before !== undefined || own === undefined) return { ok: true, value: before }
    const wanted = resolve(dirname(inRealRoot(importer)), specifier)
    if (/^[./]/.test(specifier) && !contents.has(inRealRoot(own)) && hasOneOf(contents, wanted))
      return { ok: false, message: says.changedImport(specifier).message }
    if (confirmed !== undefined && isUnconfirmed(realOf(inRealRoot(own))))
      return { ok: false, message: says.importedFile(own, unconfirmed.finding.message).message }
    found.set(key, own)
    return { ok: true, value: own }
  }
  return {
    read,
    /** Answers a script process that loads a module. */
    answer: (question: SourceQuestion): Answer =>
      question.type === "source" ? readSource(question.file) : resolveImport(question),
  }
}

const says = messages["script-error"]

const unconfirmed = {
  ok: false,
  finding: messages["file-unreadable"].unconfirmed(),
} as const satisfies ReadScript

/** Returns whether `./x` may have referred to one of these files before the run. */
function hasOneOf(contents: ScriptContents, path: string): boolean {
  const stem = path.replace(/\.[cm]?[jt]sx?$/, "")
  for (const known of contents.keys())
    if (known === path || (known.startsWith(stem) && ending.test(known.slice(stem.length)))) return true
  return false
}

const ending = /^(?:[\\/]index)?\.(?:[cm]?[jt]sx?|json)$/

/** Resolves links. If the file doesn't exist, returns the path itself, because reading it will report that. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
