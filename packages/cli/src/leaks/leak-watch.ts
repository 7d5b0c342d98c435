// Everything that a run writes, looked through for its secrets: what goes by as it goes, files when they are whole.

import { closeSync, openSync, readSync, rmSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import type { RunSecret } from "@callsheet/engine"
import type { Problem, RunEvent } from "@callsheet/format"
import type { ReportFile } from "../report-file.ts"
import type { Output, Screen } from "../screen.ts"
import { createLeakSearch, lookedFor, type LeakSearch, type LookedFor } from "./leak-search.ts"
import { createOwnWords } from "./own-words.ts"

export interface LeakWatch {
  /** The screen, watched. */
  readonly screen: Screen
  /** The file, to be read again when it is in its place; a pipe or a device is watched. */
  readonly file: (file: ReportFile, shown: string) => ReportFile
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
  readonly hear: (event: RunEvent) => void
  /** Reads the files again, removes those with a secret, and tells of every leak, and of secrets that nobody could find. */
  readonly verify: () => readonly Problem[]
}

export function createLeakWatch(screen: Screen): LeakWatch {
  const own = createOwnWords()
  const written = new Map<string, string>()
  const streams = new Map<string, LeakSearch>()
  let secrets: readonly LookedFor[] | undefined
  const watch = (name: string, output: Output): Output => {
    const search = createLeakSearch(() => secrets)
    streams.set(name, search)
    return watched(output, search)
  }
  const out = watch("standard output", screen.out)
  const err = watch("standard error", screen.err)
  return {
    screen: Object.create(screen, { out: { value: out }, err: { value: err } }) as Screen,
    file: (file, shown) => {
      if (file.place === undefined) return { ...file, output: watch(shown, file.output) }
      const { place } = file
      const commit = (): void => {
        file.commit()
        written.set(shown, place)
      }
      return { ...file, commit }
    },
    onSecrets: (more) => {
      secrets = [...(secrets ?? []), ...lookedFor(more)]
    },
    hear: own.hear,
    verify: () => {
      const wanted = (secrets ??= [])
      const plain = new Set(wanted.filter(({ value }) => own.has(value)).map(({ name }) => name))
      const leaks = [
        ...[...streams].flatMap(([name, search]) => leaksOf(name, only(search.end(), plain))),
        ...[...written].flatMap(([shown, place]) => verifyFile(shown, place, { wanted, plain })),
      ]
      return [...leaks, ...[...plain].map(notLookedFor)]
    },
  }
}

/** Properties of an output ask the stream, which is not opened for that: they stay where they are. */
const watched = (output: Output, search: LeakSearch): Output =>
  Object.create(output, {
    write: {
      value: (text: string) => {
        search.push(text)
        output.write(text)
      },
    },
  }) as Output

const only = (names: ReadonlySet<string>, plain: ReadonlySet<string>): readonly string[] =>
  [...names].filter((name) => !plain.has(name))

const hint =
  "this is a bug in callsheet: please report it, without the value; change the secret if others could read it"

const leaksOf = (artefact: string, names: readonly string[], more = ""): Problem[] =>
  names.map((name) => ({
    code: "secret-leaked",
    severity: "error",
    message: `${artefact} holds the value of the secret ${name}${more}`,
    hint,
  }))

const notLookedFor = (name: string): Problem => ({
  code: "secret-leaked",
  severity: "warning",
  message: `the secret ${name} was not looked for: its value is a short number, a name in the project or a word that reports hold anyway`,
  hint: "a secret should be nothing that can be guessed",
})

interface Wanted {
  readonly wanted: readonly LookedFor[]
  readonly plain: ReadonlySet<string>
}

function verifyFile(shown: string, place: string, { wanted, plain }: Wanted): readonly Problem[] {
  try {
    const search = createLeakSearch(() => wanted)
    for (const text of textOf(place)) search.push(text)
    const names = only(search.end(), plain)
    if (names.length === 0) return []
    const isRemoved = remove(place)
    return leaksOf(shown, names, isRemoved ? "; the file was removed" : "; the file could not be removed")
  } catch {
    return [
      {
        code: "report-failed",
        severity: "error",
        message: `the report ${shown} cannot be read again, so nobody knows whether it holds a secret`,
      },
    ]
  }
}

function remove(place: string): boolean {
  try {
    rmSync(place)
    return true
  } catch {
    return false
  }
}

function* textOf(place: string): Generator<string> {
  const file = openSync(place, "r")
  try {
    const decoder = new StringDecoder("utf8")
    const buffer = Buffer.alloc(256 * 1024)
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
      yield decoder.write(buffer.subarray(0, size))
    yield decoder.end()
  } finally {
    closeSync(file)
  }
}
