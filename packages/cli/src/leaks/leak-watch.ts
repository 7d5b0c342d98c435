// Everything that a run writes, looked through for its secrets: what goes by as it goes, files when they are whole.

import { openSync, rmSync } from "node:fs"
import type { RunSecret } from "@callsheet/engine"
import type { Problem, RunEvent } from "@callsheet/format"
import type { ReportFile } from "../report-file.ts"
import type { Output, Screen } from "../screen.ts"
import {
  createLeakSearch,
  lookedFor,
  type LeakFindings,
  type LeakSearch,
  type LookedFor,
} from "./leak-search.ts"
import { createOwnWords, type OwnWords } from "./own-words.ts"
import { createSpool, textOf } from "./spool.ts"

export interface LeakWatch {
  /** The screen, watched. */
  readonly screen: Screen
  /** The file, to be read again when it is in its place; a pipe or a device is watched. */
  readonly file: (file: ReportFile, shown: string) => ReportFile
  /** Takes the secrets that the run resolves, and then those that it finds out while it goes on. */
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
  readonly hear: (event: RunEvent) => void
  /** Reads the files again, removes those with a secret, and tells of every leak, and of secrets that nobody could find. */
  readonly verify: () => readonly Problem[]
}

export function createLeakWatch(screen: Screen): LeakWatch {
  const own = createOwnWords()
  const written = new Map<string, string>()
  const streams = new Map<string, LeakSearch>()
  const secrets: LookedFor[] = []
  let resolved: number | undefined
  const watch = (name: string, output: Output): Output => {
    const search = createLeakSearch(() => (resolved === undefined ? undefined : secrets), createSpool())
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
      for (const secret of lookedFor(more)) secrets.push(secret)
      resolved ??= secrets.length
    },
    hear: own.hear,
    verify: () => {
      const known = { secrets, resolved: (resolved ??= secrets.length), own }
      const leaks = [
        ...[...streams].flatMap(([name, search]) => leaksOf(name, { ...known, findings: search.end() })),
        ...[...written].flatMap(([shown, place]) => verifyFile(shown, place, known)),
      ]
      const plain = new Set(secrets.filter(({ value }) => own.has(value)).map(({ name }) => name))
      return [...leaks, ...[...plain].map(notLookedFor)]
    },
  }
}

/** Properties of an output ask the stream, which is not opened for that: they stay where they are. */
const watched = (output: Output, search: LeakSearch): Output =>
  Object.create(output, {
    write: {
      value: (text: string, as?: "exact") => {
        search.push(text)
        output.write(text, as)
      },
    },
  }) as Output

interface Known {
  readonly secrets: readonly LookedFor[]
  /** How many of them the run has resolved; it has captured the others. */
  readonly resolved: number
  readonly own: OwnWords
}

const bug =
  "this is a bug in callsheet: please report it, without the value; change the secret if others could read it"
const late =
  "what is written before a value is known to be secret cannot be masked: mark it in the document (writeOnly, format: password), or call ctx.secret before it is shown"

interface Found extends Known {
  readonly findings: LeakFindings
  /** What is said of each leak, after its name. */
  readonly more?: string
}

function leaksOf(artefact: string, { findings, secrets, resolved, own, more = "" }: Found): Problem[] {
  const captured = new Set(secrets.slice(resolved))
  const leaked = [...findings.found].filter(({ value }) => !own.has(value))
  const byName = new Map(leaked.map((secret) => [secret.name, secret]))
  const problems = [...byName].map(([name, secret]): Problem => {
    const message = `${artefact} holds the value of the secret ${name}${more}`
    return { code: "secret-leaked", severity: "error", message, hint: captured.has(secret) ? late : bug }
  })
  return findings.isWhole ? problems : [...problems, unreadable(artefact)]
}

const unreadable = (artefact: string): Problem => ({
  code: "report-failed",
  severity: "error",
  message: `what went to ${artefact} could not be kept, so nobody knows whether it holds a secret that came later`,
  hint: "the folder for temporary files takes none",
})

const notLookedFor = (name: string): Problem => ({
  code: "secret-leaked",
  severity: "warning",
  message: `the secret ${name} was not looked for: its value is a short number, a name in the project or a word that reports hold anyway`,
  hint: "a secret should be nothing that can be guessed",
})

function verifyFile(shown: string, place: string, known: Known): readonly Problem[] {
  try {
    const search = createLeakSearch(() => known.secrets)
    for (const text of textOf(openSync(place, "r"))) search.push(text)
    const findings = search.end()
    const leaks = leaksOf(shown, { ...known, findings })
    if (leaks.length === 0) return []
    const more = remove(place) ? "; the file was removed" : "; the file could not be removed"
    return leaksOf(shown, { ...known, findings, more })
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
