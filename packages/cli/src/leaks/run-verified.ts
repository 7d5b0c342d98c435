// `run --verify-no-leak`: searches all output of a run for secrets. Searches streams while they are written, and files
// when they are complete.

import { openSync, rmSync } from "node:fs"
import type { RunSecret } from "@callsheet/engine"
import { toProblem, type Problem } from "@callsheet/format"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"
import { printProblems, reportError } from "../report-error.ts"
import type { ReportFile } from "../reporters/report-file.ts"
import type { Output, Screen } from "../screen.ts"
import {
  createLeakSearch,
  lookedFor,
  type LeakFindings,
  type LeakSearch,
  type LookedFor,
} from "./leak-search.ts"
import { createOwnWords, type OwnWords } from "./own-words.ts"
import { createSpool, readText } from "./spool.ts"

/** Returns the exit code of `perform`. If a secret was written, returns 2. */
export async function runVerified(
  call: CommandCall,
  perform: (call: CommandCall, watch: LeakWatch) => Promise<number>,
): Promise<number> {
  const watch = createLeakWatch(call.screen)
  const { screen } = watch
  // Print the error here, so that its text is searched too.
  const code = await perform({ ...call, screen }, watch).catch((error: unknown) =>
    reportError(error, { output: screen.err, debug: call.options.has("debug") }),
  )
  const problems = watch.verify()
  printProblems(problems, call.screen.err)
  return problems.some(({ severity }) => severity === "error") ? 2 : code
}

export type LeakWatch = ReturnType<typeof createLeakWatch>

function createLeakWatch(screen: Screen) {
  const own = createOwnWords()
  const written = new Map<string, WrittenFile>()
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
    /** Searches a file when it is complete. Searches a pipe or a device while it is written. */
    file: (file: ReportFile, shown: string): ReportFile => {
      if (file.place === undefined) return { ...file, output: watch(shown, file.output) }
      const { place, text = () => readText(openSync(place, "r")), remove = () => rmSync(place) } = file
      const commit = (): void => {
        file.commit()
        written.set(shown, { text, remove })
      }
      return { ...file, commit }
    },
    /** Searches a file that is already written. */
    keep: (shown: string, path: string): void => {
      written.set(shown, { text: () => readText(openSync(path, "r")), remove: () => rmSync(path) })
    },
    /** Adds the secrets that the run resolves, and later those that it captures. */
    onSecrets: (more: readonly RunSecret[]): void => {
      for (const secret of lookedFor(more)) secrets.push(secret)
      resolved ??= secrets.length
    },
    hear: own.hear,
    /**
     * Searches the files, and removes those with a secret. Returns every leak, and every secret that it couldn't search
     * for.
     */
    verify: (): readonly Problem[] => {
      const known = { secrets, resolved: (resolved ??= secrets.length), own }
      const leaks = [
        ...[...streams].flatMap(([name, search]) => leaksOf(name, { ...known, findings: search.end() })),
        ...[...written].flatMap(([shown, file]) => verifyFile(shown, file, known)),
      ]
      const plain = new Set(secrets.filter(({ value }) => own.has(value)).map(({ name }) => name))
      return [...leaks, ...[...plain].map((name) => toProblem(messages["secret-leaked"].notSearched(name)))]
    },
  }
}

/**
 * Returns an output that searches what it writes. Its other properties are inherited, because reading them would open
 * the stream.
 */
const watched = (output: Output, search: LeakSearch): Output =>
  Object.create(output, {
    write: {
      value: (text: string, as?: "exact") => {
        search.push(text)
        output.write(text, as)
      },
    },
  }) as Output

interface SearchTerms {
  readonly secrets: readonly LookedFor[]
  /** The number of secrets that were resolved at the start of the run. The others were captured later. */
  readonly resolved: number
  readonly own: OwnWords
}

interface SearchResult extends SearchTerms {
  readonly findings: LeakFindings
  /** True if the file was removed. Undefined for a stream. */
  readonly isRemoved?: boolean
}

function leaksOf(where: string, { findings, secrets, resolved, own, isRemoved }: SearchResult): Problem[] {
  const captured = new Set(secrets.slice(resolved))
  const leaked = [...findings.found].filter(({ value }) => !own.has(value))
  const byName = new Map(leaked.map((secret) => [secret.name, secret]))
  const problems = [...byName].map(([name, secret]) =>
    messages["secret-leaked"].leaked({ where, secret: name, isCaptured: captured.has(secret), isRemoved }),
  )
  const unsearched = findings.isWhole ? [] : [messages["report-failed"].notBuffered(where)]
  return [...problems, ...unsearched].map((finding) => toProblem(finding))
}

type WrittenFile = Required<Pick<ReportFile, "text" | "remove">>

function verifyFile(shown: string, { text, remove }: WrittenFile, known: SearchTerms): readonly Problem[] {
  try {
    const search = createLeakSearch(() => known.secrets)
    for (const part of text()) search.push(part)
    const findings = search.end()
    const leaks = leaksOf(shown, { ...known, findings })
    if (leaks.length === 0) return []
    return leaksOf(shown, { ...known, findings, isRemoved: isDone(remove) })
  } catch {
    return [toProblem(messages["report-failed"].unreadable(shown))]
  }
}

function isDone(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
