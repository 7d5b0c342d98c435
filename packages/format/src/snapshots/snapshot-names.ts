// The names of snapshot files: `snapshots/<entry>[@<row>]/<block id>[.<number>].json`.

import { checkFreeName, nameKey } from "../workflow/names.ts"

export const SNAPSHOTS = "snapshots"

/** The run whose responses are stored. */
export interface SnapshotRun {
  readonly workflow: string
  /** The name of the entry, if a suite runs. */
  readonly entry?: string | undefined
  readonly row?: number | undefined
}

/** Returns the directory of a run's snapshots. */
const snapshotFolder = ({ workflow, entry = workflow, row }: SnapshotRun): string =>
  `${SNAPSHOTS}/${encodeName(entry, /@/gu)}${row === undefined ? "" : `@${row}`}`

/** Returns the entry that a directory belongs to: `checkout@2` is row 2 of `checkout`. */
export const entryOfFolder = (name: string): string => {
  const entry = name.replace(/@[0-9]+$/, "")
  return decodeName(entry) ?? entry
}

/** Returns the block id in the name of a file. Undefined if the name has only a part of it. */
export function idOfFile(name: string): string | undefined {
  const [, id = name] = /^([^.]+)(?:\.(?:[2-9]|[1-9][0-9]+))?\.json$/.exec(name) ?? []
  return isShortened(id) ? undefined : (decodeName(id) ?? id)
}

/** Returns a function that names the files of one run. Call it for each request block, in the order in which they start. */
export function createSnapshotNames(run: SnapshotRun): (id: string) => string {
  const folder = snapshotFolder(run)
  const counts = new Map<string, number>()
  const byKey = new Map<string, string>()
  return (id) => {
    const plain = encodeName(id, /\./gu)
    // Some disks don't distinguish names by case.
    const first = byKey.get(nameKey(plain)) ?? plain
    byKey.set(nameKey(plain), first)
    const name = first === plain ? plain : encodeName(id, /[.A-Z]|^[a-z]/gu)
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    return `${folder}/${name}${number === 1 ? "" : `.${number}`}.json`
  }
}

/** The longest encoded name in bytes. A number, `.json` and the suffix of a temporary file follow. */
const MAX_NAME = 180

/** Percent-encodes what some disk can't store, and `more`. */
function encodeName(name: string, more: RegExp): string {
  const isUnusual = name !== name.normalize("NFC")
  let encoded = name
    .replaceAll("%", "%25")
    .replace(more, percent)
    .replace(/[\p{C}\p{Z}<>:"/\\|?*]/gu, (char) => (char === " " ? char : percent(char)))
    .replace(/^[ .~-]|[ .]$/gu, percent)
  if (isUnusual) encoded = encoded.replace(/\P{ASCII}/gu, percent)
  if (checkFreeName(encoded) !== undefined) encoded = encoded.replace(/^./u, percent)
  return utf8Length(encoded) <= MAX_NAME ? encoded : shortened(encoded)
}

function percent(char: string): string {
  // Half of a surrogate pair can't be encoded.
  const bytes = new TextEncoder().encode(char)
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")
}

function decodeName(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

const utf8Length = (text: string): number => new TextEncoder().encode(text).length

const MARK = "%~"
const isShortened = (name: string): boolean => name.includes(MARK)

/** Returns the start of a long name, and a number that tells it from others with the same start. */
function shortened(name: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(name))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  let start = ""
  for (const char of name) {
    if (utf8Length(start + char) > MAX_NAME - 20) break
    start += char
  }
  return `${start.replace(/%.?$/, "")}${MARK}${hash.toString(16).padStart(16, "0")}`
}
